package writer

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/placeholder"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// shellVariable matches ${name} anywhere, $NAME in a text without braces (in a GraphQL query it is a variable), and
// %NAME% and <name> as a whole text.
var shellVariable = expression.Lazy(`\$\{[A-Za-z_]\w*\}|^[^{]*\$[A-Z_][A-Z0-9_]+\b[^{]*$|^%[A-Za-z_]\w*%$|^<[A-Za-z][\w .,'-]*>$`)

// isTemplate reports whether a text holds a variable without a known value, in the notation of Postman, a shell or
// documentation. infer.Fill replaces a placeholder that names a type.
func isTemplate(text string) bool {
	if !strings.ContainsAny(text, "{$%<") || text == redacted || infer.IsStandIn(text) {
		return false
	}
	return request.HasVariable(text) || shellVariable().MatchString(text)
}

// isOpen reports whether a string in a body is a template, or a placeholder such as YOUR_ORG.
func isOpen(v *tree.Value) bool {
	text := v.Text()
	return isTemplate(text) || placeholder.Value(text) != "" && text != redacted && !infer.IsStandIn(text)
}

// isUnknown reports whether the text of a parameter is not its value but a template, or what documentation writes
// instead of a value, such as xxxxx. In a body, other values may explain such a text, so it is kept there.
func isUnknown(text string) bool { return isTemplate(text) || placeholder.IsDummy(text) }

// holdsTemplate reports whether a string of a value is a template.
func holdsTemplate(v *tree.Value) bool {
	return v.Kind() == tree.String && isOpen(v) || slices.ContainsFunc(v.Values(), holdsTemplate)
}

// withoutTemplates removes templates from a sample, together with objects that would lack a required property
// and arrays and objects that would be empty. What can only be a string keeps the words around its variables, which become
// their names; a template without words becomes a sample of a string. It reports whether anything is left.
func withoutTemplates(v *tree.Value, s *infer.Summary) bool {
	before := v.Len()
	switch v.Kind() {
	case tree.String:
		switch text := v.Text(); {
		case !isOpen(v):
			return true
		case !s.IsText():
			return false
		case request.HasVariable(text) && strings.ContainsAny(text, " \n<"):
			v.Become(str(withNames(text)))
		default:
			v.Become(str(sample.OfFormat("")))
		}
		return true
	case tree.Array:
		v.Keep(func(_ int, _ string, element *tree.Value) bool { return withoutTemplates(element, s.Items()) })
	case tree.Object:
		incomplete := false
		v.Keep(func(_ int, name string, value *tree.Value) bool {
			property, required := s.Object().Property(name)
			known := withoutTemplates(value, property)
			incomplete = incomplete || !known && required
			return known
		})
		if incomplete {
			return false
		}
	}
	return v.Len() > 0 || before == 0
}

// withNames returns a text with <name> for its variables, or name in XML, where <name> would be an element.
func withNames(text string) string {
	before, after := "<", ">"
	if strings.HasPrefix(strings.TrimSpace(text), "<") {
		before, after = "", ""
	}
	return request.Substitute(text, func(name string) string { return before + name + after })
}
