package verify

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/schema"
)

// listed is a tool of tools/list.
type listed struct {
	Name, Title, Description  string
	InputSchema, OutputSchema map[string]any
	Annotations               map[string]bool
}

// hints are the annotations of every tool (MCP-11).
var hints = map[string]bool{"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}

// compareTools checks that tools/list has exactly the tools of the built-in OpenAPI
// document, each with its annotations and the schemas of its operation.
func (r *runner) compareTools(result json.RawMessage) (wrong faults) {
	names := toolNames()
	var list struct{ Tools []listed }
	if err := json.Unmarshal(result, &list); err != nil {
		return []string{"tools: the list cannot be parsed: " + err.Error()}
	}
	seen := map[string]bool{}
	for _, tool := range list.Tools {
		if seen[tool.Name] {
			wrong.add("tools: %s appears twice", tool.Name)
		}
		seen[tool.Name] = true
		switch {
		case !slices.Contains(names, tool.Name):
			if !r.laterMinor() {
				wrong.add("tools: %s is unexpected", tool.Name)
			}
		case tool.Description == "" || tool.InputSchema == nil || tool.OutputSchema == nil:
			wrong.add("tools: %s has no description, or not both of its schemas", tool.Name)
		default:
			wrong = append(wrong, r.compareTool(tool)...)
		}
	}
	for _, name := range names {
		if !seen[name] {
			wrong.add("tools: %s is missing", name)
		}
	}
	return wrong
}

func (r *runner) compareTool(tool listed) (wrong faults) {
	at := "tools: " + tool.Name
	for _, name := range slices.Sorted(maps.Keys(hints)) {
		if hint, has := tool.Annotations[name]; !has || hint != hints[name] {
			wrong.add("%s.annotations.%s: want %v", at, name, hints[name])
		}
	}
	input, err := schema.NewReader(tool.InputSchema).Read(tool.InputSchema)
	output, errOutput := schema.NewReader(tool.OutputSchema).Read(tool.OutputSchema)
	if err != nil || errOutput != nil {
		wrong.add("%s: a schema cannot be read", at)
		return wrong
	}
	d := r.description
	_, operation := d.operation(tool.Name)
	if request, err := d.schema(d.object(operation, "requestBody", "content", "application/json")["schema"]); err == nil {
		wrong.compareSchemas(at+".inputSchema", request, input, 0)
	}
	for _, name := range []string{"output", "provenance", "warnings"} {
		if !slices.Contains(output.Required, name) || output.Property(name) == nil {
			wrong.add("%s.outputSchema: want %s required", at, name)
		}
	}
	return wrong
}

// maxDepth limits the comparison of schemas that refer to each other.
const maxDepth = 32

// compareSchemas compares a schema of tools/list with that of the OpenAPI document.
// Lengths may be missing, and the members of a union are not compared.
func (f *faults) compareSchemas(at string, want, got *schema.Schema, depth int) {
	if want.OneOf != nil || depth > maxDepth {
		return
	}
	if want.Type != "" && want.Type != "object" {
		f.compareScalars(at, want, got)
		return
	}
	if got.Type != "object" {
		f.add("%s.type: want object", at)
	}
	if want.Closed && !got.Closed {
		f.add("%s.additionalProperties: want false", at)
	}
	x, y := slices.Sorted(slices.Values(want.Required)), slices.Sorted(slices.Values(got.Required))
	if !slices.Equal(x, y) {
		f.add("%s.required: want %q, got %q", at, x, y)
	}
	a, b := propertyNames(want), propertyNames(got)
	if !slices.Equal(a, b) {
		f.add("%s.properties: want %q, got %q", at, a, b)
		return
	}
	for _, name := range a {
		f.compareSchemas(at+"."+name, want.Property(name), got.Property(name), depth+1)
	}
}

// propertyNames returns the names of an object's properties, sorted.
func propertyNames(s *schema.Schema) (names []string) {
	for _, p := range s.Properties {
		names = append(names, p.Name)
	}
	return names
}

func (f *faults) compareScalars(at string, want, got *schema.Schema) {
	x, y := slices.Sorted(slices.Values(texts(want.Enum))), slices.Sorted(slices.Values(texts(got.Enum)))
	if want.Enum != nil && !slices.Equal(x, y) && !(len(y) == 0 && strings.HasSuffix(at, ".mediaType")) {
		f.add("%s.enum: want %q, got %q", at, x, y)
	}
	if want.Type != got.Type {
		f.add("%s.type: want %s, got %s", at, want.Type, got.Type)
	}
	if want.Range != nil && (got.Range == nil || *got.Range != *want.Range) {
		f.add("%s: want %v to %v", at, want.Range.Min, want.Range.Max)
	}
}

func texts(values []any) (list []string) {
	for _, v := range values {
		list = append(list, fmt.Sprint(v))
	}
	return list
}
