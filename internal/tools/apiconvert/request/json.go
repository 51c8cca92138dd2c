package request

import (
	"bytes"
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

// IsLenient reports whether a text has anything in it for which Unescaped or
// Uncommented may change it: escaped quotes, what begins comments, or a comma
// behind which something is closed. Most JSON has nothing of it.
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

// Unescaped is the JSON that a text is with its quotes escaped, {\"a\":1}, as
// logs, strings in code and shells that need no escaping leave it; false for
// other texts.
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

// lineEscapes escapes what may stand between the escaped texts of JSON.
var lineEscapes = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`)

// Uncommented is the JSON that a text is without the comments and the trailing
// commas in it, as editors' configuration files and Postman's bodies have them;
// false for other texts. Lines that hold nothing but a comment go.
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

// commented is a text on its way to be one without comments.
type commented struct {
	text  string
	at    int
	out   []byte
	comma int // where in out the last comma stands while only white space is behind it
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
			c.keep(len(rest)) // an open comment is none
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

// drop leaves a comment of n bytes out, and its line when nothing else is in it.
func (c *commented) drop(n int) {
	if c.at += n; c.at < len(c.text) && c.text[c.at] != '\n' && c.text[c.at] != '\r' {
		return
	}
	c.out = bytes.TrimRight(c.out, " \t")
	if bytes.HasSuffix(c.out, []byte("\n")) && c.at < len(c.text) {
		c.at += strings.IndexByte(c.text[c.at:], '\n') + 1
	}
}

// stringLength is how many bytes the JSON string at the start of a text takes.
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
