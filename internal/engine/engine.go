// Package engine runs calls. It is the only executor: REST, MCP, the command line and the pipeline pass it a call that
// the contract has accepted, and it returns a response or a *convert.Failure.
package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/recipe"
)

// Config is what an operator can configure.
type Config struct {
	BaseURL  string // public base URL without a trailing slash; "" omits links
	Provider string // the provenance's provider
	Version  string // SemVer of the build

	ExecTimeout time.Duration // for one tool of a call; 0 means no limit
	WorkSlots   int           // calls that run at once; 0 means unlimited
	QueueWait   time.Duration // how long a call may wait for a slot

	// Growth is how many characters an output may have for each byte of the call's input, if that is more than the
	// contract's limit; 0 disables it. It is for callers whose input is bounded by their memory.
	Growth int

	Log *slog.Logger // internal errors; never input

	// Observe is called for each step that ran, including the only one of a single call: with its tool, the problem
	// code it ended with ("" for success, convert.ClientGone if the client had gone away), and how long it took. It is
	// called concurrently; nil disables it. Requests rejected before their first step (media type, overload) are
	// counted by the front doors.
	Observe func(tool, code string, took time.Duration)
}

// Engine runs calls. It is safe for concurrent use and keeps no state of them.
type Engine struct {
	config    Config
	contract  *contract.Contract
	tools     map[string]convert.Tool
	admission *admission

	editor       string            // the editor's URL up to the recipe
	attributions map[string]string // by operation
}

// New returns an engine for the tools. It fails if they are not exactly the tools that the document describes.
func New(c *contract.Contract, tools []convert.Tool, config Config) (*Engine, error) {
	e := &Engine{
		config:    config,
		contract:  c,
		tools:     make(map[string]convert.Tool, len(tools)),
		admission: newAdmission(config.WorkSlots, config.QueueWait),

		editor:       config.BaseURL + "/editor#",
		attributions: map[string]string{contract.Pipeline: attribution(config.Version, contract.Pipeline)},
	}
	for _, tool := range tools {
		if c.Tool(tool.Name) == nil {
			return nil, fmt.Errorf("the OpenAPI document has no tool %q", tool.Name)
		}
		e.tools[tool.Name] = tool
		e.attributions[tool.Name] = attribution(config.Version, tool.Name)
	}
	for _, described := range c.Tools() {
		if _, ok := e.tools[described.Name]; !ok {
			return nil, fmt.Errorf("the OpenAPI document has the tool %q, but no package implements it", described.Name)
		}
	}
	return e, nil
}

// Busy returns the number of calls that are running.
func (e *Engine) Busy() int { return taken(e.admission.slots) }

// Run runs a call that the contract has accepted, in the slot that ctx has from Slot or in a new one. The error is a
// *convert.Failure, or ctx's own error if the caller went away. If w is not nil, Run writes the beginning of the output
// to it, and the response's output is the rest. It may fail after it has written some of the output. An error of w is
// returned as a *convert.WriteError.
func (e *Engine) Run(ctx context.Context, call contract.Call, w io.Writer) (*Response, error) {
	work := &work{to: w}
	if err := e.do(ctx, call, work); err != nil {
		return nil, err
	}
	return &work.response, nil
}

// AppendJSON runs a call like Run and appends its response to dst, like the
// response's AppendJSON. On an error it returns dst.
func (e *Engine) AppendJSON(ctx context.Context, dst []byte, call contract.Call) ([]byte, error) {
	work := &work{json: true, dst: dst}
	if err := e.do(ctx, call, work); err != nil {
		return dst, err
	}
	if work.into != nil {
		return work.response.appendRest(append(work.into, `"}`...)), nil
	}
	return work.response.AppendJSON(dst), nil
}

// work is the state of one call, in a single allocation.
type work struct {
	response Response
	plan     plan
	to       io.Writer // receives the beginning of the output, or nil
	json     bool      // the response is wanted as JSON, appended to dst
	dst      []byte
	into     []byte // dst, the response's beginning and the output, if the tool wrote it there

	limit   convert.OutputLimit // of the running step
	limited limited
}

// do runs a call in its slot.
func (e *Engine) do(ctx context.Context, call contract.Call, w *work) error {
	if failure := e.plan(call, &w.plan); failure != nil {
		return failure
	}
	if e.config.WorkSlots > 0 {
		slot, ok := ctx.Value(slotKey{}).(*Slot)
		if !ok {
			slot = &Slot{admission: e.admission}
			defer slot.Release()
		}
		if err := slot.Acquire(ctx, e.weigh(call)); err != nil {
			return err
		}
	}
	if seconds := e.contract.Limits().PipelineSeconds; seconds > 0 && !call.Single() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
		defer cancel()
	}
	return e.run(ctx, call, w)
}

// room returns how many characters one output of a call may have, and how many bytes all of them together.
func (e *Engine) room(call contract.Call) (characters, bytes int) {
	limits := e.contract.Limits()
	characters, bytes = limits.OutputCharacters, limits.PipelineBytes
	if call.Single() {
		bytes = 4 * characters // only the characters count
	}
	if more := e.config.Growth * len(call.Input.Value); more > characters {
		characters, bytes = min(more, jsondoc.MaxText), 4*more*len(call.Steps)
	}
	return characters, bytes
}

