package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/convertd/convertd/gen/table"
	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/schema"
	"github.com/convertd/convertd/openapi"
)

// TestGenerated compares the committed files with those that the document generates.
func TestGenerated(t *testing.T) {
	files := check.Value(generate(openapi.YAML))(t)
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("../../gen/document", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is stale (%v); run make generate", name, err)
		}
	}
}

// TestUnsupportedOptions generates from the document with options that the Go package and the command line have no form for.
func TestUnsupportedOptions(t *testing.T) {
	const properties = "description: How json_format formats its output.\n      additionalProperties: false\n      properties:\n"
	for _, option := range []string{"{type: boolean, description: D., default: false}", "{type: string, description: D., enum: [a], default: a}", "{type: string, description: D.}"} {
		document := strings.Replace(string(openapi.YAML), properties, properties+"        other: "+option+"\n", 1)
		if _, err := generate([]byte(document)); err == nil || !strings.Contains(err.Error(), "json_format: option other: an option is ") {
			t.Errorf("%s: %v", option, err)
		}
	}
}

// TestUnsupportedKeywords generates from documents with a keyword that
// internal/schema does not enforce, at three depths of the request.
func TestUnsupportedKeywords(t *testing.T) {
	for keyword, example := range map[string]string{
		"not": "not: {type: string}", "anyOf": "anyOf: [{type: string}]", "multipleOf": "multipleOf: 2",
		"exclusiveMinimum": "minimum: 1, exclusiveMinimum: true", "exclusiveMaximum": "maximum: 1, exclusiveMaximum: true",
		"minProperties": "minProperties: 1", "discriminator": "discriminator: {propertyName: a}", "xml": "xml: {name: a}",
	} {
		for _, schema := range []string{"EXAMPLE", "items: {EXAMPLE}", "properties: {a: {allOf: [{$ref: '#/components/schemas/A'}]}}"} {
			document := strings.ReplaceAll(strings.ReplaceAll(small, "SCHEMA", schema), "EXAMPLE", example)
			if _, err := generate([]byte(document)); err == nil || !strings.Contains(err.Error(), "does not enforce the keyword "+keyword+";") {
				t.Errorf("%s, %s: %v", schema, keyword, err)
			}
		}
	}
	document := strings.ReplaceAll(strings.ReplaceAll(small, "SCHEMA", "EXAMPLE"), "EXAMPLE", "type: object")
	if _, err := generate([]byte(document)); err != nil {
		t.Errorf("without such a keyword: %v", err)
	}
}

const small = `
openapi: 3.0.3
info: {title: t, version: "1"}
paths:
  /a:
    post:
      operationId: a
      requestBody: {content: {application/json: {schema: {SCHEMA}}}}
      responses: {default: {description: d}}
components:
  schemas:
    A: {EXAMPLE}
    ProblemCode: {type: string}
    Warnings: {type: string}
`

// TestSharedEnum generates the Go package for two tools whose options share an enum: its type is declared once.
func TestSharedEnum(t *testing.T) {
	unit := &schema.Schema{Type: "string", Enum: []any{"s", "ms"}}
	options := &schema.Schema{Properties: []schema.Property{{Name: "unit", Schema: unit}}}
	request := &schema.Schema{Properties: []schema.Property{{Name: "options", Schema: options}}}
	source, err := goPackage(&described{
		operations: []table.Operation{
			{ID: "one", Accepts: []string{"text/plain"}, Request: request}, {ID: "two", Accepts: []string{"text/plain"}, Request: request},
		},
		schemas: map[string]*schema.Schema{"#/components/schemas/Unit": unit},
	})
	if n := strings.Count(source, "type Unit string"); err != nil || n != 1 {
		t.Errorf("declared %d times: %v\n%s", n, err, source)
	}
}
