package engine

import (
	"fmt"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

// plan is what is known about a call before its first step runs.
type plan struct {
	outputs  []string        // the media type of each step's output
	one      [1]string       // storage for a single step's outputs
	returned map[string]bool // the ids whose outputs are returned
}

// plan checks what the document's schema cannot express: that ids are unique and
// known, and that each step takes what the previous one produces.
func (e *Engine) plan(call contract.Call, p *plan) *convert.Failure {
	p.outputs = p.one[:0]
	if !call.Single() {
		seen := make(map[string]bool, len(call.Steps))
		for i, step := range call.Steps {
			if seen[step.ID] {
				f := convert.Reject(convert.DuplicateStepID,
					"Two steps have the same id.",
					"Give each step a unique id.").InBody(fmt.Sprintf("/steps/%d/id", i))
				f.Step = step.ID
				return f
			}
			seen[step.ID] = true
		}
		p.returned = make(map[string]bool, len(call.Return))
		for i, id := range call.Return {
			if !seen[id] {
				return convert.Reject(convert.UnknownStepID,
					"returnStepIds names an id that no step has.",
					"Use only ids of steps in the same request.").InBody(fmt.Sprintf("/returnStepIds/%d", i))
			}
			p.returned[id] = true
		}
	}
	current := call.Input.MediaType
	for i, step := range call.Steps {
		if !step.Tool.Accept(current) {
			f := step.Tool.MediaTypeRejected()
			if i > 0 {
				f = e.contract.ChainRejected(call, i, append([]string{call.Input.MediaType}, p.outputs...)).InBody(fmt.Sprintf("/steps/%d/tool", i))
			}
			f.Step = step.ID
			return f
		}
		current = step.Tool.Output(step.Options)
		p.outputs = append(p.outputs, current)
	}
	return nil
}
