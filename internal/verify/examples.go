package verify

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	builtin "github.com/convertd/convertd/gen/document"
)

// example is an operation with its first example in the built-in OpenAPI document.
type example struct {
	tool, path string
	request    any
	output     *artifact // nil if the example of the response is another one
}

// operations returns the POST operations of the built-in OpenAPI document, sorted by path.
func operations() (all []example) {
	d, err := readDescription(builtin.JSON)
	if err != nil {
		panic(err) // it is built in and tested
	}
	for path, post := range d.operations {
		one := example{path: path}
		one.tool, _ = post["operationId"].(string)
		name, request := d.firstExample(post["requestBody"])
		one.request = request
		if of, result := d.firstExample(d.object(post, "responses", "200")); of == name {
			output := d.object(result, "output")
			one.output = &artifact{MediaType: fmt.Sprint(output["mediaType"]), Value: fmt.Sprint(output["value"])}
		}
		all = append(all, one)
	}
	return all
}

// firstExample returns the only example of a JSON body, or the first by name. A lint requires that each body has one.
func (d *description) firstExample(body any) (name string, value any) {
	content := d.object(body, "content", "application/json")
	if value, ok := content["example"]; ok {
		return "", value
	}
	for _, name := range slices.Sorted(maps.Keys(d.object(content, "examples"))) {
		return name, d.object(content, "examples", name)["value"]
	}
	return "", nil
}

// toolNames returns the names of the tools that tools/list has.
func toolNames() (names []string) {
	for _, operation := range operations() {
		names = append(names, operation.tool)
	}
	return names
}

// withExamples adds cases from the examples of the built-in OpenAPI document: a call of each operation that has no case over
// REST, and two of each that has no case over MCP, one that succeeds and one that fails. A new tool is verified without a
// case of its own.
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
		call := func(arguments any) Request {
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
