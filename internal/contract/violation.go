package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/schema"
)

// maxViolations is how many schema violations one failure describes.
const maxViolations = 5

// violations describes how a value violates the operation's schema, or returns nil if it doesn't. The failure is
// that of the first violation, and its detail and hint go on with the others. It replaces what is wrong in value by
// what its hints show, to find the next violation. body is the text that value was decoded from, or "".
func (c *Contract) violations(operation, body string, value any) (first *convert.Failure) {
	var replaced []string
	for range maxViolations {
		broken := c.operations[operation].Check(value)
		if broken == nil || slices.ContainsFunc(replaced, func(p string) bool { return strings.HasPrefix(broken.Pointer()+"/", p+"/") }) {
			break
		}
		if broken.Keyword != "properties" {
			replaced = append(replaced, broken.Pointer())
		}
		f := c.violation(operation, body, broken)
		if first == nil {
			first = f
		} else {
			at := " At " + cmp.Or(*f.Path, "the top level") + ": "
			first.Detail, first.Hint = first.Detail+at+f.Detail, first.Hint+at+f.Hint
		}
		if f.Code != convert.SchemaViolation || !mend(value, broken) {
			break
		}
	}
	return first
}

// mend makes the value valid where it is broken: it removes unknown members and sets others as their schema's shape
// shows. It reports whether it did.
func mend(value any, broken *schema.Violation) bool {
	if object, ok := broken.Value.(map[string]any); ok && broken.Keyword == "properties" {
		for name := range object {
			if broken.Schema.Property(name) == nil {
				delete(object, name)
			}
		}
		return true
	}
	of := broken.Schema
	if broken.Keyword == "required" {
		of = of.Property(broken.Path[len(broken.Path)-1])
	}
	valid, err := jsondoc.Decode(shape(of, maxShapeDepth))
	for i, name := range broken.Path {
		last := i == len(broken.Path)-1
		switch parent := value.(type) {
		case map[string]any:
			if last && err == nil {
				parent[name] = valid
			}
			value = parent[name]
		case []any:
			at, _ := strconv.Atoi(name)
			if last && err == nil {
				parent[at] = valid
			}
			value = parent[at]
		}
	}
	return len(broken.Path) > 0 && err == nil
}

// unknownProperties returns the failure for members that an object's schema doesn't have.
func unknownProperties(body string, broken *schema.Violation) *convert.Failure {
	positions, offset := unknown(body, broken.Path, broken.Schema)
	f := &convert.Failure{Code: convert.SchemaViolation, Hint: "Remove it, or correct its name, which is case-sensitive. Leave the others as they are."}
	allowed := "allowed: " + members(broken.Schema) + "."
	switch len(positions) {
	case 0:
		f.Detail = "A property is unknown; " + allowed
		return f
	case 1:
		f.Detail = "The property at position " + positions[0] + " is unknown; " + allowed
	default:
		f.Detail = "The properties at positions " + list(positions[:min(len(positions), maxPositions)]) + " are unknown; " + allowed
		f.Hint = "Remove them, or correct their names, which are case-sensitive. Leave the others as they are."
	}
	switch {
	case areOptions(broken) && len(positions) == 1:
		f.Hint = "Move it into the object options. Leave the others as they are."
	case areOptions(broken):
		f.Hint = "Move them into the object options. Leave the others as they are."
	}
	return f.At(body, offset)
}

// areOptions reports whether all unknown members of an object are options of its tool that options does not have yet.
func areOptions(broken *schema.Violation) bool {
	object, _ := broken.Value.(map[string]any)
	given, isObject := object["options"].(map[string]any)
	if object["options"] != nil && !isObject {
		return false
	}
	for name := range object {
		if broken.Schema.Property(name) == nil && (broken.Schema.Property("options").Property(name) == nil || given[name] != nil) {
			return false
		}
	}
	return true
}

// maxPositions is how many positions of unknown properties are listed.
const maxPositions = 10

// unknown returns the positions of the members of an object that its schema doesn't have, and the byte offset of the
// first. path leads to the object in body.
func unknown(body string, path []string, of *schema.Schema) (positions []string, offset int) {
	s := jsondoc.NewContentScanner(body)
	defer s.Release()
	var at []string // the path to the value that is next, one step more inside the object
	count := 0
	for {
		token, err := s.Next()
		if err != nil || token.Kind == jsondoc.End {
			return positions, offset
		}
		switch token.Kind {
		case jsondoc.Name:
			at[len(at)-1] = token.Content()
			if len(at) != len(path)+1 || !slices.Equal(at[:len(path)], path) {
				continue
			}
			if count++; of.Property(token.Content()) == nil {
				if positions == nil {
					offset = strings.LastIndex(body[:s.Offset()], token.Raw)
				}
				positions = append(positions, strconv.Itoa(count))
			}
			continue
		case jsondoc.BeginObject:
			at = append(at, "")
			continue
		case jsondoc.BeginArray:
			at = append(at, "0")
			continue
		case jsondoc.EndObject, jsondoc.EndArray:
			at = at[:len(at)-1]
		}
		if len(at) > 0 {
			if i, err := strconv.Atoi(at[len(at)-1]); err == nil {
				at[len(at)-1] = strconv.Itoa(i + 1)
			}
		}
	}
}

// violation describes a schema violation. It doesn't use the validator's own message, which contains the value.
// The description only uses the schema (names, ranges, lists of values), positions, and the pointer, which consists of
// members defined by the document and indexes.
func (c *Contract) violation(operation, body string, broken *schema.Violation) *convert.Failure {
	path, field, of := broken.Pointer(), broken.Keyword, broken.Schema
	text, isText := broken.Value.(string)
	if field == "enum" && !isText && of.Type == "string" {
		field = "type" // the validator checks enum before type
	}
	if tool := c.Tool(operation); tool != nil && path == "/input/mediaType" && field == "enum" {
		longest := c.operations[Pipeline].Property("input").Property("mediaType")
		if utf8.RuneCountInString(text) <= longest.MaxLength {
			return tool.MediaTypeRejected()
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
		return failure("Add "+member(of, name, shapeDepth)+"."+choices(of.Property(name), name), "The property %s is missing.", name)
	case "properties":
		return unknownProperties(body, broken).InBody(path)
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
		return failure(rightType(of)+choices(of, ""), "The value is of the wrong type; it must be %s.", article(of))
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

// choices returns a sentence with the values of the enumerations in a member, or "".
func choices(s *schema.Schema, name string) (text string) {
	if len(s.Enum) > 1 {
		return fmt.Sprintf(" %s is one of %s.", name, values(s.Enum))
	}
	for _, required := range s.Required {
		text += choices(s.Property(required), required)
	}
	return text
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
