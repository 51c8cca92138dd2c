package contract

import (
	"errors"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/convertd/convertd/internal/convert"
)

// violation says in our words why a body breaks the schema. The validator's
// own text is not used: it holds the value. What is said here comes from the
// schema (names, ranges, lists of values) and from the pointer, which the
// validator makes of members that the document defines and of indexes.
func (c *Contract) violation(operation string, err error) *convert.Failure {
	broken := deepest(err)
	if broken == nil {
		return convert.Refuse(convert.SchemaViolation,
			"The body does not have the shape that the description asks for.",
			"Compare the body with the description of the operation.").InBody("")
	}
	path := pointer(broken.JSONPointer())
	field, schema := broken.SchemaField, broken.Schema
	if _, text := broken.Value.(string); field == "enum" && !text && schema.Type.Is("string") {
		field = "type" // the validator looks at the list of values first
	}
	if tool := c.Tool(operation); tool != nil && path == "/input/mediaType" && field == "enum" {
		return tool.MediaTypeRefused()
	}
	failure := func(hint string, detail string, args ...any) *convert.Failure {
		f := &convert.Failure{Code: convert.SchemaViolation, Detail: fmt.Sprintf(detail, args...), Hint: hint}
		return f.InBody(path)
	}
	switch field {
	case "required":
		name := path[strings.LastIndexByte(path, '/')+1:]
		return failure("Add "+member(schema, name, shapeDepth)+".", "The member %s is missing.", name)
	case "properties":
		return failure("Send "+wholeShape(schema)+" with no other members; names are case-sensitive.",
			"An unknown member stands here; allowed: %s.", members(schema))
	case "discriminator":
		return failure("Name one of the tools, spelt as in the description.",
			"The step's tool is missing or unknown; the tools are %s.", c.toolNames()).InBody(path + "/tool")
	case "enum":
		return failure("Send one of the allowed values, spelt exactly so.",
			"The value is not one of those allowed: %s.", values(schema.Enum))
	case "type", "nullable":
		if _, isText := broken.Value.(string); schema.Type.Is("string") && !isText {
			return failure("Send a string at this path; JSON goes into it as text, with its quotes escaped.",
				"The value is of the wrong type; it must be %s.", article(schema))
		}
		return failure(rightType(schema), "The value is of the wrong type; it must be %s.", article(schema))
	case "minimum":
		return failure(inRange(schema), "The number is too small; at least %g is allowed.", *schema.Min)
	case "maximum":
		return failure(inRange(schema), "The number is too large; at most %g is allowed.", *schema.Max)
	case "minItems":
		return failure("Add items to the list: "+shape(schema, shapeDepth)+".",
			"The list has too few items; the minimum is %d.", schema.MinItems)
	case "maxItems":
		return failure("Send fewer items; split the work into several calls.",
			"The list has too many items; the maximum is %d.", *schema.MaxItems)
	case "maxLength":
		return failure("Send a shorter text.", "The text is too long; at most %d characters are allowed.", *schema.MaxLength)
	case "pattern":
		return failure("Use only the characters and the length that the pattern allows.",
			"The text does not match the pattern %s.", schema.Pattern)
	case "uniqueItems":
		return failure("Name each item once.", "An item stands twice in the list.")
	}
	return failure("Compare the body at this path with the description of the operation.",
		"The value does not have the shape that the description asks for.")
}

// deepest follows the causes of an error to the first schema error that is
// not merely "none of the alternatives fits".
func deepest(err error) *openapi3.SchemaError {
	var found *openapi3.SchemaError
	for err != nil {
		var next *openapi3.SchemaError
		if !errors.As(err, &next) {
			break
		}
		found, err = next, next.Origin
		if next.SchemaField == "discriminator" {
			break
		}
	}
	return found
}

func pointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		b.WriteString(token)
	}
	return b.String()
}

// members lists an object's properties, the required ones first.
func members(s *openapi3.Schema) string {
	if len(s.Properties) == 0 {
		return "none"
	}
	return list(memberNames(s))
}

func (c *Contract) toolNames() string {
	names := make([]string, len(c.tools))
	for i, t := range c.tools {
		names[i] = t.Name
	}
	return list(names)
}

func values(enum []any) string {
	texts := make([]string, len(enum))
	for i, v := range enum {
		texts[i] = fmt.Sprint(v)
	}
	return list(texts)
}

func list(words []string) string { return strings.Join(words, ", ") }

// inRange is the hint for a number out of its range, which the document gives
// for every number (loadOptions).
func inRange(s *openapi3.Schema) string {
	if s.Min == nil || s.Max == nil {
		return "Send a number within the range that the description gives for this member."
	}
	return fmt.Sprintf("Send a number from %g to %g.", *s.Min, *s.Max)
}

// rightType is the hint for a value of the wrong type: what one of the right
// type looks like, where its type alone does not say so.
func rightType(s *openapi3.Schema) string {
	switch {
	case s.Type == nil, s.Type.Is("object") && len(s.Required) > 0, s.Type.Is("array"):
		return "Send " + shape(s, shapeDepth) + " at this path."
	case s.Type.Is("object"):
		return "Send an object at this path, such as " + wholeShape(s) + "."
	case s.Type.Is("integer") && s.Min != nil && s.Max != nil:
		return fmt.Sprintf("Send an integer from %g to %g at this path, without quotes.", *s.Min, *s.Max)
	}
	return "Send " + article(s) + " at this path."
}

// article is a schema's type with its article.
func article(s *openapi3.Schema) string {
	switch {
	case s.Type == nil || s.Type.Is("object"):
		return "an object"
	case s.Type.Is("array"), s.Type.Is("integer"):
		return "an " + (*s.Type)[0]
	}
	return "a " + (*s.Type)[0]
}
