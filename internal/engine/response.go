package engine

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// Response is the success of a call, the operation's result in the document. A Single one leaves out outputs and steps.
type Response struct {
	Single     bool
	Output     convert.Artifact
	Outputs    []Output // in the order of the steps
	HasOutputs bool     // the request has returnStepIds
	Steps      []contract.Step
	Warnings   []string
	Provenance Provenance
}

// Output is one step's artifact.
type Output struct {
	ID string
	convert.Artifact
}

// Provenance identifies the origin of an output (ANS-4 of docs/contract.md).
type Provenance struct {
	Provider, EngineVersion, Tool, Attribution, EditorURL string
}

// warn adds a step's warnings. Those of a pipeline name their step.
func (a *Response) warn(step contract.Step, warnings []string) {
	if a.Single {
		a.Warnings = warnings
		return
	}
	for _, w := range warnings {
		a.Warnings = append(a.Warnings, step.ID+": "+w)
	}
}

// AppendJSON appends the response as every front door writes it: the members in the
// document's order, without white space.
func (a *Response) AppendJSON(dst []byte) []byte {
	dst = slices.Grow(dst, a.size())
	dst = jsondoc.AppendString(appendOutput(dst, a.Output.MediaType), a.Output.Value)
	return a.appendRest(append(dst, '}'))
}

// appendOutput appends the beginning of the response, up to the output's value.
func appendOutput(dst []byte, mediaType string) []byte {
	return append(member(dst, `{"output":{"mediaType":`, mediaType), `,"value":`...)
}

// appendRest appends what follows the output.
func (a *Response) appendRest(dst []byte) []byte {
	if a.HasOutputs {
		dst = append(dst, `,"outputs":{`...)
		for i, o := range a.Outputs {
			dst = comma(dst, i)
			dst = jsondoc.AppendString(dst, o.ID)
			dst = append(dst, ':')
			dst = appendArtifact(dst, o.Artifact)
		}
		dst = append(dst, '}')
	}
	if !a.Single {
		dst = append(dst, `,"steps":[`...)
		for i, step := range a.Steps {
			dst = comma(dst, i)
			dst = member(dst, `{"id":`, step.ID)
			dst = member(dst, `,"tool":`, step.Tool.Name)
			dst = append(dst, '}')
		}
		dst = append(dst, ']')
	}
	dst = append(dst, `,"warnings":[`...)
	for i, w := range a.Warnings {
		dst = jsondoc.AppendString(comma(dst, i), w)
	}
	dst = append(dst, ']')
	dst = member(dst, `,"provenance":{"provider":`, a.Provenance.Provider)
	dst = member(dst, `,"engineVersion":`, a.Provenance.EngineVersion)
	dst = member(dst, `,"tool":`, a.Provenance.Tool)
	dst = member(dst, `,"attribution":`, a.Provenance.Attribution)
	if !strings.HasPrefix(a.Provenance.EditorURL, "/") { // without a base URL there is no editor
		dst = member(dst, `,"editorUrl":`, a.Provenance.EditorURL)
	}
	return append(dst, '}', '}')
}

// size estimates the length of AppendJSON's result, in bytes.
func (a *Response) size() int {
	size := 1024 + len(a.Output.Value) + len(a.Output.Value)/4
	for _, o := range a.Outputs {
		size += 128 + len(o.Value) + len(o.Value)/4
	}
	return size
}

func appendArtifact(dst []byte, a convert.Artifact) []byte {
	dst = member(dst, `{"mediaType":`, a.MediaType)
	dst = member(dst, `,"value":`, a.Value)
	return append(dst, '}')
}

func member(dst []byte, head, value string) []byte {
	return jsondoc.AppendString(append(dst, head...), value)
}

func comma(dst []byte, i int) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return dst
}
