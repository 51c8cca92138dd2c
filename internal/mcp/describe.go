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
	input, err := json.Marshal(inline(doc, jsonBody(operation["requestBody"]), true))
	if err != nil {
		return nil, err
	}
	output, err := json.Marshal(inline(doc, jsonBody(success), false))
	if err != nil {
		return nil, err
	}
	no := false
	tool := &sdk.Tool{
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
	}
	if media := operation["x-service-media-types"]; media != nil {
		tool.Meta = sdk.Meta{"x-service-media-types": media}
	}
	return tool, nil
}

// kept are the members of a schema that mean the same in OpenAPI 3.0 and in
// JSON Schema 2020-12 and that agents use.
var kept = map[string]bool{
	"type": true, "properties": true, "required": true, "additionalProperties": true, "items": true, "oneOf": true,
	"enum": true, "default": true, "minimum": true, "maximum": true, "minItems": true, "maxItems": true,
	"uniqueItems": true, "minLength": true, "maxLength": true, "pattern": true, "description": true,
}

// inline returns a schema with its references replaced by what they name.
// Descriptions cost every client context, so answers go without.
func inline(doc map[string]any, schema any, descriptions bool) any {
	object, ok := schema.(map[string]any)
	if !ok {
		return schema
	}
	if ref, ok := object["$ref"].(string); ok {
		target := any(doc)
		for _, name := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			target = target.(map[string]any)[name]
		}
		return inline(doc, target, descriptions)
	}
	out := map[string]any{}
	for name, value := range object {
		switch {
		case !kept[name] || name == "description" && !descriptions:
		case name == "properties":
			properties := map[string]any{}
			for property, schema := range value.(map[string]any) {
				properties[property] = inline(doc, schema, descriptions)
			}
			out[name] = properties
		case name == "items" || name == "additionalProperties":
			out[name] = inline(doc, value, descriptions)
		case name == "oneOf":
			var alternatives []any
			for _, schema := range value.([]any) {
				alternatives = append(alternatives, inline(doc, schema, descriptions))
			}
			out[name] = alternatives
		default:
			out[name] = value
		}
	}
	return out
}
