// Package jsonschematest checks values against JSON Schemas in tests.
package jsonschematest

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Parse returns the JSON value in text.
func Parse(tb testing.TB, text string) *tree.Value {
	tb.Helper()
	doc, err := tree.ReadJSON(text, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return doc.Root
}

// Write returns a value as JSON, or "" for nil.
func Write(tb testing.TB, v *tree.Value) string {
	tb.Helper()
	if v == nil {
		return ""
	}
	text, err := v.AppendJSON(nil, 8<<20)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// Fits reports whether a JSON Schema validator accepts a value.
func Fits(schemaText, valueText string) (bool, error) {
	compiler := jsonschema.NewCompiler()
	s, err := jsonschema.UnmarshalJSON(strings.NewReader(schemaText))
	if err != nil {
		return false, err
	}
	if err := compiler.AddResource("schema.json", s); err != nil {
		return false, err
	}
	compiled, err := compiler.Compile("schema.json")
	if err != nil {
		return false, err
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(valueText))
	if err != nil {
		return false, err
	}
	return compiled.Validate(v) == nil, nil
}
