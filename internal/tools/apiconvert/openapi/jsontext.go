package openapi

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// json reads a text as JSON with its variables replaced. Postman's users put
// variables where values stand ({"id": {{id}}}), comments and a comma behind
// the last member; all of these are taken. nil when it is no JSON even so.
func (w *writer) json(text string) *tree.Value {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if strings.Contains(text, "{{") {
		text = w.quoteVariables(text)
	}
	doc, err := tree.ReadJSON(text)
	if err != nil {
		doc, err = tree.ReadJSON(strict(text))
	}
	if err != nil {
		return nil
	}
	w.expandStrings(doc.Root)
	return doc.Root
}

// quoteVariables writes variables that stand outside of strings as a JSON
// value: their own if it is a number or a literal, a string otherwise.
func (w *writer) quoteVariables(text string) string {
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
			if doc, err := tree.ReadJSON(v.Value); err == nil && doc.Root.Kind() != tree.String && doc.Root.Len() == 0 {
				b.WriteString(v.Value)
				continue
			}
		}
		b.WriteString(`"` + strings.ReplaceAll(placeholder, `\`, `\\`) + `"`)
	}
	return b.String()
}

// strict takes comments and commas before a closing bracket out.
func strict(text string) string {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			out = append(out, text[i:end]...)
			i = end - 1
		case strings.HasPrefix(text[i:], "//"):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return string(out)
			}
			i += end - 1
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return string(out)
			}
			i += end + 3
		case c == '}' || c == ']':
			trimmed := strings.TrimRight(string(out[max(0, len(out)-maxGap):]), " \t\r\n")
			if strings.HasSuffix(trimmed, ",") {
				cut := len(out) - min(len(out), maxGap) + len(trimmed) - 1
				out = out[:cut]
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// maxGap is how much white space may stand between a comma too many and the
// bracket behind it.
const maxGap = 256

// expandStrings replaces the variables in every string of a value.
func (w *writer) expandStrings(v *tree.Value) {
	if v.Kind() == tree.String {
		if text := v.Text(); strings.Contains(text, "{{") {
			v.Become(str(w.variables.expand(text).text))
		}
		return
	}
	for _, value := range v.Members() {
		w.expandStrings(value)
	}
	for _, value := range v.Elements() {
		w.expandStrings(value)
	}
}
