package reader

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// xml serializes a value as XML with the names from its schema (OpenAPI 3.1, section 4.8.26).
func (r *reader) xml(v, s *tree.Value) string {
	w := xmlWriter{r: r, known: map[*tree.Value]map[string]*tree.Value{}}
	w.member(elementName(s, r.schemaName(s)), v, s, 0)
	return r.spend([]byte(strings.TrimSuffix(w.out.String(), "\n")), nil)
}

// schemaName returns the component name of a schema, or "root". It names an XML root element without a name of its
// own.
func (r *reader) schemaName(s *tree.Value) string {
	if r.schemaNames == nil {
		r.schemaNames = map[*tree.Value]string{}
		for name, described := range r.root.Get("components").Get("schemas").Members() {
			r.schemaNames[described] = name
		}
	}
	return cmp.Or(r.schemaNames[s], "root")
}

func elementName(s *tree.Value, other string) string {
	return cmp.Or(s.Get("xml").Get("name").Text(), other)
}

type xmlWriter struct {
	r     *reader
	out   strings.Builder
	known map[*tree.Value]map[string]*tree.Value
}

// write writes text and charges the budget for it. A value may share its parts, so its XML can be larger than what was
// charged for creating it.
func (w *xmlWriter) write(text string) {
	w.r.budget.Parts(1)
	if w.out.Len() <= w.r.room {
		w.r.budget.Text(len(text))
		w.out.WriteString(text)
	}
}

// open writes an unfinished start tag on a new line, so that more attributes can follow.
func (w *xmlWriter) open(name, attributes string, level int) {
	w.write(strings.Repeat("  ", level) + "<" + xmlName(name) + attributes)
}

// close writes an end tag and ends the line.
func (w *xmlWriter) close(name string, level int) {
	w.write(strings.Repeat("  ", level) + "</" + xmlName(name) + ">\n")
}

// element writes one value. Arrays within it are written by member.
func (w *xmlWriter) element(name string, v, s *tree.Value, level int) {
	s = w.r.schemaOf(s)
	name = prefixed(name, s)
	w.open(name, namespace(s), level)
	if v.Kind() != tree.Object {
		w.write(">" + xmlText(openapi.ScalarText(v, w.r.budget)))
		w.close(name, 0)
		return
	}
	properties := w.properties(s)
	for member, value := range v.Members() {
		if p := properties[member]; isAttribute(p) {
			w.write(attribute(prefixed(elementName(p, member), p), openapi.ScalarText(value, w.r.budget)))
		}
	}
	w.write(">\n")
	for member, value := range v.Members() {
		if p := properties[member]; !isAttribute(p) {
			w.member(elementName(p, member), value, p, level+1)
		}
	}
	w.close(name, level)
}

// properties returns the property schemas of an object by name. The elements of a list share them.
func (w *xmlWriter) properties(s *tree.Value) map[string]*tree.Value {
	if known, ok := w.known[s]; ok {
		return known
	}
	properties := map[string]*tree.Value{}
	for _, p := range w.r.sampler.Properties(s, sample.ToServer) {
		properties[p.Name] = p.Schema
	}
	w.known[s] = properties
	return properties
}

// member writes a property, or the root. An array becomes one element per value, inside a parent element if it is wrapped
// or the root.
func (w *xmlWriter) member(name string, v, s *tree.Value, level int) {
	if v.Kind() != tree.Array {
		w.element(name, v, s, level)
		return
	}
	items := w.r.schemaOf(s.Get("items"))
	inner := name
	if level == 0 {
		inner = elementName(s, "item")
	}
	wrapped := level == 0 || s.Get("xml").Get("wrapped").Bool() || s.Get("xml").Get("nodeType").Text() == "element"
	if wrapped {
		w.open(prefixed(name, s), namespace(s), level)
		w.write(">\n")
		level++
	}
	for _, element := range v.Elements() {
		w.element(elementName(items, inner), element, items, level)
	}
	if wrapped {
		w.close(prefixed(name, s), level-1)
	}
}

func isAttribute(s *tree.Value) bool {
	xml := s.Get("xml")
	return xml.Get("attribute").Bool() || xml.Get("nodeType").Text() == "attribute"
}

func prefixed(name string, s *tree.Value) string {
	if prefix := s.Get("xml").Get("prefix").Text(); prefix != "" {
		return prefix + ":" + name
	}
	return name
}

func namespace(s *tree.Value) string {
	if uri := s.Get("xml").Get("namespace").Text(); uri != "" {
		return attribute(strings.TrimSuffix("xmlns:"+s.Get("xml").Get("prefix").Text(), ":"), uri)
	}
	return ""
}

func attribute(name, value string) string { return " " + xmlName(name) + `="` + xmlText(value) + `"` }

// xmlName returns name with each character that is invalid in an XML name replaced by "_".
func xmlName(name string) string {
	valid := func(i int, c rune) bool {
		letter := c == '_' || c == ':' || c|0x20 >= 'a' && c|0x20 <= 'z' ||
			c >= 0xc0 && c != 0xd7 && c != 0xf7 && c < 0x2000
		return letter || i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '.')
	}
	out := []rune(name)
	for i, c := range out {
		if !valid(i, c) {
			out[i] = '_'
		}
	}
	return cmp.Or(string(out), "_")
}

// xmlText escapes text for elements and attributes. It drops control characters, which XML 1.0 doesn't allow.
func xmlText(text string) string {
	return xmlEscapes.Replace(strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0xfffe || c == 0xffff {
			return -1
		}
		return c
	}, text))
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
