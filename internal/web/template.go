package web

import (
	"fmt"
	"html"
	"maps"
	"strconv"
	"strings"
)

// A template is HTML with {{name}} for a value, and {{#name}}…{{/name}} around a part that is repeated for each value
// of a list, as in Mustache. The packages text/template and html/template call methods by reflection, which makes the
// linker keep every exported method of the program: several megabytes.

// values maps the names of a template to a string, an int or markup. The value of a part is a bool that reports whether
// it is present, or a []values, one for each repetition.
type values map[string]any

// markup is HTML that must not be escaped.
type markup string

// fill returns the template with its values, escaped for text and for attributes in double quotes; a name must not
// appear anywhere else. The values of a part shadow those around it. fill panics for a name without a value: the
// templates are built in, and a test renders each page.
func fill(template string, v values) markup {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "{{")
		b.WriteString(before)
		if !found {
			return markup(b.String())
		}
		name, after, _ := strings.Cut(rest, "}}")
		if part, is := strings.CutPrefix(name, "#"); is {
			var inside string
			inside, template, _ = strings.Cut(after, "{{/"+part+"}}")
			for _, own := range v.times(part) {
				around := maps.Clone(v)
				maps.Copy(around, own)
				b.WriteString(string(fill(inside, around)))
			}
			continue
		}
		b.WriteString(v.escaped(name))
		template = after
	}
}

// times returns the values of a part, one for each repetition.
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

// part returns the content of a part of a template, "" if it has none.
func part(template, name string) string {
	_, rest, _ := strings.Cut(template, "{{#"+name+"}}")
	inside, _, _ := strings.Cut(rest, "{{/"+name+"}}")
	return inside
}
