package openapi

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Style returns the style of a Parameter, Header or Encoding Object, or standard if it has none, and whether arrays and
// objects are exploded. By default only form and cookie do that (OpenAPI 3.2, section 4.12.2.2).
func Style(of *tree.Value, standard string) (style string, explode bool) {
	style = cmp.Or(of.Get("style").Text(), standard)
	if of.Has("explode") {
		return style, of.Get("explode").Bool()
	}
	return style, style == "form" || style == "cookie"
}

// StandardStyle returns the style that parameters in a location have by default.
func StandardStyle(in string) string {
	if in == "query" || in == "cookie" {
		return "form"
	}
	return "simple"
}

// Joined serializes a value into one string: its elements, or its members as name and value.
func Joined(v *tree.Value, separator, assign string, b *budget.Budget) string {
	if kind := v.Kind(); kind != tree.Array && kind != tree.Object {
		return ScalarText(v, b)
	}
	var parts []string
	for _, element := range v.Elements() {
		parts = append(parts, ScalarText(element, b))
	}
	for name, value := range v.Members() {
		parts = append(parts, name+assign+ScalarText(value, b))
	}
	return strings.Join(parts, separator)
}

// Serialize serializes the value of a parameter in the styles matrix and label (RFC 6570, sections 3.2.7 and 3.2.5), or
// otherwise as in simple (section 3.2.2), into one string.
func Serialize(name string, v *tree.Value, style string, explode bool, b *budget.Budget) string {
	switch {
	case style == "label" && explode:
		return "." + Joined(v, ".", "=", b)
	case style == "label":
		return "." + Joined(v, ",", ",", b)
	case style == "matrix" && explode && v.Kind() == tree.Array:
		return ";" + name + "=" + Joined(v, ";"+name+"=", "", b)
	case style == "matrix" && explode && v.Kind() == tree.Object:
		return ";" + Joined(v, ";", "=", b)
	case style == "matrix":
		if value := Joined(v, ",", ",", b); value != "" {
			return ";" + name + "=" + value
		}
		return ";" + name
	case explode:
		return Joined(v, ",", "=", b)
	}
	return Joined(v, ",", ",", b)
}
