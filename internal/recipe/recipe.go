// Package recipe reads and writes recipes: the steps of a pipeline and their options on one line, such as
//
//	r=1&s=json_format,indent:4&s=json_to_yaml
//
// r is the version of the format and comes first. Each s is one step, in order: the tool, then ,option:value sorted by
// name. Options with their default value are left out, and values are percent-encoded (RFC 3986, section 2.1). A recipe
// holds no step ids, no free text and nothing of any input. It is the fragment of the editor's URL, which browsers send
// to no server.
package recipe

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

const (
	version = "r=1"
	// maxLength bounds what Parse reads, in bytes.
	maxLength = 8192

	hint = "Write a recipe as r=1&s=TOOL,OPTION:VALUE&s=TOOL, with tools and options of this service."
)

// Format returns the recipe of the steps. Equal steps have equal recipes, and
// Parse returns the same steps, without their ids.
func Format(steps []contract.Step) string { return Link("", steps) }

// Link returns the recipe of the steps with base in front of it.
func Link(base string, steps []contract.Step) string {
	var b strings.Builder
	b.Grow(len(base) + len(version) + 64*len(steps))
	b.WriteString(base)
	b.WriteString(version)
	for _, step := range steps {
		b.WriteString("&s=")
		b.WriteString(step.Tool.Name)
		for _, option := range step.Tool.Options {
			value, given := step.Options[option.Name]
			if !given || value == option.Default {
				continue
			}
			b.WriteByte(',')
			b.WriteString(option.Name)
			b.WriteByte(':')
			if n, ok := value.(int); ok {
				b.WriteString(strconv.Itoa(n))
			} else {
				b.WriteString(escape(value.(string)))
			}
		}
	}
	return b.String()
}

// escape percent-encodes everything but RFC 3986's unreserved characters.
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// Parse reads a recipe in linear time. It accepts only what Format may write: an unknown version, tool, option or value
// refuses the whole recipe, in words that repeat nothing of it. The steps have all their options, and no ids.
func Parse(c *contract.Contract, text string) ([]contract.Step, error) {
	if len(text) > maxLength {
		return nil, convert.Reject(convert.SchemaViolation, "The recipe is longer than %d characters.", hint, maxLength)
	}
	parts := strings.Split(text, "&")
	if parts[0] != version {
		return nil, convert.Reject(convert.SchemaViolation, "The recipe does not begin with r=1, the version of the format.", hint)
	}
	if maxSteps := c.Limits().PipelineSteps; len(parts) == 1 || len(parts) > maxSteps+1 {
		return nil, convert.Reject(convert.SchemaViolation, "A recipe has 1 to %d steps.", hint, maxSteps)
	}
	var steps []contract.Step
	for i, part := range parts[1:] {
		text, isStep := strings.CutPrefix(part, "s=")
		if !isStep {
			return nil, convert.Reject(convert.SchemaViolation, "Part %d of the recipe does not begin with s=, as a step does.", hint, i+1)
		}
		step, err := ParseStep(c, text)
		if err != nil {
			return nil, err.reject(i + 1)
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// A Fault is what can be wrong with a step.
type Fault int

// The faults.
const (
	UnknownTool Fault = iota
	UnknownOption
	RepeatedOption
	BadValue
	MissingOption
)

// A StepError says what is wrong with a step.
type StepError struct {
	Fault Fault
	Tool  *contract.Tool // nil if it is unknown
	Name  string         // the tool's or the option's, as it was written
	Value string         // the option's, as it was written
}

// reject returns the error for a recipe, which repeats nothing of the step. Steps are numbered from 1.
func (e *StepError) reject(number int) error {
	switch e.Fault {
	case UnknownTool:
		return convert.Reject(convert.SchemaViolation, "Step %d of the recipe names an unknown tool.", hint, number)
	case UnknownOption:
		return convert.Reject(convert.SchemaViolation, "Step %d of the recipe names an option that the tool does not have.", hint, number)
	case RepeatedOption:
		return convert.Reject(convert.SchemaViolation, "Step %d of the recipe repeats an option.", hint, number)
	case MissingOption:
		return convert.Reject(convert.SchemaViolation, "Step %d of the recipe lacks an option that the tool requires.", hint, number)
	}
	return convert.Reject(convert.SchemaViolation, "Step %d of the recipe has an option with a value that is not allowed.", hint, number)
}

// Option returns the option that the error is about, nil if it is unknown.
func (e *StepError) Option() *contract.Option {
	if e.Tool != nil {
		for i := range e.Tool.Options {
			if e.Tool.Options[i].Name == e.Name {
				return &e.Tool.Options[i]
			}
		}
	}
	return nil
}

// ParseStep reads one step, TOOL[,OPTION:VALUE]...
func ParseStep(c *contract.Contract, text string) (contract.Step, *StepError) {
	fields := strings.Split(text, ",")
	tool := c.Tool(fields[0])
	if tool == nil {
		return contract.Step{}, &StepError{Fault: UnknownTool, Name: fields[0]}
	}
	options := convert.Options{}
	for _, field := range fields[1:] {
		name, encoded, _ := strings.Cut(field, ":")
		wrong := &StepError{Tool: tool, Name: name, Value: encoded}
		option := wrong.Option()
		if option == nil {
			wrong.Fault = UnknownOption
			return contract.Step{}, wrong
		}
		if _, repeated := options[name]; repeated {
			wrong.Fault = RepeatedOption
			return contract.Step{}, wrong
		}
		value, ok := parseValue(*option, encoded)
		if !ok {
			wrong.Fault = BadValue
			return contract.Step{}, wrong
		}
		options[name] = value
	}
	for _, o := range tool.Options {
		if _, given := options[o.Name]; o.Required && !given {
			return contract.Step{}, &StepError{Fault: MissingOption, Tool: tool, Name: o.Name}
		}
	}
	return contract.Step{Tool: tool, Options: tool.Complete(options)}, nil
}

func parseValue(o contract.Option, encoded string) (any, bool) {
	if o.Integer {
		n, err := strconv.Atoi(encoded)
		return n, err == nil && strconv.Itoa(n) == encoded && n >= o.Minimum && n <= o.Maximum
	}
	text, err := url.PathUnescape(encoded)
	return text, err == nil && slices.Contains(o.Enum, text)
}
