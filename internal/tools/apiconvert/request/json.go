package request

import (
	"bytes"
	"encoding/json"
	"strings"
)

// LooksLikeJSON reports whether text is a JSON object or array after each {{name}} outside its strings is
// replaced by a number.
func LooksLikeJSON(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	if text == "" || text[0] != '{' && text[0] != '[' || VariableLength(text) > 0 {
		return false
	}
	return json.Valid([]byte(withoutVariables(text)))
}

// withoutVariables replaces variables outside of JSON strings by 0.
func withoutVariables(text string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	var out strings.Builder
	for n := 0; text != ""; text = text[n:] {
		if n = VariableLength(text); n > 0 {
			out.WriteByte('0')
			continue
		}
		if n = 1; text[0] == '"' {
			n = stringLength(text)
		}
		out.WriteString(text[:n])
	}
	return out.String()
}

// IsLenient reports whether Unescaped or Uncommented may change text: it has escaped quotes, the start of a
// comment, or a comma before a closing bracket. Most JSON has none of these.
func IsLenient(text string) bool {
	if strings.Contains(text, `\"`) || strings.Contains(text, "//") || strings.Contains(text, "/*") {
		return true
	}
	for {
		_, rest, ok := strings.Cut(text, ",")
		if !ok {
			return false
		}
		if text = strings.TrimLeft(rest, " \t\r\n"); text != "" && (text[0] == '}' || text[0] == ']') {
			return true
		}
	}
}

// Unescaped unescapes JSON whose quotes are escaped, {\"a\":1}, as logs, string literals and shells leave it.
// It returns false for other text.
func Unescaped(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' || !strings.Contains(text, `\"`) {
		return "", false
	}
	var plain string
	if json.Unmarshal([]byte(`"`+lineEscapes.Replace(text)+`"`), &plain) != nil || !LooksLikeJSON(plain) {
		return "", false
	}
	return plain, true
}

// lineEscapes escapes white space that may separate the escaped JSON tokens.
var lineEscapes = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`)

// Uncommented removes comments and trailing commas from JSON, as editors' configuration files and Postman's
// bodies have them. It also removes lines that have only a comment. It returns false for other text.
func Uncommented(text string) (string, bool) {
	if !strings.Contains(text, "//") && !strings.Contains(text, "/*") && !strings.Contains(text, ",") {
		return "", false
	}
	if first := strings.TrimLeft(text, " \t\r\n"); first == "" || strings.IndexByte("{[/", first[0]) < 0 {
		return "", false
	}
	c := commented{text: text, comma: noComma}
	for c.at < len(text) {
		c.next()
	}
	plain := strings.TrimSpace(string(c.out))
	return plain, plain != text && LooksLikeJSON(plain)
}

// commented is the state of Uncommented.
type commented struct {
	text  string
	at    int
	out   []byte
	comma int // index in out of the last comma while only white space follows it
}

const noComma = -1

func (c *commented) next() {
	rest := c.text[c.at:]
	switch {
	case rest[0] == '"':
		c.keep(stringLength(rest))
		c.comma = noComma
	case strings.HasPrefix(rest, "//"):
		line, _, _ := strings.Cut(rest, "\n")
		c.drop(len(line))
	case strings.HasPrefix(rest, "/*"):
		if comment, _, closed := strings.Cut(rest, "*/"); closed {
			c.drop(len(comment) + len("*/"))
		} else {
			c.keep(len(rest)) // an unterminated comment is not a comment
		}
	default:
		switch rest[0] {
		case ' ', '\t', '\r', '\n':
		case ',':
			c.comma = len(c.out)
		case '}', ']':
			if c.comma != noComma {
				c.out = append(c.out[:c.comma], c.out[c.comma+1:]...)
			}
			c.comma = noComma
		default:
			c.comma = noComma
		}
		c.keep(1)
	}
}

func (c *commented) keep(n int) {
	c.out = append(c.out, c.text[c.at:c.at+n]...)
	c.at += n
}

// drop removes a comment of n bytes, and its line if nothing else is on it.
func (c *commented) drop(n int) {
	if c.at += n; c.at < len(c.text) && c.text[c.at] != '\n' && c.text[c.at] != '\r' {
		return
	}
	c.out = bytes.TrimRight(c.out, " \t")
	if bytes.HasSuffix(c.out, []byte("\n")) && c.at < len(c.text) {
		c.at += strings.IndexByte(c.text[c.at:], '\n') + 1
	}
}

// stringLength returns the length of the JSON string at the start of text.
func stringLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
