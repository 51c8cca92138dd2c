package contract

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/schema"
)

// violation describes a schema violation. It doesn't use the validator's own message, which contains the value.
// The description only uses the schema (names, ranges, lists of values) and the pointer, which consists of
// members defined by the document and indexes.
func (c *Contract) violation(operation string, broken *schema.Violation) *convert.Failure {
	path, field, of := broken.Pointer(), broken.Keyword, broken.Schema
	text, isText := broken.Value.(string)
	if field == "enum" && !isText && of.Type == "string" {
		field = "type" // the validator checks enum before type
	}
	if tool := c.Tool(operation); tool != nil && path == "/input/mediaType" && field == "enum" {
		longest := c.operations[Pipeline].Property("input").Property("mediaType")
		if utf8.RuneCountInString(text) <= longest.MaxLength {
			return tool.MediaTypeRefused()
		}
		field, of = "maxLength", longest // of any artifact
	}
	failure := func(hint string, detail string, args ...any) *convert.Failure {
		f := &convert.Failure{Code: convert.SchemaViolation, Detail: fmt.Sprintf(detail, args...), Hint: hint}
		return f.InBody(path)
	}
	switch field {
	case "required":
		name := path[strings.LastIndexByte(path, '/')+1:]
		return failure("Add "+member(of, name, shapeDepth)+".", "The property %s is missing.", name)
	case "properties":
		return failure("Send "+fullShape(of)+" with no other properties; names are case-sensitive.",
			"Unknown property; allowed: %s.", members(of))
	case "discriminator":
		return failure("Set tool to one of these names, spelled exactly as listed.",
			"The step's tool is missing or unknown; the tools are %s.", list(c.ToolNames())).InBody(path + "/tool")
	case "enum":
		return failure("Send one of the allowed values, spelled exactly as listed.",
			"The value is not allowed; the allowed values are %s.", values(of.Enum))
	case "type", "nullable":
		if of.Type == "string" && !isText {
			return failure("Send a string at this path. To send JSON, encode it as one string, with its quotes escaped.",
				"The value is of the wrong type; it must be %s.", article(of))
		}
		return failure(rightType(of), "The value is of the wrong type; it must be %s.", article(of))
	case "minimum", "maximum":
		if of.Range.Min == of.Range.Max {
			return failure(inRange(of), "The number must be %g.", of.Range.Min)
		}
		if field == "maximum" {
			return failure(inRange(of), "The number is too large; the maximum is %g.", of.Range.Max)
		}
		return failure(inRange(of), "The number is too small; the minimum is %g.", of.Range.Min)
	case "minItems":
		return failure("Add items to the list: "+shape(of, shapeDepth)+".",
			"The list has too few items; the minimum is %d.", of.MinItems)
	case "maxItems":
		return failure("Send fewer items, or split them into several requests.",
			"The list has too many items; the maximum is %d.", of.MaxItems)
	case "maxLength":
		return failure("Send a shorter string.", "The string is too long; the maximum is %d characters.", of.MaxLength)
	case "pattern":
		return failure("Use only the characters and the length that the pattern allows.",
			"The string does not match the pattern %s.", of.Pattern)
	case "uniqueItems":
		return failure("List each item only once.", "The list has a duplicate item.")
	}
	return failure("Compare the body at this path with the operation's schema in the OpenAPI document.",
		"The value does not match the operation's schema.")
}

// members lists an object's properties, the required ones first.
func members(s *schema.Schema) string {
	if len(s.Properties) == 0 {
		return "none"
	}
	return list(memberNames(s))
}

func values(enum []any) string {
	texts := make([]string, len(enum))
	for i, v := range enum {
		texts[i] = fmt.Sprint(v)
	}
	return list(texts)
}

func list(words []string) string { return strings.Join(words, ", ") }

// inRange returns the hint for a number out of its range.
func inRange(s *schema.Schema) string {
	if s.Range.Min == schema.Least || s.Range.Max == schema.Most {
		return "Send a number in the range that the OpenAPI document gives for this property."
	}
	if s.Range.Min == s.Range.Max {
		return fmt.Sprintf("Send %g.", s.Range.Min)
	}
	return fmt.Sprintf("Send a number from %g to %g.", s.Range.Min, s.Range.Max)
}

// rightType returns the hint for a value of the wrong type: an example of the right type, unless the type alone
// is clear.
func rightType(s *schema.Schema) string {
	switch {
	case s.Type == "", s.Type == "object" && len(s.Required) > 0, s.Type == "array":
		return "Send " + shape(s, shapeDepth) + " at this path."
	case s.Type == "object":
		return "Send an object at this path, such as " + fullShape(s) + "."
	case s.Type == "integer" && s.Range != nil && s.Range.Min == s.Range.Max:
		return fmt.Sprintf("Send %g at this path, without quotes.", s.Range.Min)
	case s.Type == "integer" && s.Range != nil:
		return fmt.Sprintf("Send an integer from %g to %g at this path, without quotes.", s.Range.Min, s.Range.Max)
	}
	return "Send " + article(s) + " at this path."
}

// article returns a schema's type with its article.
func article(s *schema.Schema) string {
	switch s.Type {
	case "", "object":
		return "an object"
	case "array", "integer":
		return "an " + s.Type
	}
	return "a " + s.Type
}
