package writer

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/placeholder"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// redacted replaces a secret.
const redacted = "<redacted>"

// Limits for replacing variables with their values.
const (
	maxNesting  = 8       // nesting depth of variables in values
	maxExpanded = 1 << 16 // bytes that variables may add to a text
)

// variables holds the values of an API's variables.
type variables struct {
	byName map[string]*request.Variable
	known  map[string]string // expanded values
	room   int               // bytes that variables may still add
}

func newVariables(list []*request.Variable, b *budget.Budget) *variables {
	v := &variables{
		byName: map[string]*request.Variable{}, known: map[string]string{}, room: openapi.ExampleBytes(b),
	}
	for _, variable := range list {
		if _, twice := v.byName[variable.Name]; !twice && !variable.Disabled {
			v.byName[variable.Name] = variable
		}
	}
	return v
}

// get returns a variable, or nil if it is unknown. A dynamic variable of Postman has a sample of its type as value.
func (v *variables) get(name string) *request.Variable {
	if value := dynamic[name]; value != "" && v.byName[name] == nil {
		return &request.Variable{Name: name, Value: value}
	}
	return v.byName[name]
}

// dynamic has samples of the dynamic variables that have a type other than string or a format.
var dynamic = map[string]string{
	"$guid": sample.OfFormat("uuid"), "$randomUUID": sample.OfFormat("uuid"),
	"$timestamp": "1704067200", "$isoTimestamp": sample.OfFormat("date-time"),
	"$randomInt": "1", "$randomBoolean": "true", "$randomPrice": "9.95",
	"$randomLatitude": "52.5163", "$randomLongitude": "13.3777",
	"$randomEmail": sample.OfFormat("email"), "$randomExampleEmail": sample.OfFormat("email"),
	"$randomUrl": sample.OfFormat("uri"), "$randomImageUrl": sample.OfFormat("uri"), "$randomAvatarImage": sample.OfFormat("uri"),
	"$randomIP": sample.OfFormat("ipv4"), "$randomIPV6": sample.OfFormat("ipv6"),
}

// others returns the other values of the variable that text consists of, which a loop sends.
func (v *variables) others(text string) []string {
	if request.VariableLength(text) == len(text) && text != "" {
		if variable := v.byName[text[2:len(text)-2]]; variable != nil && !variable.Secret && len(variable.Enum) > 1 && v.value(variable.Name, maxNesting) == variable.Enum[0] {
			return variable.Enum[1:]
		}
	}
	return nil
}

// expand returns text with its known variables replaced by their values.
func (w *writer) expand(text string) string { return w.variables.expand(text, maxNesting) }

// named is expand for a name, which says what a value is. It warns about the variables that it keeps.
func (w *writer) named(name string, at warning.Place) string {
	name = w.expand(name)
	for _, part := range request.Split(name) {
		if part.Kind == request.VariablePart {
			w.warnings.AddNamed(warning.LostVariables, at, part.Text)
		}
	}
	return name
}

func (v *variables) expand(text string, nesting int) string {
	added := 0
	return request.Substitute(text, func(name string) string {
		value := v.value(name, nesting)
		if v.room -= len(value); v.room < 0 || added+len(value) > maxExpanded {
			v.room = max(v.room, 0)
			value = "{{" + name + "}}"
		}
		added += len(value)
		return value
	})
}

// value returns the value of a variable, or its placeholder if that is unknown.
func (v *variables) value(name string, nesting int) string {
	if known, ok := v.known[name]; ok {
		return known
	}
	unknown := "{{" + name + "}}"
	variable := v.get(name)
	switch {
	case variable == nil:
		return unknown
	case variable.Secret:
		variable.Written = true
		return redacted
	case variable.Value == "" || nesting == 0:
		return unknown
	}
	v.known[name] = unknown // detects cycles while the value is expanded
	value := v.expand(variable.Value, nesting-1)
	if len(value) > maxExpanded {
		value = unknown
	}
	v.known[name] = value
	variable.Replaced = value != unknown
	return value
}

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

// json parses text as JSON after replacing its variables, which Postman users write instead of values ({"id": {{id}}}). It
// returns nil if the text still isn't JSON.
func (w *writer) json(text string) *tree.Value {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	quoted, at := w.quoteVariables(text)
	doc, err := tree.ReadJSON(quoted, w.budget)
	if err != nil {
		return nil
	}
	w.expandStrings(doc.Root, func(v *tree.Value) bool { return at[doc.Offset(v)] })
	return doc.Root
}

// quoteVariables replaces variables outside strings with a JSON value: their own value if it is a number or literal,
// otherwise a string. at holds the offsets of those strings.
func (w *writer) quoteVariables(text string) (quoted string, at map[int]bool) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	at = map[int]bool{}
	var b strings.Builder
	inString := false
	for _, part := range request.Split(text) {
		if part.Kind == request.LiteralPart {
			for i := 0; i < len(part.Text); i++ {
				switch c := part.Text[i]; {
				case c == '\\' && inString:
					i++
				case c == '"':
					inString = !inString
				}
			}
			b.WriteString(part.Text)
			continue
		}
		placeholder := "{{" + part.Text + "}}"
		if inString {
			b.WriteString(placeholder)
			continue
		}
		if v := w.variables.get(part.Text); v != nil && !v.Secret {
			doc, err := tree.ReadJSON(v.Value, w.budget)
			if err == nil && doc.Root.Kind() != tree.String && doc.Root.Len() == 0 {
				b.WriteString(v.Value)
				continue
			}
		}
		at[b.Len()] = true
		b.WriteString(`"` + strings.ReplaceAll(placeholder, `\`, `\\`) + `"`)
	}
	return b.String(), at
}

// expandStrings replaces the variables in every string and name of a value, and marks those that replace a variable of any type.
func (w *writer) expandStrings(v *tree.Value, untyped func(v *tree.Value) bool) {
	if v.Kind() == tree.String {
		if untyped(v) {
			w.untyped[v] = true
		}
		if text := v.Text(); strings.Contains(text, "{{") {
			v.Become(str(w.expand(text)))
		}
		return
	}
	for _, name := range v.Names() {
		if strings.Contains(name, "{{") {
			v.Rename(name, w.named(name, nil))
		}
	}
	for _, value := range v.Values() {
		w.expandStrings(value, untyped)
	}
}
