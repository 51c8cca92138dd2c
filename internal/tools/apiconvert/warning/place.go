package warning

import (
	"slices"
	"strconv"
	"strings"
)

// fixed is a text written in our source. The type is not exported, so that
// outside this package only an untyped constant converts to it: a place or a
// sentence made from a source's bytes does not compile.
type fixed string

// Place names a part of the source by its structure: members that the format
// defines by their name, everything the source's author named by its position
// among its siblings, counted from 0. paths[3].get.parameters[1] is in the
// fourth path; a place shows no byte of the source, so no secret either.
//
// A Place is a chain of its parents and costs one small allocation per step;
// its text is made when a warning needs it. The nil Place is the whole source.
type Place struct {
	parent *Place
	name   string // "" for a position
	index  int    // defined for a name that the format defines
}

// defined is the index of a place whose name needs no look at the vocabulary.
const defined = -1

// Field is the part of p under a name that the format defines.
func (p *Place) Field(name fixed) *Place {
	return &Place{parent: p, name: string(name), index: defined}
}

// Index is the part of p at a position: an array's element, or the member of
// an object whose names are the author's.
func (p *Place) Index(i int) *Place {
	return &Place{parent: p, index: i}
}

// Member is the part of p that is the member of an object at a position. It
// goes by its name if a format defines it (get, properties, x-… do not) and by
// its position otherwise, which String finds out: most places are never shown.
// Use it where the source decides which of the two a name is.
func (p *Place) Member(name string, position int) *Place {
	return &Place{parent: p, name: name, index: position}
}

// shown is the name that a step goes by, "" when it goes by its position.
func (p *Place) shown() string {
	if p.index != defined {
		if _, known := slices.BinarySearch(vocabulary, p.name); !known {
			return ""
		}
	}
	return p.name
}

// vocabulary holds, sorted, the names that a Member may be shown by.
var vocabulary = []string{
	"$comment", "$defs", "$dynamicRef", "$self", "$vocabulary", "additionalOperations", "additionalProperties",
	"allOf", "allowEmptyValue", "anyOf", "auth", "basePath", "body", "callbacks", "collectionFormat", "components",
	"connect", "const", "consumes", "contact", "contains", "content", "contentEncoding", "contentMediaType",
	"contentSchema", "cookie", "dataValue", "default", "defaultMapping", "definitions", "delete",
	"dependentRequired", "dependentSchemas", "deprecated", "description", "deviceAuthorization", "discriminator",
	"else", "encoding", "enum", "event", "example", "examples", "exclusiveMaximum", "exclusiveMinimum", "explode",
	"externalDocs", "flows", "format", "get", "head", "header", "headers", "host", "identifier", "if", "in",
	"info", "item", "itemEncoding", "itemSchema", "items", "jsonSchemaDialect", "kind", "license", "links",
	"maxContains", "mediaTypes", "minContains", "name", "nodeType", "not", "nullable", "oauth2MetadataUrl",
	"operationId", "options", "parameters", "parent", "patch", "pathItems", "paths", "patternProperties", "post",
	"prefixEncoding", "prefixItems", "produces", "properties", "propertyNames", "put", "query", "readOnly",
	"request", "requestBodies", "requestBody", "response", "responses", "schema", "schemas", "schemes", "scopes",
	"security", "securityDefinitions", "securitySchemes", "serializedValue", "servers", "style", "summary", "tags",
	"then", "title", "trace", "type", "unevaluatedItems", "unevaluatedProperties", "url", "variable", "variables",
	"version", "webhooks", "writeOnly", "xml",
}

// maxSteps is how many steps of a place are shown; of a longer one the middle
// is left out.
const maxSteps = 16

// String returns the place as paths[3].get.parameters[1], "the source" for
// the nil Place.
func (p *Place) String() string {
	if p == nil {
		return "the source"
	}
	var steps []*Place
	for at := p; at != nil; at = at.parent {
		steps = append(steps, at)
	}
	slices.Reverse(steps)
	var b strings.Builder
	for i, step := range steps {
		if i == maxSteps/2 && len(steps) > maxSteps {
			b.WriteString(".…")
		}
		if i >= maxSteps/2 && i < len(steps)-maxSteps/2 && len(steps) > maxSteps {
			continue
		}
		switch name := step.shown(); {
		case name == "":
			b.WriteString("[" + strconv.Itoa(step.index) + "]")
		case i == 0:
			b.WriteString(name)
		default:
			b.WriteString("." + name)
		}
	}
	return b.String()
}
