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

// withExamples adds cases from the examples of the built-in OpenAPI document for what
// no case is about yet: an operation over REST, a tool call over MCP that succeeds and
// one that fails, and a problem code. A new tool is verified without a case of its own.
func withExamples(cases []Case) []Case {
	path := "/input" // of what is missing in a call without arguments
	type trial struct {
		tool, revision string
		failed         bool
	}
	paths, codes, tried := map[string]bool{}, map[string]bool{}, map[trial]bool{}
	var revisions []string
	for _, c := range cases {
		paths[c.Request.Path], codes[c.Response.Code] = true, true
		if m := c.Request.MCP; m != nil {
			tool, _ := m.Params["name"].(string)
			tried[trial{tool, c.revision, c.Response.MCP.IsError != nil && *c.Response.MCP.IsError}] = true
			if m.Method == "tools/list" && c.Response.Status == http.StatusOK && !slices.Contains(revisions, c.revision) {
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
		for _, revision := range revisions {
			for _, failed := range []bool{false, true} {
				if tried[trial{operation.tool, revision, failed}] {
					continue
				}
				c := Case{
					Name: "mcp " + operation.tool + " with the example of the OpenAPI document", Rule: "MCP-3: arguments are the REST body, the result is the REST response",
					Request:   Request{MCP: &Message{Method: "tools/call", Params: map[string]any{"name": operation.tool, "arguments": operation.request}}},
					Response:  Expected{Status: http.StatusOK, Output: operation.output, MCP: Agents{IsError: &failed}},
					Revisions: []string{revision},
				}
				if failed {
					c.Name, c.Rule = "mcp "+operation.tool+" rejects a call without arguments", "MCP-4: invalid arguments are a rejected call"
					c.Request.MCP.Params = map[string]any{"name": operation.tool, "arguments": map[string]any{}}
					c.Response.Output, c.Response.Code, c.Response.Path = nil, "schema_violation", &path
				}
				cases = append(cases, c.inRevisions()...)
			}
		}
	}
	return append(cases, wrongRequests(codes)...)
}

// wrongRequests returns a case for each problem code that is not in codes and whose
// wrong request in the OpenAPI document is complete, not an outline.
func wrongRequests(codes map[string]bool) (cases []Case) {
	var document struct {
		Components struct {
			Examples map[string]struct {
				Value struct {
					Path *string
					Step string
				}
			}
			Schemas struct {
				ProblemCode struct {
					Problems []struct {
						Code   string
						Status int
					} `json:"x-problems"`
					Examples map[string]struct{ Wrong string } `json:"x-problem-examples"`
				}
			}
		}
	}
	if err := json.Unmarshal(builtin.JSON, &document); err != nil {
		panic(err) // it is built in and tested
	}
	for _, problem := range document.Components.Schemas.ProblemCode.Problems {
		wrong := document.Components.Schemas.ProblemCode.Examples[problem.Code].Wrong
		head, body, complete := strings.Cut(wrong, "\n\n")
		line, _, _ := strings.Cut(head, "\n")
		path, isPost := strings.CutPrefix(line, "POST ")
		if codes[problem.Code] || !complete || !isPost || strings.Contains(wrong, "…") {
			continue
		}
		documented := document.Components.Examples[problem.Code].Value
		cases = append(cases, Case{
			Name: problem.Code + " for the wrong request of the OpenAPI document", Rule: "ERR-2: each code has its status",
			Request:  Request{Path: path, Body: body},
			Response: Expected{Status: problem.Status, Code: problem.Code, Path: documented.Path, Step: documented.Step},
		})
	}
	return cases
}
