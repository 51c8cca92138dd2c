// Package documenttest provides tests of documents with JSON input and output, independent validators, and the codes of
// warnings.
package documenttest

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Parse returns the JSON value in text.
func Parse(tb testing.TB, text string) *tree.Value {
	tb.Helper()
	return check.Value(tree.ReadJSON(text, nil))(tb).Root
}

// Write returns a value as JSON, or "" for nil.
func Write(tb testing.TB, v *tree.Value) string {
	tb.Helper()
	if v == nil {
		return ""
	}
	return string(check.Value(v.AppendJSON(nil, 64<<20))(tb))
}

// At returns the values at the JSON Pointers that are the keys of want, as JSON. A missing value is "".
func At(tb testing.TB, root *tree.Value, want map[string]string) map[string]string {
	tb.Helper()
	got := map[string]string{}
	for pointer := range want {
		got[pointer] = Write(tb, root.Pointer(pointer))
	}
	return got
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

// Validate returns why kin-openapi rejects an OpenAPI document, or nil.
func Validate(tb testing.TB, root *tree.Value) error {
	tb.Helper()
	doc, err := openapi3.NewLoader().LoadFromData([]byte(Write(tb, root)))
	if err != nil {
		return err
	}
	return doc.Validate(tb.Context())
}

// Codes returns the codes of warnings.
func Codes(list *warning.List) []string {
	var codes []string
	for _, text := range list.Strings() {
		code, _, _ := strings.Cut(text, ":")
		codes = append(codes, code)
	}
	return codes
}
