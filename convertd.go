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

// The media types of inputs and outputs.
const (
	MediaTypeJSON = "application/json"
	MediaTypeYAML = "application/yaml"
	MediaTypeJWT  = "application/jwt"
	MediaTypeText = "text/plain"
)

// Artifact is a text, which is UTF-8, and what it is.
type Artifact struct{ MediaType, Value string }

// Result is the success of a call.
type Result struct {
	Output Artifact
	// Outputs are those of a pipeline's steps that asked for it, by their id;
	// nil when none did.
	Outputs map[string]Artifact
	// Warnings each begin with a code, a colon and a space; in a pipeline the
	// step's id, a colon and a space stand before it. Codes are listed in the
	// service's description and at its /warnings.
	Warnings   []string
	Provenance Provenance
}

// Provenance says where an output comes from.
type Provenance struct {
	EngineVersion string // SemVer of this module
	Tool          string // or pipeline
	Attribution   string // one sentence
	// Recipe is the call without its input, for [ParseRecipe], convertd pipeline,
	// and the editor, behind the # of its address.
	Recipe string
}

// Code says machine-readably why a call was refused. Codes may be added.
type Code string

// Problem is why a call was refused. It holds nothing of the input.
type Problem struct {
	Code   Code
	Title  string // of the code
	Detail string // what is wrong, with the place
	Hint   string // what to change

	// Path is what the problem is about, a JSON Pointer into the request as the
	// service takes it: /input/value, /options/indent, /steps/1; "" is all of it.
	Path string
	Step string // the id of the pipeline's step, or ""

	// Line and Column are the place in the text, 1-based, columns in code points;
	// 0 when there is none. A token's are inside its decoded part.
	Line, Column int
}

func (p *Problem) Error() string { return string(p.Code) + ": " + p.Detail }

// Options are the options of one of the tools, [JSONFormatOptions] for one, and
// so say which tool it is.
type Options interface {
	tool() string
	given() map[string]any // as the description's request has them
}

// Step is one tool of a pipeline.
type Step struct {
	// ID names the step in the result; without one it is the step's number, from
	// 1. It matches ^[A-Za-z0-9_-]{1,64}$ and is the only one of its kind.
	ID      string
	Options Options
	Return  bool // whether [Result.Outputs] has what it gives
}

// Setting changes what a call may cost; its zero value changes nothing.
type Setting struct{ change func(*contract.Limits) }

// WithMaxInput is how many characters the input may have, 1,048,576 unless it is
// set, as over HTTP. More than 1 GiB it never has.
func WithMaxInput(characters int) Setting {
	return Setting{func(l *contract.Limits) { l.RequestBytes = within(characters) }}
}

// WithMaxOutput is how many characters the output may have, and how many bytes
// all outputs of a pipeline together; 2,097,152 unless it is set, at most 1 GiB.
func WithMaxOutput(characters int) Setting {
	return Setting{func(l *contract.Limits) { l.OutputCharacters, l.PipelineBytes = within(characters), within(characters) }}
}

// within is a number of characters that a text can have.
func within(characters int) int { return min(max(0, characters), jsondoc.MaxText) }

// Pipeline runs 1 to 20 steps, each on what the one before gives, the first one
// on the input. Whether each can take that is looked at before the first runs.
// It stops at the first error, whose [Problem.Step] says where.
func Pipeline(ctx context.Context, input Artifact, steps []Step, settings ...Setting) (*Result, error) {
	list, returned := make([]any, len(steps)), []any{}
	for i, step := range steps {
		id := step.ID
		if id == "" {
			id = strconv.Itoa(i + 1)
		}
		list[i] = map[string]any{"id": id}
		if step.Options != nil { // else the tool is missing
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

// ParseRecipe returns the steps of a recipe, r=1&s=json_format,indent:4 for one,
// or of a recipe link. An error is a [*Problem].
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

// parsedOptions are those of a recipe's step.
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

func giveInt(given map[string]any, name string, value *int) {
	if value != nil {
		given[name] = json.Number(strconv.Itoa(*value))
	}
}

func giveText[T ~string](given map[string]any, name string, value T) {
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

// standard has the service's limits but its time, which is the caller's context
// to bound.
var standard = sync.OnceValue(func() *runner {
	c, err := contract.Load()
	if err != nil {
		panic(err) // it is built in, and a test reads it
	}
	limits := c.Limits()
	limits.PipelineSeconds = 0
	return newRunner(c.WithLimits(limits))
})

func newRunner(c *contract.Contract) *runner {
	e, err := engine.New(c, tools.All(), engine.Config{Provider: "convertd", Version: version.Current(""), Log: slog.Default()})
	if err != nil {
		panic(err) // the tools are the document's, which a test says
	}
	return &runner{c, e}
}

// run runs a request body as the service's description has it.
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
	answer, err := r.engine.Run(ctx, call)
	if err != nil {
		return nil, problem(ctx, err)
	}
	return result(answer), nil
}

// result is an answer for a Go program.
func result(answer *engine.Answer) *Result {
	_, fragment, _ := strings.Cut(answer.Provenance.EditorURL, "#")
	r := &Result{
		Output:   Artifact(answer.Output),
		Warnings: answer.Warnings,
		Provenance: Provenance{
			EngineVersion: answer.Provenance.EngineVersion,
			Tool:          answer.Provenance.Tool,
			Attribution:   answer.Provenance.Attribution,
			Recipe:        fragment,
		},
	}
	for _, output := range answer.Outputs {
		if r.Outputs == nil {
			r.Outputs = map[string]Artifact{}
		}
		r.Outputs[output.ID] = Artifact(output.Artifact)
	}
	return r
}

// problem is an engine's error for a Go program: a *Problem, or the context's
// error when that is why there is no answer.
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
