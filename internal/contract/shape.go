package contract

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// shapeDepth is how many levels of members a shape shows; below them an object
// is {…}.
const shapeDepth = 2

// shape shows what a schema asks for, as JSON with "…" for any text, so that
// who sent something else can copy it: {"mediaType": "application/json",
// "value": "…"}. It is made from the document alone. Of several allowed values
// it shows the first, of a union the first alternative, of an object the
// members that it must have.
func shape(s *openapi3.Schema, depth int) string {
	switch {
	case s == nil:
		return "…"
	case len(s.OneOf) > 0:
		return shape(s.OneOf[0].Value, depth)
	case len(s.Enum) > 0:
		if text, ok := s.Enum[0].(string); ok {
			return strconv.Quote(text)
		}
		return fmt.Sprint(s.Enum[0])
	case s.Type.Is("array"):
		return "[" + shape(s.Items.Value, depth) + "]"
	case s.Type.Is("string"):
		return `"…"`
	case s.Type.Is("integer"), s.Type.Is("number"):
		return example(s)
	case s.Type.Is("boolean"):
		return "true"
	}
	return object(s, s.Required, depth)
}

// wholeShape is shape with all the members that an object may have, those that
// it must have first.
func wholeShape(s *openapi3.Schema) string {
	return object(s, memberNames(s), shapeDepth)
}

func object(s *openapi3.Schema, names []string, depth int) string {
	switch {
	case len(s.Properties) == 0:
		return "{}"
	case len(names) == 0, depth == 0:
		return "{…}"
	}
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = member(s, name, depth-1)
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// member shows one member of an object.
func member(s *openapi3.Schema, name string, depth int) string {
	var of *openapi3.Schema
	if property := s.Properties[name]; property != nil {
		of = property.Value
	}
	return strconv.Quote(name) + ": " + shape(of, depth)
}

// example is a number that the schema allows, its default where it has one.
func example(s *openapi3.Schema) string {
	switch {
	case s.Default != nil:
		return fmt.Sprint(s.Default)
	case s.Min != nil:
		return strconv.FormatFloat(*s.Min, 'f', -1, 64)
	}
	return "1"
}

// memberNames are the names of an object's members, the required ones first.
func memberNames(s *openapi3.Schema) []string {
	names := slices.Clone(s.Required)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(s.Required, name) {
			names = append(names, name)
		}
	}
	return names
}
