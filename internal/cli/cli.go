// Package cli is what the command line is made of: it reads inputs, converts them in this process or on a server,
// writes outputs, and explains problems to a person at a terminal. It parses no flags; cmd/convertd does.
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

// Request is what to do with each input. Nothing has checked it yet.
type Request struct {
	Operation string // a tool's name, or contract.Pipeline
	Path      string // the operation's route
	// Body is the request body as contract.Bind takes it, without its input: numbers are json.Number, lists are []any.
	Body map[string]any
}

// with returns the request body for an input.
func (r Request) with(input convert.Artifact) map[string]any {
	body := maps.Clone(r.Body)
	body["input"] = map[string]any{"mediaType": input.MediaType, "value": input.Value}
	return body
}

// Result is the result of a conversion.
type Result struct {
	// Output is the output, or the part of it that has not been written yet.
	Output   convert.Artifact
	Warnings []string
	JSON     func() []byte // returns the response body; Output must be whole
}

// Converter runs a request on inputs: Local in this process, Remote on a server. Convert may write the beginning of the
// output to out, unless out is nil; the result has the rest. Its error is a *Problem if the request was refused.
type Converter interface {
	Convert(ctx context.Context, input convert.Artifact, out io.Writer) (Result, error)
}

// Problem is a problem document: why a request was refused.
type Problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"` // HTTP status, even if no server is involved
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Hint   string `json:"hint"`
	Path   string `json:"path"` // JSON Pointer into the request body, or ""
	Step   string `json:"step"` // the pipeline's step, or ""

	JSON []byte `json:"-"` // the document itself

	// RetryAfter is how long to wait before trying again, in seconds; 0 if the server does not say.
	RetryAfter int `json:"-"`
}

func (p *Problem) Error() string { return p.Title + " (" + p.Code + "): " + p.Detail }

// Temporary reports whether the same request may succeed later.
func (p *Problem) Temporary() bool {
	switch p.Status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// Option returns the name of the option that a problem of a single tool is about, "" if it is about something else.
func (p *Problem) Option() string {
	name, found := strings.CutPrefix(p.Path, "/options/")
	if !found {
		return ""
	}
	return name
}

// hinted returns the problem with a hint for the command line.
func (p *Problem) hinted(hint string) *Problem {
	return &Problem{p.Title, p.Status, p.Code, p.Detail, hint, p.Path, p.Step, p.JSON, p.RetryAfter}
}

// decodeProblem parses a problem document. A person at a shell doesn't need to read whether to retry: the exit code says it.
func decodeProblem(body []byte) (*Problem, error) {
	p := &Problem{JSON: body}
	if err := json.Unmarshal(body, p); err != nil || p.Code == "" || p.Title == "" {
		return nil, fmt.Errorf("not a problem document")
	}
	return p.hinted(strings.TrimSuffix(p.Hint, contract.DoNotRetry)), nil
}

// byExtension maps file name extensions to media types.
var byExtension = map[string]string{
	".json": "application/json",
	".har":  "application/json",
	".yaml": "application/yaml",
	".yml":  "application/yaml",
	".jwt":  "application/jwt",
	".txt":  "text/plain",
	".sh":   "text/plain",
	".bash": "text/plain",
	".ps1":  "text/plain",
	".cmd":  "text/plain",
	".bat":  "text/plain",
	".curl": "text/plain",
}

// MediaType returns the media type of an input: given, else the only one that the tool accepts, else that of the file's
// extension (YAML that holds commands is plain text all the same), else what recognize, unless it is nil, makes of the
// text. Otherwise it fails and asks for --media-type.
func MediaType(t *contract.Tool, given, file, text string, recognize func(string) string) (string, error) {
	if given != "" {
		return given, nil
	}
	if len(t.Accepts) == 1 {
		return t.Accepts[0], nil
	}
	if guess := byExtension[strings.ToLower(filepath.Ext(file))]; guess != "" && t.Accept(guess) {
		if guess == "application/yaml" && recognize != nil && recognize(text) == "text/plain" {
			return "text/plain", nil // a CI workflow, whose commands the tool reads
		}
		return guess, nil
	}
	if recognize != nil {
		return recognize(text), nil
	}
	return "", fmt.Errorf("%s accepts %s, and the extension of %s does not say which one it is; add --media-type TYPE",
		t.Name, strings.Join(t.Accepts, ", "), Shown(file))
}

// NameFor returns the name of an output file: the input's, with the extension of the output's media type in place of a
// known one. Text that api_convert produces is a shell script.
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

// Terminal reports whether a stream is a terminal.
func Terminal(stream any) bool { return terminal(stream) != nil }

// Columns returns the width of a terminal within reasonable bounds, and 80 for anything else.
func Columns(stream any) int {
	if file := terminal(stream); file != nil {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil && columns > 0 {
			return min(max(columns, 40), 100)
		}
	}
	return 80
}

// ColorTerminal reports whether a stream is a terminal that shows colors. On Windows, it first turns them on.
func ColorTerminal(stream any) bool {
	file := terminal(stream)
	return file != nil && showsColors(file)
}

// terminal returns the terminal that a stream is, or nil.
func terminal(stream any) *os.File {
	if shown, ok := stream.(printable.Writer); ok {
		stream = shown.To
	}
	if file, ok := stream.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}
