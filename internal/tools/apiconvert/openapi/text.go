package openapi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// The characters that are not encoded in each part of a URL, in addition to letters, digits, "-._~" and variables.
const (
	InPath        = "!$&'()*+,;=:@/%"
	InQuery       = "!$'()*,;:@/?[]"
	InQueryAsSent = "!$'()*+,;:@/?[]%" // already percent-encoded
	InQueryFree   = "!$&'()*+,;=:@/?[]#"
)

// Encode percent-encodes all characters other than unreserved ones and those in keep.
func Encode(text, keep string) string {
	return request.Encode(text, func(rest string) bool {
		return Unreserved(rest[0]) || strings.IndexByte(keep, rest[0]) >= 0
	})
}

func Unreserved(c byte) bool { return words.IsAlnum(c) || strings.IndexByte("-._~", c) >= 0 }

// ScalarText returns the string for a value within a serialized array or object. OpenAPI defines no serialization for
// a nested array or object, so it is written as JSON.
func ScalarText(v *tree.Value, b *budget.Budget) string {
	text, scalar := v.Scalar()
	if !scalar && v != nil && v.Kind() != tree.Null {
		if line, err := v.AppendJSON(nil, MaxScalarText); err == nil {
			text = string(line)
		}
	}
	b.Text(len(text))
	return text
}

// Paragraphs joins the non-blank texts with blank lines.
func Paragraphs(texts ...string) string {
	texts = slices.DeleteFunc(texts, func(s string) bool { return strings.TrimSpace(s) == "" })
	return strings.Join(texts, "\n\n")
}

// MaxScalarText is the maximum number of bytes of JSON that ScalarText returns.
const MaxScalarText = 1 << 16

// DomainOf returns the registered domain of a URL, taken to be the last two labels of its host.
func DomainOf(address string) string {
	_, host, ok := strings.Cut(address, "://")
	if !ok {
		return ""
	}
	host, _, _ = strings.Cut(host, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	host, _, _ = strings.Cut(strings.ToLower(host), ":")
	labels := strings.Split(host, ".")
	if len(labels) < 2 {
		return ""
	}
	end := labels[len(labels)-1]
	name := labels[len(labels)-2] + "." + end
	if len(end) < 2 || end[0] < 'a' || end[0] > 'z' || strings.ContainsAny(name, "{}%") {
		return ""
	}
	return name
}

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
