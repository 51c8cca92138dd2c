package contract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/schema"
)

// shapeDepth is how many levels of members a shape shows; deeper objects are shown as {…}.
const shapeDepth = 2

// maxShapeDepth shows all levels of any member.
const maxShapeDepth = 16

// shape shows a valid value as JSON that a client can copy, with "…" for any string: {"mediaType":
// "application/json", "value": "…"}. It uses only the schema. It shows the first of several allowed values, the
// alternative of a union that requires least, and the required members of an object.
func shape(s *schema.Schema, depth int) string {
	switch {
	case s == nil:
		return "…"
	case len(s.OneOf) > 0:
		return shape(slices.MinFunc(s.OneOf, func(a, b *schema.Schema) int { return len(a.Required) - len(b.Required) }), depth)
	case len(s.Enum) > 0:
		if text, ok := s.Enum[0].(string); ok {
			return strconv.Quote(text)
		}
		return fmt.Sprint(s.Enum[0])
	}
	switch s.Type {
	case "array":
		return "[" + shape(s.Items, depth) + "]"
	case "string":
		return `"…"`
	case "integer", "number":
		return example(s)
	case "boolean":
		return "true"
	}
	return object(s, s.Required, depth)
}

// fullShape is like shape but shows all the members of an object, the required ones first.
func fullShape(s *schema.Schema) string {
	return object(s, memberNames(s), shapeDepth)
}

func object(s *schema.Schema, names []string, depth int) string {
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

// member shows one member of an object. A string with a pattern, which is an identifier, is shown as its own name.
func member(s *schema.Schema, name string, depth int) string {
	value := shape(s.Property(name), depth)
	if p := s.Property(name); p != nil && p.Type == "string" && p.Pattern != "" {
		value = strconv.Quote(name)
	}
	return strconv.Quote(name) + ": " + value
}

// example returns a number that the schema allows: its default if it has one.
func example(s *schema.Schema) string {
	switch {
	case s.Default != nil:
		return fmt.Sprint(s.Default)
	case s.Range != nil && s.Range.Min != schema.Least:
		return strconv.FormatFloat(s.Range.Min, 'f', -1, 64)
	}
	return "1"
}

// memberNames returns the names of an object's members, the required ones first.
func memberNames(s *schema.Schema) []string {
	names := slices.Clone(s.Required)
	for _, p := range s.Properties {
		if !slices.Contains(s.Required, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}
