// Package verify holds a deployment of the service to the contract: it sends
// the requests of the cases and compares the answers with them and with the
// description that the deployment serves. It is gentle enough for production:
// one request at a time, within the rate limit that the answers tell.
package verify

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed cases/*.yaml
var embedded embed.FS

// Builtin returns the contract's own cases, one file for each of its parts.
func Builtin() fs.FS {
	cases, err := fs.Sub(embedded, "cases")
	if err != nil {
		panic(err) // the name is a constant
	}
	return cases
}

// Case is one request and what it must be answered with; the README of
// the folder cases says what each member means.
type Case struct {
	Name    string
	Rule    string
	Needs   string // of "slow", "exhaust" and "direct", with spaces between
	Twice   bool   // sent twice, the answers must be the same bytes
	Request Request
	Answer  Expected

	Revisions []string // of MCP, in each of which the case is run
	revision  string   // the one of them that this is for
}

// Request is what a case sends.
type Request struct {
	Method  string
	Path    string
	Headers map[string]string
	JSON    any
	Body    any
	Chunked bool
	Stall   bool
	Until   int
	MCP     *Message
}

// Expected is what a case must be answered with.
type Expected struct {
	Status   int
	Headers  map[string]string
	Output   *artifact
	Length   *int
	Outputs  map[string]artifact
	Steps    []stepRun
	Warnings []string
	Recipe   string
	Code     string
	Path     *string
	Step     string
	Secret   string
	MCP      Agents

	Place    string            // of the problem in its text, "line L, column C"
	Matches  map[string]string // expressions that response headers match
	Type     string            // the Content-Type of a page
	Text     *string           // the whole of a page
	Contains []string          // texts in a page
	Document *document
}

// document is a part of the description that must be the built-in one's.
type document struct {
	At   []string // JSON Pointers, "" is the whole
	But  []string // JSON Pointers below them that other cases are about
	YAML bool     // the source is the same document as its JSON
}

// isPage reports whether the answer is read by people or machines that know
// nothing of calls.
func (e Expected) isPage() bool { return e.Type != "" || e.Status == http.StatusNoContent }

type artifact struct {
	MediaType string `yaml:"mediaType" json:"mediaType"`
	Value     string `yaml:"value" json:"value"`
}

type stepRun struct {
	ID   string `yaml:"id" json:"id"`
	Tool string `yaml:"tool" json:"tool"`
}

// Load reads the cases of all YAML files in a file system, in the order of
// their names. It refuses unknown members and names that are not unique.
func Load(files fs.FS) ([]Case, error) {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, err
	}
	var cases []Case
	seen := map[string]bool{}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		var list []Case
		reader := yaml.NewDecoder(bytes.NewReader(text))
		reader.KnownFields(true)
		if err := reader.Decode(&list); err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, given := range list {
			for _, c := range given.inRevisions() {
				if c.Name == "" || c.Rule == "" || seen[c.Name] || c.Answer.Document == nil && (c.Answer.Status == 0 || c.Request.Path == "") {
					return nil, fmt.Errorf("%s: the case %q has no name of its own, no rule, no path or no status", name, c.Name)
				}
				seen[c.Name] = true
				cases = append(cases, c)
			}
		}
	}
	return cases, nil
}

// body returns the bytes that the case sends.
func (r Request) body() (string, error) {
	if r.JSON == nil {
		text, _ := expand(r.Body).(string)
		return text, nil
	}
	text, err := json.Marshal(expand(r.JSON))
	return string(text), err
}

// expand replaces {repeat, times} by the text that it stands for.
func expand(value any) any {
	switch value := value.(type) {
	case map[string]any:
		if text, ok := value["repeat"].(string); ok {
			before, _ := value["before"].(string)
			after, _ := value["after"].(string)
			var times int
			_, _ = fmt.Sscan(fmt.Sprint(value["times"]), &times)
			return before + strings.Repeat(text, times) + after
		}
		expanded := make(map[string]any, len(value))
		for name, member := range value {
			expanded[name] = expand(member)
		}
		return expanded
	case []any:
		expanded := make([]any, len(value))
		for i, item := range value {
			expanded[i] = expand(item)
		}
		return expanded
	}
	return value
}
