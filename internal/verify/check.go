package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// described checks a response against the OpenAPI document that the deployment
// serves. For an unknown path, any operation's responses are allowed.
func (r *runner) described(c Request, got received) (wrong faults) {
	d := r.description
	operation := d.at(c.Path)
	if operation == nil {
		return []string{"the OpenAPI document has no operation"}
	}
	if got.status/100 == 3 {
		wrong.add("the response is a redirect to %q", got.header.Get("Location"))
	}
	response := d.object(operation, "responses", strconv.Itoa(got.status))
	if len(response) == 0 {
		wrong.add("the OpenAPI document has no status %d for it", got.status)
		return wrong
	}
	for name, value := range d.object(response, "headers") {
		header, sent := d.object(value), got.header.Get(name)
		if sent == "" && header["required"] == true {
			wrong.add("the header %s is missing", name)
		}
		if s, err := d.schema(header["schema"]); sent != "" && (err != nil || s.Check(sent) != nil) {
			wrong.add("the header %s does not match the OpenAPI document", name)
		}
	}
	mediaType, _, err := mime.ParseMediaType(got.header.Get("Content-Type"))
	content := d.object(response, "content")[mediaType]
	if err != nil || content == nil {
		wrong.add("the Content-Type %q is not in the OpenAPI document", got.header.Get("Content-Type"))
		return wrong
	}
	s, err := d.schema(d.object(content)["schema"])
	if err != nil {
		wrong.add("the OpenAPI document has an invalid schema for it: %v", err)
		return wrong
	}
	if value, err := decodeJSON(got.body); err != nil {
		wrong.add("the body is not JSON: %v", err)
	} else if broken := s.Check(value); broken != nil {
		wrong.add("the body does not match the OpenAPI document: %s at %q", broken.Keyword, broken.Pointer())
	}
	return wrong
}

// responseBody is the body of a response, a result or a problem document.
type responseBody struct {
	Output     artifact            `json:"output"`
	Outputs    map[string]artifact `json:"outputs"`
	Steps      []stepRun           `json:"steps"`
	Warnings   []string            `json:"warnings"`
	Provenance provenance          `json:"provenance"`

	Type   string  `json:"type"`
	Title  string  `json:"title"`
	Detail string  `json:"detail"`
	Hint   string  `json:"hint"`
	Status int     `json:"status"`
	Code   string  `json:"code"`
	Path   *string `json:"path"`
	Step   string  `json:"step"`
}

// compareResponse compares a response, a result or a problem document, with what the case expects.
func (r *runner) compareResponse(c Case, got received) (wrong faults) {
	e := c.Response
	if got.status != e.Status {
		wrong.add("status: want %d, got %d: %s", e.Status, got.status, beginning(got.body))
		return wrong
	}
	wrong = append(wrong, e.compareHead(got)...)
	var a responseBody
	if err := json.Unmarshal(got.body, &a); err != nil {
		return append(wrong, "the body is not a result or a problem: "+err.Error())
	}
	if got.status == http.StatusOK {
		wrong = append(wrong, r.checkProvenance(path.Base(c.Request.Path), a.Provenance)...)
		link, bad := r.checkLink("provenance.editorUrl", a.Provenance.EditorURL)
		wrong = append(wrong, bad...)
		if bad == nil && (!strings.HasPrefix(link, "/editor#r=1&s=") || !strings.HasSuffix(link, e.Recipe)) {
			wrong.add("provenance.editorUrl: want the recipe %q, got %q", e.Recipe, link)
		}
		return append(wrong, e.compareResult(a)...)
	}
	return append(wrong, r.compareProblem(e, got, a)...)
}

