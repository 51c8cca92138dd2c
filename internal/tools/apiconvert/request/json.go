package request

import (
	"encoding/json"
	"strings"
)

// LooksLikeJSON reports whether text is one JSON object or array once every
// {{name}} outside its strings is a number.
func LooksLikeJSON(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	if text == "" || text[0] != '{' && text[0] != '[' || VariableLength(text) > 0 {
		return false
	}
	return json.Valid([]byte(withoutVariables(text)))
}

// withoutVariables writes 0 for the variables outside of JSON strings.
func withoutVariables(text string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	var out strings.Builder
	inString := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			inString = !inString
		case c == '\\' && inString && i+1 < len(text):
			out.WriteByte(c)
			i++
			c = text[i]
		case c == '{' && !inString:
			if n := VariableLength(text[i:]); n > 0 {
				out.WriteByte('0')
				i += n - 1
				continue
			}
		}
		out.WriteByte(c)
	}
	return out.String()
}
