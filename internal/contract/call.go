package contract

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// Call is a valid request: for one tool, or for a pipeline.
type Call struct {
	// Operation is a tool's name or Pipeline.
	Operation string
	Input     convert.Artifact
	// Steps are the steps of a pipeline; a request for one tool has one step without an id.
	Steps []Step
	// Return names the steps whose outputs a pipeline returns, nil when the request doesn't specify it.
	Return []string

	contents []byte // memory of decoded strings, nil if they share the body's
}

// Release recycles the memory of the request's strings. Afterwards neither the request nor a response to it may
// be used. Calling it is optional.
func (c *Call) Release() {
	jsondoc.Recycle(c.contents)
	c.contents = nil
}

// Step is one tool of a request, with all of its options.
type Step struct {
	ID      string
	Tool    *Tool
	Options convert.Options
}

// Single reports whether the request is for one tool rather than a pipeline.
func (c Call) Single() bool { return c.Operation != Pipeline }

// Decode parses a request body for an operation strictly as JSON and validates it against the operation's
// schema. The caller limits the size of the body.
func (c *Contract) Decode(operation, body string) (Call, *convert.Failure) {
	if !utf8.ValidString(body) {
		return Call{}, convert.Reject(convert.MalformedJSON,
			"The request body is not UTF-8.",
			"Encode the body as UTF-8.")
	}
	if call, ok := c.direct(operation, body); ok {
		return call, nil
	}
	return c.decode(operation, body)
}

// decode is like Decode for any UTF-8 body, without the fast path of direct.
func (c *Contract) decode(operation, body string) (Call, *convert.Failure) {
	value, err := jsondoc.Decode(body)
	if err != nil {
		return Call{}, malformed(err)
	}
	return c.bind(operation, body, value)
}

// malformed turns a JSON failure of the envelope into a failure of the request.
func malformed(err error) *convert.Failure {
	f, ok := err.(*convert.Failure)
	if !ok {
		return convert.Internal()
	}
	if f.Code == convert.SchemaViolation {
		return f.InBody("") // well-formed, but more values than any schema allows
	}
	return f.Within(convert.MalformedJSON, "The request body is not well-formed.")
}

// Bind validates a decoded body against the operation's schema and returns it as a Call. It doesn't keep value,
// but may change the options in it.
func (c *Contract) Bind(operation string, value any) (Call, *convert.Failure) {
	return c.bind(operation, "", value)
}

func (c *Contract) bind(operation, body string, value any) (Call, *convert.Failure) {
	if c.operations[operation] == nil {
		panic("contract: no operation " + operation)
	}
	if f := c.violations(operation, body, value); f != nil {
		return Call{}, f
	}
	request := value.(map[string]any)
	if f := c.checkLength(request); f != nil {
		return Call{}, f
	}
	call := Call{Operation: operation, Input: artifact(request["input"])}
	if operation != Pipeline {
		call.Steps = []Step{c.step("", operation, request["options"])}
		return call, nil
	}
	for _, item := range request["steps"].([]any) {
		step := item.(map[string]any)
		call.Steps = append(call.Steps, c.step(step["id"].(string), step["tool"].(string), step["options"]))
	}
	if ids, given := request["returnStepIds"].([]any); given {
		call.Return = make([]string, 0, len(ids))
		for _, id := range ids {
			call.Return = append(call.Return, id.(string))
		}
	}
	return call, nil
}

// checkLength rejects an input value longer than the document's maxLength, which over HTTP the size limit of
// the request implies, and one that no tool can read, whatever the limits are.
func (c *Contract) checkLength(body map[string]any) *convert.Failure {
	input, _ := body["input"].(map[string]any)
	value, _ := input["value"].(string)
	if len(value) > jsondoc.MaxText {
		return convert.Reject(convert.SchemaViolation,
			"The input is larger than %d bytes.",
			"Send a smaller input. This service cannot convert a larger one.", jsondoc.MaxText).InBody("/input/value")
	}
	if len(value) > c.limits.RequestBytes && utf8.RuneCountInString(value) > c.limits.RequestBytes {
		return convert.Reject(convert.SchemaViolation,
			"The input is longer than %d characters.",
			"Send a smaller input. This service cannot convert a larger one.", c.limits.RequestBytes).InBody("/input/value")
	}
	return nil
}

