package request

import (
	"fmt"
	"strings"
)

// PartKind says what a part of a text is.
type PartKind uint8

// The kinds of part.
const (
	LiteralPart PartKind = iota
	VariablePart
	ParameterPart
)

// Part is a piece of a text: literal text, or a name.
type Part struct {
	Kind PartKind
	Text string // the literal, or the name without its braces
}

// String is the part as it stands in the text.
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

// VariableName reports whether name can stand between {{ and }}: 1 to 200
// bytes without braces, quotes, white space at its ends and control
// characters. Everything else in double braces is literal text.
func VariableName(name string) bool {
	if name == "" || len(name) > maxNameLength || strings.TrimSpace(name) != name {
		return false
	}
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c < ' ', c == '{', c == '}', c == '"', c == '\'', c == '`', c == 0x7f:
			return false
		}
	}
	return true
}

// Split parts a text into literals and variables. Joining the parts, with
// braces around the names, gives the text again. It is linear.
func Split(text string) []Part { return split(text, false) }

// SplitPath parts a Request.Path into literals, variables and path parameters.
func SplitPath(path string) []Part { return split(path, true) }

func split(text string, parameters bool) []Part {
	var parts []Part
	start := 0 // of the literal that is not yet in parts
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

// between returns the name that text begins with between two delimiters.
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

// VariableLength is how many bytes the {{name}} at the start of text takes, 0
// when there is none.
func VariableLength(text string) int {
	if name, ok := between(text, "{{", "}}"); ok {
		return len(name) + len("{{}}")
	}
	return 0
}

// HasVariable reports whether the text names at least one variable.
func HasVariable(text string) bool {
	if !strings.Contains(text, "{{") {
		return false
	}
	for _, part := range Split(text) {
		if part.Kind == VariablePart {
			return true
		}
	}
	return false
}

// Encode percent-encodes the bytes of a text that cannot stand where it is
// written; variables stay. plain reports whether a text's first byte can.
func Encode(text string, plain func(rest string) bool) string {
	i := 0
	for i < len(text) && plain(text[i:]) {
		i++
	}
	if i == len(text) {
		return text
	}
	var out strings.Builder
	for _, part := range Split(text) {
		if part.Kind == VariablePart {
			out.WriteString(part.String())
			continue
		}
		for i := range len(part.Text) {
			if plain(part.Text[i:]) {
				out.WriteByte(part.Text[i])
			} else {
				fmt.Fprintf(&out, "%%%02X", part.Text[i])
			}
		}
	}
	return out.String()
}
