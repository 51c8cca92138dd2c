package syntax

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Segment is a part of a shell word: literal text, or an expansion in shell syntax.
type Segment struct {
	Text      string
	Expansion bool
	Bare      bool // an expansion outside of quotes
	Braced    bool // in double quotes, $NAME is written as ${NAME}
}

// AppendWord appends segments as one shell word. It uses double quotes if there is an expansion and nothing that is special
// there, or else quotes for each segment, with literal for those without an expansion.
func AppendWord(dst []byte, segments []Segment, literal func(dst []byte, text string) []byte) []byte {
	if len(segments) == 0 {
		return append(dst, "''"...)
	}
	if slices.ContainsFunc(segments, func(p Segment) bool { return p.Expansion }) && !slices.ContainsFunc(segments, isSpecial) {
		dst = append(dst, '"')
		for i, p := range segments {
			dst = append(dst, p.quoted(segments[i+1:])...)
		}
		return append(dst, '"')
	}
	for _, p := range segments {
		switch {
		case !p.Expansion:
			dst = literal(dst, p.Text)
		case p.Bare:
			dst = append(dst, p.Text...)
		default:
			dst = append(append(append(dst, '"'), p.Text...), '"')
		}
	}
	return dst
}

// isSpecial reports whether a segment can't be in double quotes as it is.
func isSpecial(p Segment) bool {
	return p.Bare || !p.Expansion && strings.ContainsFunc(p.Text, func(c rune) bool {
		return c < ' ' || strings.ContainsRune("\"$`\\!", c)
	})
}

// quoted returns the text of a segment in double quotes. It writes $NAME as ${NAME} if next would continue the name.
func (p Segment) quoted(next []Segment) string {
	name, isName := strings.CutPrefix(p.Text, "$")
	continued := len(next) > 0 && !next[0].Expansion && next[0].Text != "" && InName(next[0].Text[0])
	if p.Expansion && isName && (p.Braced || continued) && name != "" && strings.Trim(name, script.NameLetters) == "" {
		return "${" + name + "}"
	}
	return p.Text
}

// SingleQuoted appends text in single quotes (XCU 2.2.2).
func SingleQuoted(dst []byte, text string) []byte {
	return append(append(append(dst, '\''), strings.ReplaceAll(text, "'", `'\''`)...), '\'')
}

// InName reports whether c after $NAME would be read as part of the name, or as an index.
func InName(c byte) bool {
	return c == '_' || c == '[' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
