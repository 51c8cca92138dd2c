package mcp

import (
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/internal/contract"
)

// describe makes the list of tools from the document: one for each POST
// operation, in the document's order of tools, the pipeline last.
func describe(c *contract.Contract) ([]*sdk.Tool, error) {
	var doc map[string]any
	if err := json.Unmarshal(document.JSON, &doc); err != nil {
		return nil, err
	}
	operations := map[string]map[string]any{}
	for _, item := range doc["paths"].(map[string]any) {
		if post, ok := item.(map[string]any)["post"].(map[string]any); ok {
			operations[post["operationId"].(string)] = post
		}
	}
	names := []string{}
	for _, tool := range c.Tools() {
		names = append(names, tool.Name)
	}
	var tools []*sdk.Tool
	for _, name := range append(names, contract.Pipeline) {
		tool, err := describeOne(doc, name, operations[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		tools = append(tools, tool)
	}
	return tools, nil
}

func describeOne(doc map[string]any, name string, operation map[string]any) (*sdk.Tool, error) {
	jsonBody := func(body any) any {
		return body.(map[string]any)["content"].(map[string]any)["application/json"].(map[string]any)["schema"]
	}
	success := operation["responses"].(map[string]any)["200"]
	input, err := json.Marshal(schemas{document: doc, descriptions: true}.inline(jsonBody(operation["requestBody"])))
	if err != nil {
		return nil, err
	}
	answer := schemas{document: doc, answers: true}.inline(jsonBody(success)).(map[string]any)
	if name != contract.Pipeline { // only its answers have them
		delete(answer["properties"].(map[string]any), "outputs")
		delete(answer["properties"].(map[string]any), "steps")
	}
	output, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	no := false
	return &sdk.Tool{
		Name:         name,
		Title:        operation["summary"].(string),
		Description:  strings.Join(strings.Fields(operation["description"].(string)), " "),
		InputSchema:  json.RawMessage(input),
		OutputSchema: json.RawMessage(output),
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint:    true,
			DestructiveHint: &no,
			IdempotentHint:  true,
			OpenWorldHint:   &no,
		},
	}, nil
}

// kept are the members of a schema that mean the same in OpenAPI 3.0 and in
// JSON Schema 2020-12 and that an agent needs to call right. Lengths are left
// to the contract, which checks every call anyway.
var kept = map[string]bool{
	"type": true, "properties": true, "required": true, "additionalProperties": true, "items": true, "oneOf": true,
	"enum": true, "default": true, "minimum": true, "maximum": true, "minItems": true, "maxItems": true,
	"uniqueItems": true, "pattern": true,
}

// hasText reports whether a schema is of what goes in and out of a tool, or of
// several by name: a text and its media type.
func hasText(schema map[string]any) bool {
	properties, _ := schema["properties"].(map[string]any)
	_, byName := schema["additionalProperties"].(map[string]any)
	return byName || properties["mediaType"] != nil
}

// schemas inlines schemas of a document. Every client's context pays for each
// word of the list of tools, so three things are said once or not at all:
// descriptions only where a call is put together, the pattern of ids only
// where they are listed, and of answers no more than the names and types of
// their members and what artifacts hold.
type schemas struct {
	document     map[string]any
	descriptions bool
	answers      bool // of results, not of arguments
	loose        bool // neither closed nor complete: the objects inside an answer
}

// inline returns a schema with its references replaced by what they name.
func (s schemas) inline(schema any) any {
	object, ok := schema.(map[string]any)
	if !ok {
		return schema // additionalProperties: false
	}
	if ref, ok := object["$ref"].(string); ok {
		target := any(s.document)
		for _, name := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			target = target.(map[string]any)[name]
		}
		if named := target.(map[string]any); s.loose && named["type"] == "object" && !hasText(named) {
			return map[string]any{"type": "object"}
		}
		return s.inline(target)
	}
	out := map[string]any{}
	for name, value := range object {
		switch {
		case !kept[name] || s.loose && (name == "required" || value == false) || name == "pattern" && !s.descriptions:
		case name == "properties":
			inner := s
			inner.loose = s.answers
			out[name] = inner.members(value.(map[string]any))
		case name == "items" || name == "additionalProperties":
			out[name] = s.inline(value)
		case name == "oneOf":
			out[name] = s.alternatives(value.([]any))
		default:
			out[name] = value
		}
	}
	return out
}

func (s schemas) members(properties map[string]any) map[string]any {
	out := map[string]any{}
	for name, schema := range properties {
		member := s.inline(schema)
		if description, ok := schema.(map[string]any)["description"]; ok && s.descriptions {
			member.(map[string]any)["description"] = description
		}
		out[name] = member
	}
	return out
}

// alternatives go without descriptions: they are the pipeline's steps, whose
// options their own tools describe.
func (s schemas) alternatives(all []any) []any {
	s.descriptions = false
	out := make([]any, len(all))
	for i, schema := range all {
		out[i] = s.inline(schema)
	}
	return out
}
