package convertd

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"strconv"
	"strings"
	"sync"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/engine"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/recipe"
	"github.com/convertd/convertd/internal/tools"
	"github.com/convertd/convertd/internal/version"
)

// Media types of inputs and outputs.
const (
	MediaTypeJSON = "application/json"
	MediaTypeYAML = "application/yaml"
	MediaTypeJWT  = "application/jwt"
	MediaTypeText = "text/plain"
)

// Artifact is UTF-8 text and its media type.
type Artifact struct{ MediaType, Value string }

// Result is the result of a call.
type Result struct {
	Output Artifact
	// Outputs contains the outputs of the pipeline's steps that have Return set, by
	// step id. It is nil if there are no such steps.
	Outputs map[string]Artifact
	// Warnings each begin with a code, a colon and a space. In a pipeline, the step's
	// id, a colon and a space precede the code. The OpenAPI document and the
	// service's /warnings list the codes.
	Warnings   []string
	Provenance Provenance
}

// Provenance says how an output was produced.
type Provenance struct {
	EngineVersion string // SemVer of this module
	Tool          string // or pipeline
	Attribution   string // one sentence
	// Recipe is the call without its input, for [ParseRecipe], for convertd
	// pipeline, and for the editor, after the # of its URL.
	Recipe string
}

// Code identifies why a call was rejected. Codes may be added.
type Code string

// Problem describes why a call was rejected. It contains nothing of the input.
type Problem struct {
	Code   Code
	Title  string // of the code
	Detail string // what is wrong, and where
	Hint   string // what to change

	// Path is a JSON Pointer to the cause of the problem in the request that the
	// service would get: /input/value, /options/indent, /steps/1. "" is the whole
	// request.
	Path string
	Step string // the id of the pipeline's step, or ""

	// Line and Column are the position in the text, from 1, or 0 if unknown. Columns
	// count code points. In a token, they are relative to its decoded part.
	Line, Column int
}

func (p *Problem) Error() string { return string(p.Code) + ": " + p.Detail }

// Options are the options of a tool, such as [JSONFormatOptions]. Their type
// identifies the tool.
type Options interface {
	tool() string
	given() map[string]any // as in a request of the OpenAPI document
}

// Step is one tool of a pipeline.
type Step struct {
	// ID names the step in the result. It is unique in the pipeline and matches
	// ^[A-Za-z0-9_-]{1,64}$. The default is the step's number, from 1.
	ID      string
	Options Options
	Return  bool // whether [Result.Outputs] contains its output
}

// Setting changes a limit of a call; the zero value changes nothing.
type Setting struct{ change func(*contract.Limits) }

// WithMaxInput limits the characters of the input. The default is 1,048,576, as
// over HTTP; the maximum is 1 GiB.
func WithMaxInput(characters int) Setting {
	return Setting{func(l *contract.Limits) { l.RequestBytes = within(characters) }}
}

// WithMaxOutput limits the characters of the output, and the bytes of all outputs
// of a pipeline together. The default is 2,097,152; the maximum is 1 GiB.
func WithMaxOutput(characters int) Setting {
	return Setting{func(l *contract.Limits) { l.OutputCharacters, l.PipelineBytes = within(characters), within(characters) }}
}

// within limits a number of characters to the largest possible text.
func within(characters int) int { return min(max(0, characters), jsondoc.MaxText) }

// Pipeline runs 1 to 20 steps, the first one on the input and each other one on
// the output of the previous one. It checks that the media types of all steps fit
// before it runs the first one, and stops at the first error, whose
// [Problem.Step] names the step.
func Pipeline(ctx context.Context, input Artifact, steps []Step, settings ...Setting) (*Result, error) {
	list, returned := make([]any, len(steps)), []any{}
	for i, step := range steps {
		id := step.ID
		if id == "" {
			id = strconv.Itoa(i + 1)
		}
		list[i] = map[string]any{"id": id}
		if step.Options != nil { // otherwise the tool is missing
			list[i] = map[string]any{"id": id, "tool": step.Options.tool(), "options": step.Options.given()}
		}
		if step.Return {
			returned = append(returned, id)
		}
	}
	return run(ctx, contract.Pipeline, map[string]any{
		"version": json.Number("1"), "input": text(input), "steps": list, "returnStepIds": returned,
	}, settings)
}

