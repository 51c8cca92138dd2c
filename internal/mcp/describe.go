package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/internal/contract"
)

// describe builds the list of tools from the document: one for each POST operation in names, in this order.
func describe(c *contract.Contract, names []string) ([]*sdk.Tool, error) {
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
	var tools []*sdk.Tool
	for _, name := range names {
		tool, err := describeOne(c, doc, name, operations[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		tools = append(tools, tool)
	}
	return tools, nil
}

func describeOne(c *contract.Contract, doc map[string]any, name string, operation map[string]any) (*sdk.Tool, error) {
	jsonBody := func(body any) any {
		return body.(map[string]any)["content"].(map[string]any)["application/json"].(map[string]any)["schema"]
	}
	success := operation["responses"].(map[string]any)["200"]
	arguments := schemas{document: doc, descriptions: true}.inline(jsonBody(operation["requestBody"])).(map[string]any)
	if name == contract.Pipeline {
		steps := arguments["properties"].(map[string]any)["steps"].(map[string]any)
		step := steps["items"].(map[string]any)
		step["required"] = []string{"id", "tool"}
		describeStep(c.Tools(), step["properties"].(map[string]any))
	}
	input, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	response := schemas{document: doc, responses: true}.inline(jsonBody(success)).(map[string]any)
	members := response["properties"].(map[string]any)
	if name != contract.Pipeline { // only its responses have them
		delete(members, "outputs")
		delete(members, "steps")
	}
	members["provenance"].(map[string]any)["description"] = "Who made it; editorUrl opens the recipe."
	output, err := json.Marshal(response)
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

// describeStep makes the schema of one tool's step, given by its properties, that of every tool's: which media types each
// takes and produces, and its options. The steps are alternatives in the document. As a single object they take a third of
// the space, and every client supports it. What only one tool accepts is checked by the contract, as always.
func describeStep(tools []contract.Tool, step map[string]any) {
	var names, types []string
	options := map[string]contract.Option{}
	for _, tool := range tools {
		names = append(names, tool.Name)
		types = append(types, tool.Name+": "+strings.Join(tool.Accepts, ", ")+" to "+strings.Join(tool.Produces, ", "))
		for _, option := range tool.Options {
			owner := tool.Name
			if option.Required {
				owner += " (required)"
			}
			option.Description = owner + ": " + option.Description
			if other, has := options[option.Name]; has {
				option.Description = other.Description + " " + option.Description
				option.Minimum, option.Maximum = min(other.Minimum, option.Minimum), max(other.Maximum, option.Maximum)
				option.Enum = slices.Compact(slices.Sorted(slices.Values(slices.Concat(other.Enum, option.Enum))))
			}
			options[option.Name] = option
		}
	}
	described := map[string]any{}
	for name, o := range options {
		if o.Integer {
			described[name] = map[string]any{"type": "integer", "minimum": o.Minimum, "maximum": o.Maximum, "description": o.Description}
		} else {
			described[name] = map[string]any{"type": "string", "enum": o.Enum, "description": o.Description}
		}
	}
	step["tool"] = map[string]any{"type": "string", "enum": names, "description": strings.Join(types, "; ")}
	step["options"] = map[string]any{"type": "object", "properties": described, "additionalProperties": false}
}

// kept are the keywords of a schema that mean the same in OpenAPI 3.0 and in JSON Schema 2020-12 and that an agent
// needs to make a valid call. Length limits are left out; the contract checks them for every call anyway.
var kept = map[string]bool{
	"type": true, "properties": true, "required": true, "additionalProperties": true, "items": true, "oneOf": true,
	"enum": true, "default": true, "minimum": true, "maximum": true, "minItems": true, "maxItems": true,
	"uniqueItems": true, "pattern": true,
}

// hasText reports whether a schema is that of a tool's input or output (a string
// and its media type), or of several by name.
func hasText(schema map[string]any) bool {
	properties, _ := schema["properties"].(map[string]any)
	_, byName := schema["additionalProperties"].(map[string]any)
	return byName || properties["mediaType"] != nil
}

// schemas inlines schemas of a document. Every word of the list of tools takes up space in every client's context, so a
// schema repeats as little as possible: descriptions only for arguments, and for responses only the names and types of
// their properties and the contents of artifacts.
type schemas struct {
	document     map[string]any
	descriptions bool
	responses    bool // for results rather than arguments
	loose        bool // neither closed nor complete: the objects inside a response
}

// inline returns a schema with its references replaced by their targets.
func (s schemas) inline(schema any) any {
	object, ok := schema.(map[string]any)
	if !ok {
		return schema // additionalProperties: false
	}
	if target := s.target(object); target != nil {
		if s.loose && target["type"] == "object" && !hasText(target) {
			return map[string]any{"type": "object"}
		}
		return s.inline(target)
	}
	out := map[string]any{}
	for name, value := range object {
		switch {
		case !kept[name] || s.loose && (name == "required" || value == false) || s.responses && (name == "pattern" || name == "maxItems"):
		case name == "type" && s.responses && object["enum"] != nil:
		case name == "properties":
			inner := s
			inner.loose = s.responses
			out[name] = inner.members(value.(map[string]any))
		case name == "items" || name == "additionalProperties":
			out[name] = s.inline(value)
		case name == "oneOf":
			s.descriptions = false // only steps have alternatives; describeStep describes them
			maps.Copy(out, s.inline(value.([]any)[0]).(map[string]any))
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
		if text := s.description(schema.(map[string]any)); text != "" && s.descriptions {
			member.(map[string]any)["description"] = text
		}
		out[name] = member
	}
	return out
}

// description returns the document's description of a property: its own or, for a
// reference to a string or number, the target's.
func (s schemas) description(member map[string]any) string {
	if text, ok := member["description"].(string); ok {
		return strings.Join(strings.Fields(text), " ")
	}
	if target := s.target(member); target != nil && target["type"] != "object" && target["type"] != "array" {
		return s.description(target)
	}
	return ""
}

// target returns the schema that a reference points to, nil for any other schema.
func (s schemas) target(schema map[string]any) map[string]any {
	ref, ok := schema["$ref"].(string)
	if !ok {
		return nil
	}
	target := any(s.document)
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		target = target.(map[string]any)[name]
	}
	return target.(map[string]any)
}
