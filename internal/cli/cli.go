// Package cli is the service's front door for a shell: a call in this process
// or against a server, and what a person at a terminal is told of a refusal.
// It parses no flags; that is the command's part.
package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/printable"
)

// Request is what is asked of each input, before anything has checked it.
type Request struct {
	Operation string // a tool's name, or contract.Pipeline
	Path      string // the operation's route
	// Body is the request body of the description as contract.Bind takes it,
	// without its input: numbers are json.Number, lists are []any.
	Body map[string]any
}

// with returns the body of one call.
func (r Request) with(input convert.Artifact) map[string]any {
	body := maps.Clone(r.Body)
	body["input"] = map[string]any{"mediaType": input.MediaType, "value": input.Value}
	return body
}

// Answer is the success of a call.
type Answer struct {
	// Output is the output, or what of it has not been written yet.
	Output   convert.Artifact
	Warnings []string
	JSON     func() []byte // makes the response body as the service gives it; of a whole output
}

// Converter runs a request on inputs: Local in this process, Remote on a
// server. What is written to out, unless it is nil, is the beginning of the
// output; the answer has the rest. An error is a *Problem when the call was
// refused.
type Converter interface {
	Convert(ctx context.Context, input convert.Artifact, out io.Writer) (Answer, error)
}

// Problem is a refusal, the members of the description's problem document.
type Problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"` // HTTP status, also of a call in this process
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Hint   string `json:"hint"`
	Path   string `json:"path"` // JSON Pointer into the request body, or ""
	Step   string `json:"step"` // the pipeline's step, or ""

	JSON []byte `json:"-"` // the problem document as the service gives it

	// RetryAfter is the server's advice when to call again, in seconds; 0 is
	// none.
	RetryAfter int `json:"-"`
}

func (p *Problem) Error() string { return p.Title + " (" + p.Code + "): " + p.Detail }

// Temporary reports whether the same call may succeed later.
func (p *Problem) Temporary() bool {
	switch p.Status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// Option returns the name of the option that a single call's problem is
// about, "" when it is about something else.
func (p *Problem) Option() string {
	name, found := strings.CutPrefix(p.Path, "/options/")
	if !found {
		return ""
	}
	return name
}

// decodeProblem reads a problem document.
func decodeProblem(body []byte) (*Problem, error) {
	p := &Problem{JSON: body}
	if err := json.Unmarshal(body, p); err != nil || p.Code == "" || p.Title == "" {
		return nil, fmt.Errorf("not a problem document")
	}
	return p, nil
}

// byExtension is what a file's name says of its media type.
var byExtension = map[string]string{
	".json": "application/json",
	".yaml": "application/yaml",
	".yml":  "application/yaml",
	".jwt":  "application/jwt",
	".txt":  "text/plain",
	".sh":   "text/plain",
	".curl": "text/plain",
}

// MediaType says what an input is: what was given, else the only media type
// that the tool accepts, else what the file's name says, else what the tool
// recognises in the text (nil when it cannot). An error asks for --media-type.
func MediaType(t *contract.Tool, given, file, text string, recognise func(string) string) (string, error) {
	if given != "" {
		return given, nil
	}
	if len(t.Accepts) == 1 {
		return t.Accepts[0], nil
	}
	if guess := byExtension[strings.ToLower(filepath.Ext(file))]; guess != "" && t.Accept(guess) {
		return guess, nil
	}
	if recognise != nil {
		return recognise(text), nil
	}
	return "", fmt.Errorf("%s accepts %s, and the name of the input does not say which it is: add --media-type=TYPE",
		t.Name, strings.Join(t.Accepts, ", "))
}

// NameFor is the name of the file that an output is written to: that of its
// input, with the extension of what it is instead of one that says what the
// input was. What api_convert gives as text/plain is shell text.
func NameFor(input, mediaType string, tool *contract.Tool) string {
	base := filepath.Base(input)
	if ext := filepath.Ext(base); byExtension[strings.ToLower(ext)] != "" && ext != base {
		base = strings.TrimSuffix(base, ext)
	}
	switch {
	case mediaType == "application/json":
		return base + ".json"
	case mediaType == "application/yaml":
		return base + ".yaml"
	case slices.Contains(tool.Produces, "application/json"):
		return base + ".sh"
	}
	return base + ".txt"
}

// Terminal reports whether a stream is a person's terminal, or ends in one.
func Terminal(stream any) bool {
	if shown, ok := stream.(printable.Writer); ok {
		stream = shown.To
	}
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
