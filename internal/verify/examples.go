package verify

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	builtin "github.com/convertd/convertd/gen/document"
)

// example is an operation with its first example in the built-in OpenAPI document.
type example struct {
	tool, path string
	request    map[string]any
	output     *artifact
}

// media is the part of a body that has its examples.
type media struct {
	Content map[string]struct {
		Example  json.RawMessage
		Examples map[string]struct{ Value json.RawMessage }
	}
}

// first decodes the only example of a JSON body, or the first by name, into v.
func (m media) first(v any) (name string) {
	body := m.Content["application/json"]
	text := body.Example
	for key, example := range body.Examples {
		if name == "" || key < name {
			name, text = key, example.Value
		}
	}
	if err := json.Unmarshal(text, v); err != nil {
		panic(err) // a lint requires that each body has an example
	}
	return name
}

// operations returns the POST operations of the built-in OpenAPI document, sorted by path.
func operations() []example {
	var document struct {
		Paths map[string]struct {
			Post *struct {
				OperationID string `json:"operationId"`
				RequestBody media  `json:"requestBody"`
				Responses   map[string]media
			}
		}
	}
	if err := json.Unmarshal(builtin.JSON, &document); err != nil {
		panic(err) // it is built in and tested
	}
	var all []example
	for path, item := range document.Paths {
		if item.Post == nil {
			continue
		}
		one := example{tool: item.Post.OperationID, path: path}
		var result struct{ Output artifact }
		if item.Post.RequestBody.first(&one.request) == item.Post.Responses["200"].first(&result) {
			one.output = &result.Output
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b example) int { return strings.Compare(a.path, b.path) })
	return all
}

// toolNames returns the names of the tools that tools/list has.
func toolNames() (names []string) {
	for _, operation := range operations() {
		names = append(names, operation.tool)
	}
	return names
}

// withExamples adds cases from the examples of the built-in OpenAPI document: of an operation for which there is none over
// REST, and of one for which there is none over MCP, a call that succeeds and one that fails. A new tool is verified
// without a case of its own.
func withExamples(cases []Case) []Case {
	paths, tools := map[string]bool{}, map[string]bool{}
	var revisions []string
	for _, c := range cases {
		paths[c.Request.Path] = true
		if m := c.Request.MCP; m != nil {
			tool, _ := m.Params["name"].(string)
			tools[tool] = true
			if m.Method == "tools/list" && c.Response.MCP.Tools && !slices.Contains(revisions, c.revision) {
				revisions = append(revisions, c.revision)
			}
		}
	}
	for _, operation := range operations() {
		if !paths[operation.path] {
			cases = append(cases, Case{
				Name: operation.tool + " converts the example of the OpenAPI document", Rule: "VER-1: the documented request has the documented output",
				Request:  Request{Path: operation.path, JSON: operation.request},
				Response: Expected{Status: http.StatusOK, Output: operation.output},
			})
		}
		if tools[operation.tool] {
			continue
		}
		call := func(arguments map[string]any) Request {
			return Request{MCP: &Message{Method: "tools/call", Params: map[string]any{"name": operation.tool, "arguments": arguments}}}
		}
		no, yes, missing := false, true, "/input"
		for _, c := range []Case{{
			Name: "mcp " + operation.tool + " with the example of the OpenAPI document", Rule: "MCP-3: arguments are the REST body, the result is the REST response",
			Request: call(operation.request), Revisions: revisions,
			Response: Expected{Status: http.StatusOK, Output: operation.output, MCP: Agents{IsError: &no}},
		}, {
			Name: "mcp " + operation.tool + " rejects a call without arguments", Rule: "MCP-4: invalid arguments are a rejected call",
			Request: call(map[string]any{}), Revisions: revisions,
			Response: Expected{Status: http.StatusOK, Code: "schema_violation", Path: &missing, MCP: Agents{IsError: &yes}},
		}} {
			cases = append(cases, c.inRevisions()...)
		}
	}
	return cases
}
