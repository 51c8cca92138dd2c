package web

import (
	"fmt"
	"html"
	"maps"
	"strconv"
	"strings"
)

// A template is HTML with {{name}} where a value stands, and {{#name}}…{{/name}}
// around a part that is there once for each value of its own, as in Mustache.
// The packages text/template and html/template would look up what a template
// names by reflection, for which the linker must keep every exported method of
// the program's types: several megabytes of the binary.

// values are what a template's names stand for: a string, an int, markup, or for
// a part a bool, whether it is there, or a []values, those of each time.
type values map[string]any

// markup is HTML already, and not escaped.
type markup string

// fill returns the template with its values, which are escaped for text and for
// an attribute in double quotes: a name may stand nowhere else. A part's values
// come before those around it. It panics for a name without a value: templates
// are built in, and a test asks for each page.
func fill(template string, v values) markup {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "{{")
		b.WriteString(before)
		if !found {
			return markup(b.String())
		}
		name, behind, _ := strings.Cut(rest, "}}")
		if part, is := strings.CutPrefix(name, "#"); is {
			var inside string
			inside, template, _ = strings.Cut(behind, "{{/"+part+"}}")
			for _, own := range v.times(part) {
				around := maps.Clone(v)
				maps.Copy(around, own)
				b.WriteString(string(fill(inside, around)))
			}
			continue
		}
		b.WriteString(v.escaped(name))
		template = behind
	}
}

// times are the values of a part, once for each time that it is there.
func (v values) times(part string) []values {
	switch value := v[part].(type) {
	case bool:
		if value {
			return []values{{}}
		}
		return nil
	case []values:
		return value
	}
	panic(fmt.Sprintf("the template's part %s has no values", part))
}

func (v values) escaped(name string) string {
	switch value := v[name].(type) {
	case string:
		return html.EscapeString(value)
	case int:
		return strconv.Itoa(value)
	case markup:
		return string(value)
	}
	panic(fmt.Sprintf("the template's name %s has no value", name))
}

// part returns what stands in a part of a template, "" if it has none.
func part(template, name string) string {
	_, rest, _ := strings.Cut(template, "{{#"+name+"}}")
	inside, _, _ := strings.Cut(rest, "{{/"+name+"}}")
	return inside
}
