package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// described holds an answer to the description that the deployment serves.
// For a path that it does not have, the answer is one of any operation.
func (r *runner) described(c Request, got received) (wrong []string) {
	report := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	item := r.description.Paths.Value(c.Path)
	if item == nil || item.Post == nil {
		for _, path := range r.description.Paths.InMatchingOrder() {
			if other := r.description.Paths.Value(path); other.Post != nil {
				item = other
				break
			}
		}
	}
	if item == nil || item.Post == nil {
		return []string{"the description has no operation"}
	}
	response := item.Post.Responses.Status(got.status)
	if response == nil || response.Value == nil {
		return []string{fmt.Sprintf("the description has no status %d for it", got.status)}
	}
	for name, header := range response.Value.Headers {
		value := got.header.Get(name)
		switch {
		case value == "" && header.Value.Required:
			report("the header %s is missing", name)
		case value != "" && header.Value.Schema != nil && header.Value.Schema.Value.VisitJSON(value) != nil:
			report("the header %s breaks the description", name)
		}
	}
	mediaType, _, err := mime.ParseMediaType(got.header.Get("Content-Type"))
	content := response.Value.Content[mediaType]
	if err != nil || content == nil {
		report("the Content-Type %q is not described", got.header.Get("Content-Type"))
		return wrong
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(got.body))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		report("the body is not JSON: %v", err)
	} else if err := content.Schema.Value.VisitJSON(value); err != nil {
		report("the body breaks the description: %v", err)
	}
	return wrong
}

// answer is any answer of the service, a result or a problem.
type answer struct {
	Output     artifact            `json:"output"`
	Outputs    map[string]artifact `json:"outputs"`
	Steps      []stepRun           `json:"steps"`
	Warnings   []string            `json:"warnings"`
	Provenance struct {
		EditorURL string `json:"editorUrl"`
	} `json:"provenance"`

	Type   string  `json:"type"`
	Status int     `json:"status"`
	Code   string  `json:"code"`
	Path   *string `json:"path"`
	Step   string  `json:"step"`
}

// compare holds an answer to what the case says.
func (e Expected) compare(got received) (wrong []string) {
	report := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if got.status != e.Status {
		report("status: want %d, got %d: %s", e.Status, got.status, beginning(got.body))
		return wrong
	}
	wrong = append(wrong, e.compareHead(got)...)
	var a answer
	if err := json.Unmarshal(got.body, &a); err != nil {
		return append(wrong, "the body is not an answer: "+err.Error())
	}
	if got.status == http.StatusOK {
		return append(wrong, e.compareResult(a)...)
	}
	if a.Code != e.Code {
		report("code: want %s, got %s", e.Code, a.Code)
	}
	if a.Status != got.status {
		report("the body's status is %d, the HTTP status %d", a.Status, got.status)
	}
	if !strings.HasSuffix(a.Type, "/problems/"+a.Code) {
		report("type %q does not end in the code", a.Type)
	}
	differ(report, "path", e.Path, a.Path)
	differ(report, "step", e.Step, a.Step)
	return wrong
}

// compareHead holds an answer's headers to what the case says, and looks for
// what must not be in it.
func (e Expected) compareHead(got received) (wrong []string) {
	report := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
		if value := got.header.Get(name); value != e.Headers[name] {
			report("header %s: want %q, got %q", name, e.Headers[name], value)
		}
	}
	if e.Secret != "" && bytes.Contains(got.body, []byte(e.Secret)) {
		report("the answer repeats %q of the request", e.Secret)
	}
	return wrong
}

// compareResult holds a result to what the case says.
func (e Expected) compareResult(a answer) (wrong []string) {
	report := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if e.Output != nil {
		differ(report, "output", *e.Output, a.Output)
	}
	if length := utf8.RuneCountInString(a.Output.Value); e.Length != nil && length != *e.Length {
		report("output.value: want %d code points, got %d", *e.Length, length)
	}
	differ(report, "outputs", e.Outputs, a.Outputs)
	differ(report, "steps", e.Steps, a.Steps)
	var codes []string
	for _, warning := range a.Warnings {
		codes = append(codes, warningCode(warning, e.Steps != nil))
	}
	differ(report, "warnings", e.Warnings, codes)
	if !strings.HasSuffix(a.Provenance.EditorURL, e.Recipe) || !strings.Contains(a.Provenance.EditorURL, "/editor#r=1&s=") {
		report("editorUrl: want the recipe %q, got %q", e.Recipe, a.Provenance.EditorURL)
	}
	return wrong
}

// warningCode is what stands before the warning's text: its code, in a
// pipeline behind the step's id.
func warningCode(warning string, pipeline bool) string {
	parts := strings.SplitN(warning, ": ", 3)
	if pipeline && len(parts) == 3 {
		return parts[0] + ": " + parts[1]
	}
	return parts[0]
}

func differ(report func(string, ...any), what string, want, got any) {
	if diff := cmp.Diff(want, got); diff != "" {
		report("%s (-want +got):\n%s", what, strings.TrimSpace(diff))
	}
}

// beginning is enough of a body to see what it is.
func beginning(body []byte) string {
	const enough = 300
	if len(body) > enough {
		return string(body[:enough]) + "…"
	}
	return string(body)
}
