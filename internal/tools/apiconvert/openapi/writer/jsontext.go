package writer

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

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
