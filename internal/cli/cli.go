// Package cli is the service's front door for a shell: a call in this process
// or against a server, and what a person at a terminal is told of a refusal.
// It parses no flags; that is the command's part.
package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/printable"
)

// Request is one call before anything has checked it.
type Request struct {
	Operation string // a tool's name, or contract.Pipeline
	Path      string // the operation's route
	// Body is the request body of the description as contract.Bind takes it:
	// numbers are json.Number, lists are []any.
	Body map[string]any
}

// Answer is the success of a call.
type Answer struct {
	Output   convert.Artifact
	Warnings []string
	JSON     func() []byte // makes the response body as the service gives it
}

// Converter runs a call: Local in this process, Remote on a server. An error
// is a *Problem when the call was refused.
type Converter interface {
	Convert(ctx context.Context, r Request) (Answer, error)
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

// MediaType says what an input is, without looking into it: what was given,
// else the only media type that the tool accepts, else what the file's name
// says. An error asks for --media-type.
func MediaType(t *contract.Tool, given, file string) (string, error) {
	if given != "" {
		return given, nil
	}
	if len(t.Accepts) == 1 {
		return t.Accepts[0], nil
	}
	if guess := byExtension[strings.ToLower(filepath.Ext(file))]; guess != "" {
		return guess, nil
	}
	return "", fmt.Errorf("%s accepts %s, and the name of the input does not say which it is: add --media-type=TYPE",
		t.Name, strings.Join(t.Accepts, ", "))
}

// Terminal reports whether a stream is a person's terminal, or ends in one.
func Terminal(stream any) bool {
	if shown, ok := stream.(printable.Writer); ok {
		stream = shown.To
	}
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
