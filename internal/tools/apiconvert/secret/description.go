package secret

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Description replaces the secrets in the tree of an API description of
// version 3.0 or 3.1, in place, by <redacted>: in examples, defaults,
// enumerations, descriptions, server addresses and extensions. An example
// that its schema would not allow any more is removed.
func (r *Redactor) Description(root *tree.Value) {
	r.fixed = true
	r.described(root, "")
	s := r.swept()
	sweepValues(root, map[*tree.Value]bool{}, func(text string) string {
		return s.sweep(text, func(*found, bool) string { return redacted })
	})
}

// described goes over an object that the format defines, or one whose names
// are the author's. name is the header, parameter or variable it describes.
func (r *Redactor) described(v *tree.Value, name string) {
	if v.Kind() != tree.Object {
		return
	}
	r.budget.Pass(0)
	if text := v.Get("name").Text(); text != "" && v.Has("in") {
		if name = text; v.Get("in").Text() == "cookie" {
			name += " cookie" // a secret by its place
		}
	}
	var unfit []string
	for member, value := range v.Members() {
		switch member {
		case "$ref", "openapi", "operationId", "operationRef", "in", "type", "pattern", "jsonSchemaDialect":
		case "schema", "itemSchema":
			r.schema(value, name)
		case "schemas":
			for of, s := range value.Members() {
				r.schema(s, of)
			}
		case "example", "default", "value", "dataValue", "serializedValue":
			if r.replaced(value, name) && constrained(v.Get("schema")) && member == "example" {
				unfit = append(unfit, member)
			}
		case "examples":
			r.examples(value, name)
		case "headers", "variables":
			for of, part := range value.Members() {
				r.described(part, of)
			}
		case "parameters":
			r.parameters(value)
		default:
			r.describedMember(member, value, name)
		}
	}
	for _, member := range unfit {
		v.Delete(member)
	}
	if !v.Has("in") {
		r.rename(v)
	}
}

func (r *Redactor) describedMember(member string, value *tree.Value, name string) {
	if strings.HasPrefix(member, "x-") {
		r.tree(value, member, anywhere)
		return
	}
	switch value.Kind() {
	case tree.String:
		text := value.Text()
		clean := r.prose(text)
		if member == "url" || strings.HasSuffix(member, "Url") {
			clean = r.address(text)
		}
		if clean != text {
			value.Become(tree.NewString(clean))
		}
	case tree.Object:
		r.described(value, name)
	case tree.Array:
		for _, element := range value.Elements() {
			if element.Kind() == tree.Object {
				r.described(element, name)
			} else {
				r.describedMember(member, element, name)
			}
		}
	}
}

// parameters goes over a list of parameters, or components by their names.
func (r *Redactor) parameters(v *tree.Value) {
	for _, p := range v.Elements() {
		r.described(p, "")
	}
	for of, p := range v.Members() {
		if p.Kind() == tree.Object {
			r.described(p, of)
		} else { // a Link's
			r.tree(p, of, anywhere)
		}
	}
}

// examples goes over a schema's list of values, or named Example Objects.
func (r *Redactor) examples(v *tree.Value, name string) {
	r.eachTree(v.Elements(), name)
	for _, example := range v.Members() {
		r.described(example, name)
	}
}

func (r *Redactor) eachTree(values []*tree.Value, name string) {
	for _, value := range values {
		r.tree(value, name, anywhere)
	}
}

// replaced replaces the secrets in a value and reports whether the value
// itself was one.
func (r *Redactor) replaced(v *tree.Value, name string) bool {
	before, ok := v.Scalar()
	r.tree(v, name, anywhere)
	after, _ := v.Scalar()
	return ok && before != after
}

// schema replaces the secrets in a schema that describes something called
// name.
func (r *Redactor) schema(v *tree.Value, name string) {
	if v.Kind() != tree.Object || r.walked[v] {
		return
	}
	r.walked[v] = true
	if v.Get("format").Text() == "password" {
		name += " password"
	}
	var unfit []string
	for member, value := range v.Members() {
		switch member {
		case "example", "default", "const":
			if r.replaced(value, name) && constrained(v) {
				unfit = append(unfit, member)
			}
		case "examples":
			r.examples(value, name)
		case "enum":
			if value.Len() == 1 && r.replaced(value.Elements()[0], name) { // 3.0's const
				unfit = append(unfit, member)
			}
			r.eachTree(value.Elements(), "")
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			for of, s := range value.Members() {
				r.schema(s, of)
			}
			r.rename(value)
		case "description", "title", "$comment":
			if clean := r.prose(value.Text()); clean != value.Text() {
				value.Become(tree.NewString(clean))
			}
		default:
			r.schemaMember(member, value, name)
		}
	}
	for _, member := range unfit {
		v.Delete(member)
	}
}

func (r *Redactor) schemaMember(member string, value *tree.Value, name string) {
	switch {
	case strings.HasPrefix(member, "x-"):
		r.tree(value, member, anywhere)
	case value.Kind() == tree.Object:
		r.schema(value, name)
	case value.Kind() == tree.Array:
		for _, s := range value.Elements() {
			r.schema(s, name)
		}
	}
}

// constrained reports whether a schema may not allow <redacted>.
func constrained(schema *tree.Value) bool {
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