// ParseRecipe returns the steps of a recipe, such as r=1&s=json_format,indent:4, or
// of a recipe link. Its error is a [*Problem].
func ParseRecipe(link string) ([]Step, error) {
	if _, fragment, is := strings.Cut(link, "#"); is {
		link = fragment
	}
	parsed, err := recipe.Parse(standard().contract, link)
	if err != nil {
		return nil, problem(context.Background(), err)
	}
	steps := make([]Step, len(parsed))
	for i, step := range parsed {
		steps[i].Options = parsedOptions{step}
	}
	return steps, nil
}

// parsedOptions are the options of a recipe's step.
type parsedOptions struct{ contract.Step }

func (o parsedOptions) tool() string { return o.Tool.Name }

func (o parsedOptions) given() map[string]any {
	given := maps.Clone(o.Options)
	for name, value := range given {
		if n, is := value.(int); is {
			given[name] = json.Number(strconv.Itoa(n))
		}
	}
	return given
}

func setInt(given map[string]any, name string, value *int) {
	if value != nil {
		given[name] = json.Number(strconv.Itoa(*value))
	}
}

func setText[T ~string](given map[string]any, name string, value T) {
	if value != "" {
		given[name] = string(value)
	}
}

func text(a Artifact) map[string]any {
	return map[string]any{"mediaType": a.MediaType, "value": a.Value}
}

// single runs one tool.
func single(ctx context.Context, input Artifact, options Options, settings []Setting) (*Result, error) {
	return run(ctx, options.tool(), map[string]any{"input": text(input), "options": options.given()}, settings)
}

// runner is the engine with one set of limits.
type runner struct {
	contract *contract.Contract
	engine   *engine.Engine
}

// standard has the service's limits, except for the time limit, which is up to
// the caller's context.
var standard = sync.OnceValue(func() *runner {
	c, err := contract.Load()
	if err != nil {
		panic(err) // it is built in, and tested
	}
	limits := c.Limits()
	limits.PipelineSeconds = 0
	return newRunner(c.WithLimits(limits))
})

func newRunner(c *contract.Contract) *runner {
	e, err := engine.New(c, tools.All(), engine.Config{Provider: "convertd", Version: version.Current(""), Log: slog.Default()})
	if err != nil {
		panic(err) // a test compares the tools with the document
	}
	return &runner{c, e}
}

// run runs a request body of the OpenAPI document.
func run(ctx context.Context, operation string, body map[string]any, settings []Setting) (*Result, error) {
	r := standard()
	if len(settings) > 0 {
		limits := r.contract.Limits()
		for _, set := range settings {
			if set.change != nil {
				set.change(&limits)
			}
		}
		r = newRunner(r.contract.WithLimits(limits))
	}
	if f := contract.CheckText(body["input"].(map[string]any)["value"].(string)); f != nil {
		return nil, problem(ctx, f)
	}
	call, f := r.contract.Bind(operation, body)
	if f != nil {
		return nil, problem(ctx, f)
	}
	response, err := r.engine.Run(ctx, call, nil)
	if err != nil {
		return nil, problem(ctx, err)
	}
	return result(response), nil
}

// result converts a response to the form for a Go program.
func result(response *engine.Response) *Result {
	_, fragment, _ := strings.Cut(response.Provenance.EditorURL, "#")
	r := &Result{
		Output:   Artifact(response.Output),
		Warnings: response.Warnings,
		Provenance: Provenance{
			EngineVersion: response.Provenance.EngineVersion,
			Tool:          response.Provenance.Tool,
			Attribution:   response.Provenance.Attribution,
			Recipe:        fragment,
		},
	}
	for _, output := range response.Outputs {
		if r.Outputs == nil {
			r.Outputs = map[string]Artifact{}
		}
		r.Outputs[output.ID] = Artifact(output.Artifact)
	}
	return r
}

// problem converts an engine's error to the form for a Go program: a *Problem, or
// the context's error if that ended the call.
func problem(ctx context.Context, err error) error {
	var f *convert.Failure
	if !errors.As(err, &f) {
		return err
	}
	if f.Code == convert.DeadlineExceeded && ctx.Err() != nil {
		return ctx.Err()
	}
	p := &Problem{
		Code: Code(f.Code), Title: contract.Status(f.Code).Title, Detail: f.Detail, Hint: f.Hint,
		Step: f.Step, Line: f.Line, Column: f.Column,
	}
	if f.Path != nil {
		p.Path = *f.Path
	}
	return p
}
