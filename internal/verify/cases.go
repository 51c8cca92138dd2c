// Package verify tests a deployment of the service against the contract: it sends the requests of the cases and
// compares the responses with what the cases expect and with the OpenAPI document that the deployment serves. It is
// safe for production: it sends one request at a time and stays within the rate limit that the responses report.
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

// Builtin returns the built-in cases: those of the files, one for each part of the
// contract, and those made of the OpenAPI document's examples.
func Builtin() ([]Case, error) {
	files, err := fs.Sub(embedded, "cases")
	if err != nil {
		return nil, err
	}
	cases, err := Load(files)
	return withExamples(cases), err
}

// Case is one request and the response that it must have; the README of the folder cases describes the members.
type Case struct {
	Name     string
	Rule     string
	Needs    string // some of "slow", "exhaust" and "direct", separated by spaces
	Twice    bool   // sent twice; the responses must be the same bytes
	Request  Request
	Response Expected

	Revisions []string // the revisions of MCP that the case is run in
	revision  string   // the one that this is for
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

// Expected is the response that a case must have.
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

	Place    string            // the position in the problem's detail, "line L, column C"
	Matches  map[string]string // expressions that match response headers
	Type     string            // the Content-Type of a page
	Text     *string           // a whole page
	Contains []string          // texts in a page
	Document *document
}

// document is a part of the OpenAPI document that must equal the built-in one.
type document struct {
	At   []string // JSON Pointers, "" is the whole
	But  []string // JSON Pointers below them that other cases are about
	YAML bool     // the source is the same document as its JSON
}

// isPage reports whether the response is a page rather than that of a call.
func (e Expected) isPage() bool { return e.Type != "" || e.Status == http.StatusNoContent }

type artifact struct {
	MediaType string `yaml:"mediaType" json:"mediaType"`
	Value     string `yaml:"value" json:"value"`
}

type stepRun struct {
	ID   string `yaml:"id" json:"id"`
	Tool string `yaml:"tool" json:"tool"`
}

// Load reads the cases of all YAML files in a file system, in the order of their
// names. It rejects unknown members and repeated names.
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
				if c.Name == "" || c.Rule == "" || seen[c.Name] || c.Response.Document == nil && (c.Response.Status == 0 || c.Request.Path == "") {
					return nil, fmt.Errorf("%s: the case %q lacks a unique name, rule, path or status", name, c.Name)
				}
				seen[c.Name] = true
				cases = append(cases, c)
			}
		}
	}
	return cases, nil
}

func (r Request) body() (string, error) {
	if r.JSON == nil {
		text, _ := expand(r.Body).(string)
		return text, nil
	}
	text, err := json.Marshal(expand(r.JSON))
	return string(text), err
}

// expand replaces objects of the form {repeat, times} with the text that they mean.
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
