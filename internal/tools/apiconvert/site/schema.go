package site

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Schema emits the sites of a JSON Schema. Its values have the role and name of as. An example that may no longer
// match the schema is removed.
func (w *Walk) Schema(v *tree.Value, as Site) {
	if v.Kind() != tree.Object || !w.first(v) {
		return
	}
	var unfit []string
	for member, value := range v.Members() {
		switch member {
		case "example", "default", "const":
			if w.replaced(value, valueOf(v, member, as)) && Constrained(v) {
				unfit = append(unfit, member)
			}
		case "examples":
			w.Value(value, valueOf(v, member, as))
		case "enum":
			if w.enum(value, valueOf(v, member, as)) {
				unfit = append(unfit, member)
			}
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			for of, schema := range value.Members() {
				w.Schema(schema, Site{Role: Field, Name: of})
			}
			w.Names(value)
		case "description", "title", "$comment":
			w.Text(value, Site{Role: Prose, Described: true})
		default:
			w.schemaMember(member, value, as)
		}
	}
	for _, member := range unfit {
		v.Delete(member)
	}
}

// valueOf returns the site of a schema's value under a keyword.
func valueOf(schema *tree.Value, keyword string, as Site) Site {
	as.Described = true
	switch {
	case schema.Get("format").Text() == "password":
		as.Role = Credential
	case as.Role == Field && (keyword == "default" || keyword == "const" || keyword == "enum"):
		as.Role = Choice
	}
	return as
}

// enum emits the values of an enumeration and reports whether its only value was replaced. A value can be recognized
// as a secret by its name only if it is the only one, which is how OpenAPI 3.0 writes const.
func (w *Walk) enum(list *tree.Value, as Site) bool {
	if list.Len() == 1 && w.replaced(list.Element(0), as) {
		return true
	}
	w.Value(list, Site{Role: Choice, Described: true})
	return false
}

func (w *Walk) schemaMember(member string, value *tree.Value, as Site) {
	switch {
	case strings.HasPrefix(member, "x-"):
		w.Value(value, Site{Role: Field, Name: member, Described: true})
	case value.Kind() == tree.Object:
		w.Schema(value, as)
	case value.Kind() == tree.Array:
		for _, schema := range value.Elements() {
			w.Schema(schema, as)
		}
	}
}

// replaced emits a value and reports whether the value itself was replaced.
func (w *Walk) replaced(v *tree.Value, as Site) bool {
	before, ok := v.Scalar()
	w.Value(v, as)
	after, _ := v.Scalar()
	return ok && before != after
}

// Replaced emits the value of an example next to its schema and reports whether the example may no longer match the
// schema.
func (w *Walk) Replaced(v, schema *tree.Value, as Site) bool {
	return w.replaced(v, as) && Constrained(schema)
}

// Constrained reports whether a schema may reject a placeholder.
func Constrained(schema *tree.Value) bool {
	if format := schema.Get("format").Text(); format != "" && format != "password" {
		return true
	}
	for _, keyword := range []string{"pattern", "enum", "const", "minLength", "maxLength", "$ref", "allOf", "anyOf", "oneOf"} {
		if schema.Has(keyword) {
			return true
		}
	}
	return false
}
