package verify

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// listed is a tool as agents see it.
type listed struct {
	Name, Title, Description  string
	InputSchema, OutputSchema *openapi3.Schema
	Annotations               map[string]bool
}

// hints are what every tool says of itself (MCP-11).
var hints = map[string]bool{"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}

// compareTools holds the result of tools/list to the names that the case has,
// no more and no fewer, each with its annotations and with the schemas that the
// description has for its operation.
func (r *runner) compareTools(names []string, result json.RawMessage) (wrong []string) {
	if names == nil {
		return nil
	}
	report := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	var list struct{ Tools []listed }
	if err := json.Unmarshal(result, &list); err != nil {
		return []string{"tools: the list cannot be read: " + err.Error()}
	}
	seen := map[string]bool{}
	for _, tool := range list.Tools {
		if seen[tool.Name] {
			report("tools: %s stands twice", tool.Name)
		}
		seen[tool.Name] = true
		switch {
		case !slices.Contains(names, tool.Name):
			if !r.laterMinor() {
				report("tools: %s is too many", tool.Name)
			}
		case tool.Description == "" || tool.InputSchema == nil || tool.OutputSchema == nil:
			report("tools: %s has no description, or not both of its schemas", tool.Name)
		default:
			wrong = append(wrong, r.compareTool(tool)...)
		}
	}
	for _, name := range names {
		if !seen[name] {
			report("tools: %s is missing", name)
		}
	}
	return wrong
}

func (r *runner) compareTool(tool listed) (wrong []string) {
	report := func(format string, args ...any) {
		wrong = append(wrong, "tools: "+tool.Name+fmt.Sprintf(format, args...))
	}
	for _, name := range slices.Sorted(maps.Keys(hints)) {
		if hint, has := tool.Annotations[name]; !has || hint != hints[name] {
			report(".annotations.%s: want %v", name, hints[name])
		}
	}
	for _, path := range r.description.Paths.InMatchingOrder() {
		post := r.description.Paths.Value(path).Post
		if post == nil || post.OperationID != tool.Name || post.RequestBody == nil || post.RequestBody.Value == nil {
			continue
		}
		if body := post.RequestBody.Value.Content["application/json"]; body != nil && body.Schema != nil {
			compareSchemas(report, ".inputSchema", body.Schema.Value, tool.InputSchema)
		}
	}
	for _, name := range []string{"output", "provenance", "warnings"} {
		if !slices.Contains(tool.OutputSchema.Required, name) || tool.OutputSchema.Properties[name] == nil {
			report(".outputSchema: want %s required", name)
		}
	}
	return wrong
}

// compareSchemas holds what agents are told that a call may have to what the
// description says; lengths may be left out, and a union's members are not
// looked into.
func compareSchemas(report func(string, ...any), at string, want, got *openapi3.Schema) {
	if want == nil || got == nil || want.OneOf != nil {
		return
	}
	if !want.Type.Permits("object") {
		compareScalars(report, at, want, got)
		return
	}
	if !got.Type.Is("object") {
		report("%s.type: want object", at)
	}
	if has := want.AdditionalProperties.Has; has != nil && !*has && (got.AdditionalProperties.Has == nil || *got.AdditionalProperties.Has) {
		report("%s.additionalProperties: want false", at)
	}
	x, y := slices.Sorted(slices.Values(want.Required)), slices.Sorted(slices.Values(got.Required))
	if !slices.Equal(x, y) {
		report("%s.required: want %q, got %q", at, x, y)
	}
	a, b := slices.Sorted(maps.Keys(want.Properties)), slices.Sorted(maps.Keys(got.Properties))
	if !slices.Equal(a, b) {
		report("%s.properties: want %q, got %q", at, a, b)
		return
	}
	for _, name := range a {
		compareSchemas(report, at+"."+name, want.Properties[name].Value, got.Properties[name].Value)
	}
}

func compareScalars(report func(string, ...any), at string, want, got *openapi3.Schema) {
	x, y := slices.Sorted(slices.Values(texts(want.Enum))), slices.Sorted(slices.Values(texts(got.Enum)))
	if want.Enum != nil && !slices.Equal(x, y) && !(len(y) == 0 && strings.HasSuffix(at, ".mediaType")) {
		report("%s.enum: want %q, got %q", at, x, y)
	}
	if want.Type.Slice() != nil && !slices.Equal(want.Type.Slice(), got.Type.Slice()) {
		report("%s.type: want %v, got %v", at, want.Type.Slice(), got.Type.Slice())
	}
	for _, bound := range []struct {
		name      string
		want, got *float64
	}{{"minimum", want.Min, got.Min}, {"maximum", want.Max, got.Max}} {
		if bound.want != nil && (bound.got == nil || *bound.got != *bound.want) {
			report("%s.%s: want %v", at, bound.name, *bound.want)
		}
	}
}

func texts(values []any) (list []string) {
	for _, v := range values {
		list = append(list, fmt.Sprint(v))
	}
	return list
}
