package request

import (
	"fmt"
	"slices"
	"strings"
)

// PartKind is the kind of a Part.
type PartKind uint8

// The kinds of part.
const (
	LiteralPart PartKind = iota
	VariablePart
	ParameterPart
)

// Part is a piece of a text: literal text or a name.
type Part struct {
	Kind PartKind
	Text string // the literal, or the name without its braces
}

// String returns the part as written in the text.
func (p Part) String() string {
	switch p.Kind {
	case VariablePart:
		return "{{" + p.Text + "}}"
	case ParameterPart:
		return "{" + p.Text + "}"
	}
	return p.Text
}

// maxNameLength bounds a variable's or path parameter's name.
const maxNameLength = 200

// VariableName reports whether name can be used in {{name}}: 1 to 200 bytes without braces, quotes, white space
// at its ends or control characters. Anything else in double braces is literal text.
func VariableName(name string) bool {
	return name != "" && len(name) <= maxNameLength && strings.TrimSpace(name) == name &&
		!strings.ContainsAny(name, "{}\"'`") && !strings.ContainsFunc(name, isControl)
}

func isControl(c rune) bool { return c < ' ' || c == 0x7f }

// Split splits a text into literals and variables. Joining the parts, with braces around the names, restores
// the text. It takes linear time.
func Split(text string) []Part { return split(text, false) }

// SplitPath splits a Request.Path into literals, variables and path parameters.
func SplitPath(path string) []Part { return split(path, true) }

// Map returns the parts of a text joined, each as f writes it.
func Map(parts []Part, f func(Part) string) string {
	var out strings.Builder
	for _, part := range parts {
		out.WriteString(f(part))
	}
	return out.String()
}

// Substitute returns a text with what value returns for the name of each variable.
func Substitute(text string, value func(name string) string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	return Map(Split(text), func(p Part) string {
		if p.Kind == VariablePart {
			return value(p.Text)
		}
		return p.Text
	})
}

func split(text string, parameters bool) []Part {
	var parts []Part
	start := 0 // start of the literal that is not in parts yet
	emit := func(kind PartKind, name string, from, to int) {
		if start < from {
			parts = append(parts, Part{LiteralPart, text[start:from]})
		}
		parts = append(parts, Part{kind, name})
		start = to
	}
	for i := 0; i < len(text); {
		if text[i] != '{' {
			i++
			continue
		}
		if name, ok := between(text[i:], "{{", "}}"); ok {
			emit(VariablePart, name, i, i+len(name)+4)
			i = start
			continue
		}
		if parameters {
			if name, ok := between(text[i:], "{", "}"); ok && !strings.Contains(name, "/") {
				emit(ParameterPart, name, i, i+len(name)+2)
				i = start
				continue
			}
		}
		i++
	}
	if start < len(text) {
		parts = append(parts, Part{LiteralPart, text[start:]})
	}
	return parts
}

// between returns the name between two delimiters at the start of text.
func between(text, opening, closing string) (string, bool) {
	if !strings.HasPrefix(text, opening) {
		return "", false
	}
	text = text[len(opening):]
	text = text[:min(len(text), maxNameLength+len(closing))]
	end := strings.Index(text, closing)
	if end < 0 || !VariableName(text[:end]) {
		return "", false
	}
	return text[:end], true
}

// VariableLength returns the length of the {{name}} at the start of text, or 0 if there is none.
func VariableLength(text string) int {
	if name, ok := between(text, "{{", "}}"); ok {
		return len(name) + len("{{}}")
	}
	return 0
}

// HasVariable reports whether text contains a variable.
func HasVariable(text string) bool {
	return strings.Contains(text, "{{") && slices.ContainsFunc(Split(text), func(p Part) bool { return p.Kind == VariablePart })
}

// Encode percent-encodes the bytes of a text that plain rejects and keeps variables. plain reports whether the
// first byte of rest may stay as it is.
func Encode(text string, plain func(rest string) bool) string {
	i := 0
	for i < len(text) && plain(text[i:]) {
		i++
	}
	if i == len(text) {
		return text
	}
	return Map(Split(text), func(part Part) string {
		if part.Kind == VariablePart {
			return part.String()
		}
		var out strings.Builder
		for i := range len(part.Text) {
			if plain(part.Text[i:]) {
				out.WriteByte(part.Text[i])
			} else {
				fmt.Fprintf(&out, "%%%02X", part.Text[i])
			}
		}
		return out.String()
	})
}

// WithSlashes returns a URL with two slashes after http: or https:. curl and browsers accept one or three, browsers none,
// too; what follows a colon without a slash may also be a port.
func WithSlashes(url string) string {
	scheme, rest, _ := strings.Cut(url, ":")
	host := strings.TrimLeft(rest, "/")
	slashes := len(rest) - len(host)
	if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") || host == "" || slashes > 3 ||
		slashes == 0 && (host[0]|0x20 < 'a' || host[0]|0x20 > 'z') {
		return url
	}
	return scheme + "://" + host
}

// AuthorityEnd returns the offset of the path, query or fragment in a URL whose scheme is missing or in a {{name}}.
func AuthorityEnd(text string) int {
	at := 0
	for _, part := range Split(text) {
		if i := strings.IndexAny(part.Text, "/?#"); i >= 0 && part.Kind == LiteralPart {
			return at + i
		}
		at += len(part.String())
	}
	return at
}