// compareProblem compares a problem document with what the case expects, and with
// what the OpenAPI document says about its code.
func (r *runner) compareProblem(e Expected, got received, a responseBody) (wrong faults) {
	if a.Code != e.Code {
		wrong.add("code: want %s, got %s", e.Code, a.Code)
	}
	if a.Status != got.status {
		wrong.add("the body's status is %d, the HTTP status %d", a.Status, got.status)
	}
	if link, bad := r.checkLink("type", a.Type); bad != nil {
		wrong = append(wrong, bad...)
	} else if link != "/problems/"+a.Code {
		wrong.add("type %q does not end in the code", a.Type)
	}
	if title := r.description.title(a.Code); title != "" && a.Title != title {
		wrong.add("title: want %q, got %q", title, a.Title)
	}
	if a.Detail == "" || a.Hint == "" {
		wrong.add("detail or hint: it is empty")
	}
	if e.Place != "" && !strings.HasSuffix(a.Detail, "("+e.Place+")") {
		wrong.add("detail: want the position %q at its end, got %q", e.Place, a.Detail)
	}
	wrong.differ("path", e.Path, a.Path)
	wrong.differ("step", e.Step, a.Step)
	return wrong
}

// compareHead compares a response's headers with what the case expects, and looks for what must not be in the response.
func (e Expected) compareHead(got received) (wrong faults) {
	for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
		if value := got.header.Get(name); value != strings.ReplaceAll(e.Headers[name], "{origin}", got.origin) {
			wrong.add("header %s: want %q, got %q", name, e.Headers[name], value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Matches)) {
		if ok, err := regexp.MatchString(e.Matches[name], got.header.Get(name)); err != nil || !ok {
			wrong.add("header %s: want a match of %s, got %q", name, e.Matches[name], got.header.Get(name))
		}
	}
	if e.Secret != "" && bytes.Contains(got.body, []byte(e.Secret)) {
		wrong.add("the response repeats %q of the request", e.Secret)
	}
	return wrong
}

// compareResult compares a result with what the case expects.
func (e Expected) compareResult(a responseBody) (wrong faults) {
	if e.Output != nil {
		wrong.differ("output", *e.Output, a.Output)
	}
	if length := utf8.RuneCountInString(a.Output.Value); e.Length != nil && length != *e.Length {
		wrong.add("output.value: want %d code points, got %d", *e.Length, length)
	}
	wrong.differ("outputs", e.Outputs, a.Outputs)
	wrong.differ("steps", e.Steps, a.Steps)
	var codes []string
	for _, warning := range a.Warnings {
		codes = append(codes, warningCode(warning, e.Steps != nil))
		if !warningLine().MatchString(warning) {
			wrong.add("warnings: want a code, a colon and a sentence on one line, got %q", warning)
		}
	}
	wrong.differ("warnings", e.Warnings, codes)
	return wrong
}

// warningLine matches a warning, which may begin with a step's id.
var warningLine = lazily(`^([A-Za-z0-9_-]{1,64}: )?[a-z][a-z0-9_.]*: [^\r\n]*$`)

// comparePage compares a page with what the case expects.
func (e Expected) comparePage(got received) (wrong faults) {
	if got.status != e.Status {
		return []string{fmt.Sprintf("status: want %d, got %d: %s", e.Status, got.status, beginning(got.body))}
	}
	if mediaType := got.header.Get("Content-Type"); mediaType != e.Type {
		wrong.add("header Content-Type: want %q, got %q", e.Type, mediaType)
	}
	if e.Text != nil && string(got.body) != *e.Text {
		wrong.add("body: want %q, got %q", *e.Text, beginning(got.body))
	}
	for _, text := range e.Contains {
		if !bytes.Contains(got.body, []byte(text)) {
			wrong.add("body: want %q in it, got %s", text, beginning(got.body))
		}
	}
	return append(wrong, e.compareHead(got)...)
}

// warningCode returns what comes before a warning's text: its code, after the step's id in a pipeline.
func warningCode(warning string, pipeline bool) string {
	parts := strings.SplitN(warning, ": ", 3)
	if pipeline && len(parts) == 3 {
		return parts[0] + ": " + parts[1]
	}
	return parts[0]
}

// faults says what is wrong with a response.
type faults []string

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// differ adds two different values as JSON, from where they begin to differ.
func (f *faults) differ(name string, want, got any) {
	if reflect.DeepEqual(want, got) {
		return
	}
	x, _ := json.Marshal(want)
	y, _ := json.Marshal(got)
	f.add("%s: want and got differ: %s", name, firstDifference(x, y))
}

// beginning returns enough of a body to recognize it.
func beginning(body []byte) string {
	const enough = 300
	if len(body) > enough {
		return string(body[:enough]) + "…"
	}
	return string(body)
}
