package collection

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// SchemaURL is info.schema of a v2.1 collection.
const SchemaURL = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

// Untitled is the name of a collection without a title.
const Untitled = "Requests"

// versionParts are the members of Postman's version object.
var versionParts = []string{"major", "minor", "patch"}

// Version returns a version, which is a string or Postman's object, as a string.
func Version(version *tree.Value) string {
	if text, ok := version.Scalar(); ok {
		return text
	}
	var parts []string
	for _, name := range versionParts {
		if text, ok := version.Get(name).Scalar(); ok {
			parts = append(parts, text)
		}
	}
	text := strings.Join(parts, ".")
	if identifier := version.Get("identifier").Text(); identifier != "" {
		text += "-" + identifier
	}
	return text
}

// SecretType is a variable type that Postman writes although its schema doesn't list it.
const SecretType = "secret"

// ScalarTypes are the types of attributes that have scalars as values.
var ScalarTypes = map[tree.Kind]string{
	tree.String: "string", tree.True: "boolean", tree.False: "boolean", tree.Number: "number",
}

// IsNumber reports whether text is a decimal number without a sign or a leading zero.
func IsNumber(text string) bool {
	return words.IsNumber(text) && (text == "0" || text[0] != '0')
}

// Compact returns a value as JSON, truncated at a length that no source reaches.
func Compact(v *tree.Value) string {
	text, err := v.AppendJSON(nil, 1<<22)
	if err != nil {
		return ""
	}
	return string(text)
}

// Description returns a description, which may be an object, as a string.
func Description(v *tree.Value) string {
	d := v.Get("description")
	return cmp.Or(d.Text(), d.Get("content").Text())
}

// ValueText returns a value as a string: a string's content, "" for null, JSON for arrays and objects.
func ValueText(v *tree.Value) string {
	if text, ok := v.Scalar(); ok {
		return text
	}
	if v.Len() == 0 {
		return ""
	}
	return Compact(v)
}

func Variable(name, value string) *tree.Value {
	return tree.NewObject().
		Set("key", tree.NewString(name)).
		Set("value", tree.NewString(value)).
		Set("type", tree.NewString("string"))
}

// Joined joins two strings with a separator, unless one of them is empty.
func Joined(a, separator, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + separator + b
}

// ItemParts is the cost of an item, in parts of the budget.
const ItemParts = 16

// ContentType returns the Content-Type header of a saved response.
func ContentType(response *tree.Value) string {
	for _, h := range response.Get("header").Elements() {
		if strings.EqualFold(h.Get("key").Text(), "Content-Type") {
			return h.Get("value").Text()
		}
	}
	return ""
}

// WithMediaType returns the name of a saved response with its media type, which distinguishes it from others of
// the same name.
func WithMediaType(name, mediaType string) string {
	return strings.TrimSpace(name + " (" + mediaType + ")")
}

// WithoutMediaType reverses WithMediaType.
func WithoutMediaType(name, mediaType string) string {
	return strings.TrimSpace(strings.TrimSuffix(name, "("+mediaType+")"))
}