// CheckText rejects an input that is not UTF-8 and reports the position. It is not needed for input that comes
// in a JSON request body.
func CheckText(text string) *convert.Failure {
	if utf8.ValidString(text) {
		return nil
	}
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return convert.Reject(convert.MalformedJSON,
		"The input is not UTF-8.",
		"Convert the input to UTF-8, for example with iconv.").At(text, at).InBody("/input/value")
}

func artifact(value any) convert.Artifact {
	object := value.(map[string]any)
	return convert.Artifact{MediaType: object["mediaType"].(string), Value: object["value"].(string)}
}

func (c *Contract) step(id, name string, options any) Step {
	tool := c.Tool(name)
	given, _ := options.(map[string]any)
	for option, value := range given {
		given[option] = scalar(value)
	}
	return Step{ID: id, Tool: tool, Options: tool.Complete(given)}
}

// scalar converts an option's value for a tool: the schema accepts any notation of an integer (2.0, 2e0), a
// tool gets an int.
func scalar(value any) any {
	if n, ok := value.(json.Number); ok {
		float, _ := n.Float64()
		return int(float)
	}
	return value
}

// MediaTypeRejected returns the failure for an input whose media type the tool does not accept.
func (t *Tool) MediaTypeRejected() *convert.Failure {
	f := convert.Reject(convert.UnsupportedMediaType, "", "")
	accepts := strings.Join(t.Accepts, " or ")
	f.Detail = fmt.Sprintf("The tool does not accept this media type; it accepts %s.", list(t.Accepts))
	f.Hint = fmt.Sprintf("If the input is %s, set input.mediaType to that, without parameters. Otherwise, this service cannot convert it with this tool.", accepts)
	return f.InBody("/input/mediaType")
}

// ChainRejected returns the failure for step i of a request, which does not accept the media type that the step
// before it produces. takes[n] is the media type that step n gets. The hint is the first of these that helps:
// swap the two steps, choose another option for the step before, or end the pipeline there.
func (c *Contract) ChainRejected(call Call, i int, takes []string) *convert.Failure {
	before, step := call.Steps[i-1], call.Steps[i]
	last := i == len(call.Steps)-1
	f := &convert.Failure{
		Code:   convert.MediaTypeMismatch,
		Detail: fmt.Sprintf("The step accepts %s, but the step before it produces %s.", list(step.Tool.Accepts), takes[i]),
	}
	option, value := before.Tool.producing(step.Tool)
	switch {
	case step.Tool.Accept(takes[i-1]) && before.Tool.Accept(step.Tool.Output(step.Options)) && (last || call.Steps[i+1].Tool.Accept(takes[i])):
		f.Hint = fmt.Sprintf("Swap the two steps: run %s first, then %s.", step.Tool.Name, before.Tool.Name)
	case option != "":
		f.Hint = fmt.Sprintf("Set options.%s of the step before to %s, or to another value that produces %s.", option, value, list(step.Tool.Accepts))
	default:
		f.Hint = fmt.Sprintf("End the pipeline with the step before. This service cannot convert its output, %s, for %s.", takes[i], step.Tool.Name)
	}
	return f
}

// producing returns an option of the tool, and its value, that makes it produce a media type that next accepts, or "".
func (t *Tool) producing(next *Tool) (option, value string) {
	for _, o := range t.Options {
		for _, pair := range o.produces {
			if next.Accept(pair[1]) {
				return o.Name, pair[0]
			}
		}
	}
	return "", ""
}