// run executes the steps in order and stops at the first error.
func (e *Engine) run(ctx context.Context, call contract.Call, w *work) error {
	response := &w.response
	response.Steps, response.Single = call.Steps, call.Single()
	current := call.Input
	characters, left := e.room(call)
	for i, step := range call.Steps {
		last := i == len(call.Steps)-1 && !w.plan.returned[step.ID]
		w.limitOutput(characters, min(left, jsondoc.MaxText), last) // what the next step can read
		begin := time.Now()
		result, err := e.convert(ctx, step, convert.Input{
			Artifact: current,
			Options:  step.Options,
			Limit:    &w.limit,
		}, &w.limited, begin)
		if err != nil {
			err = e.place(ctx, err, call, i)
		}
		e.observe(step.Tool.Name, err, begin)
		if err != nil {
			return err
		}
		left -= len(result.Value)
		current = convert.Artifact{MediaType: w.plan.outputs[i], Value: result.Value}
		w.into = result.Into
		response.warn(step, result.Warnings)
		if w.plan.returned[step.ID] {
			response.Outputs = append(response.Outputs, Output{ID: step.ID, Artifact: current})
		}
	}
	response.HasOutputs = call.Return != nil
	response.Output = current
	response.Provenance = e.provenance(call)
	return nil
}

// limitOutput sets the limit of the next step. The last step's output may be streamed,
// unless the caller also requests it by step id.
func (w *work) limitOutput(characters, bytes int, last bool) {
	switch {
	case last && w.json:
		mediaType := w.plan.outputs[len(w.plan.outputs)-1]
		w.limit = *convert.NewInto(append(appendOutput(w.dst, mediaType), '"'), characters, bytes)
	case last && w.to != nil:
		w.limit = *convert.NewStream(w.to, characters, bytes)
	default:
		w.limit = *convert.NewOutputLimit(characters, bytes)
	}
}

// observe reports a step that began at begin and ended now, with nil or an error from place.
func (e *Engine) observe(tool string, err error, begin time.Time) {
	if e.config.Observe != nil {
		e.config.Observe(tool, codeOf(err), time.Since(begin))
	}
}

// codeOf returns the code of an error for Config.Observe.
func codeOf(err error) string {
	if err == nil {
		return ""
	}
	var failure *convert.Failure
	if errors.As(err, &failure) {
		return string(failure.Code)
	}
	return convert.ClientGone
}

// convert runs one tool from begin on, within its time limit, in a context
// allocated in room. A panic fails this call only.
func (e *Engine) convert(ctx context.Context, step contract.Step, in convert.Input, room *limited, begin time.Time) (result convert.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			// The value of a panic and the arguments in a stack may contain input; their types and functions do not.
			e.config.Log.ErrorContext(ctx, "a tool panicked", "tool", step.Tool.Name, "type", fmt.Sprintf("%T", p), "stack", convert.Stack())
			err = convert.Internal()
		}
	}()
	if err := ctx.Err(); err != nil {
		return convert.Result{}, err
	}
	if e.config.ExecTimeout > 0 {
		slot, _ := ctx.Value(slotKey{}).(*Slot)
		*room = limited{Context: ctx, end: begin.Add(e.config.ExecTimeout), slot: slot}
		ctx = room
	}
	return e.tools[step.Tool.Name].Convert(ctx, in)
}

// place turns a tool's error into the call's failure and adds its location: the input of a single call and of the first
// step is in the request, a later step's is the output of the previous step.
func (e *Engine) place(ctx context.Context, err error, call contract.Call, i int) error {
	var failure *convert.Failure
	var unwritten *convert.WriteError
	switch {
	case errors.As(err, &failure):
	case errors.As(err, &unwritten):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		failure = convert.Reject(convert.DeadlineExceeded,
			"The conversion took too long.",
			"Send a smaller input or fewer steps, or try again when the server is less busy.")
	case errors.Is(err, context.Canceled):
		return err
	default:
		e.config.Log.ErrorContext(ctx, "a tool failed with an error that is not a failure", "tool", call.Steps[i].Tool.Name, "type", fmt.Sprintf("%T", err))
		failure = convert.Internal()
	}
	placed := *failure
	placed.Step = call.Steps[i].ID
	switch {
	case failure.Code == convert.InternalError || failure.Code == convert.DeadlineExceeded:
	case i == 0:
		return placed.InBody("/input/value")
	default:
		return placed.InBody(fmt.Sprintf("/steps/%d", i))
	}
	return &placed
}

func (e *Engine) provenance(call contract.Call) Provenance {
	return Provenance{
		Provider:      e.config.Provider,
		EngineVersion: e.config.Version,
		Tool:          call.Operation,
		Attribution:   e.attributions[call.Operation],
		EditorURL:     recipe.Link(e.editor, call.Steps),
	}
}

func attribution(version, operation string) string {
	return "Converted by convertd " + version + " (" + operation + ")."
}
