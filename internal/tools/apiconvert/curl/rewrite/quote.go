package rewrite

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// segment is a part of a word to be quoted: literal text, or an expansion in shell syntax.
type segment struct {
	text   string
	expand bool
	bare   bool // an expansion outside of quotes
}

// segments splits the text of a word into literals and shell expansions. Expansions are those of the word in their
// original form and order, and variables for secrets.
func (s *Script) segments(w *scriptWord, text string) []segment {
	own := expansions(w.Word)
	var all []segment
	for _, part := range request.Split(text) {
		if part.Kind != request.VariablePart {
			all = append(all, segment{text: part.Text})
			continue
		}
		i := slices.IndexFunc(own, func(p script.Part) bool { return p.Text == part.Text })
		switch {
		case i >= 0 && own[i].To > 0:
			all = append(all, segment{text: s.apply(own[i].From, own[i].To), expand: true, bare: !own[i].Quoted})
		case i >= 0:
			all = append(all, segment{text: part.String()})
		default:
			all = append(all, segment{text: "$" + s.shellName(part.Text), expand: true})
		}
		own = own[i+1:]
	}
	return all
}

// expansions returns the parts that are in double braces in a word's text: its own expansions and, without a position,
// literals that look like one.
func expansions(w script.Word) (all []script.Part) {
	for _, p := range w {
		if p.Kind != script.Literal {
			all = append(all, p)
			continue
		}
		for _, part := range request.Split(p.Text) {
			if part.Kind == request.VariablePart {
				all = append(all, script.Part{Text: part.Text})
			}
		}
	}
	return all
}

// quote returns the text of a word, including its expansions, as one shell word.
func (s *Script) quote(w *scriptWord, text string) string {
	segments := s.segments(w, text)
	simple := slices.ContainsFunc(segments, func(p segment) bool { return p.expand }) &&
		!slices.ContainsFunc(segments, func(p segment) bool {
			return p.bare || !p.expand && strings.ContainsFunc(p.text, func(c rune) bool { return c < ' ' || strings.ContainsRune("\"$`\\!", c) })
		})
	var out []byte
	if simple {
		out = append(out, '"')
		for i, p := range segments {
			out = append(out, braced(p, segments[i+1:])...)
		}
		return string(append(out, '"'))
	}
	for _, p := range segments {
		switch {
		case !p.expand:
			out = literalWord(out, p.text)
		case p.bare:
			out = append(out, p.text...)
		default:
			out = append(append(append(out, '"'), p.text...), '"')
		}
	}
	if len(out) == 0 {
		return "''"
	}
	return string(out)
}

// operand returns the text of an operand of ${NAME:-operand}.
func (s *Script) operand(w *scriptWord, text string) string {
	text = s.escaped(w, text, operandEscapes)
	if text == "" || w.InQuotes || s.source.Text[w.From:w.To] == w.text {
		return text
	}
	return `"` + text + `"`
}

// What a backslash escapes in an operand, and in a here-document.
var (
	operandEscapes  = strings.NewReplacer(`\`, `\\`, "$", `\$`, "`", "\\`", `"`, `\"`, "}", `\}`)
	documentEscapes = strings.NewReplacer(`\`, `\\`, "$", `\$`, "`", "\\`")
)

// escaped returns the text of a word, including its expansions, for use where blanks and quotes are literal.
func (s *Script) escaped(w *scriptWord, text string, escapes *strings.Replacer) string {
	var out strings.Builder
	for _, p := range s.segments(w, text) {
		name, isName := strings.CutPrefix(p.text, "$")
		switch {
		case !p.expand:
			out.WriteString(escapes.Replace(p.text))
		case isName && syntax.IsName(name):
			out.WriteString("${" + name + "}")
		default:
			out.WriteString(p.text)
		}
	}
	return out.String()
}

// braced returns a segment for use inside double quotes. It writes $NAME as ${NAME} if the next segment would continue
// the name.
func braced(p segment, next []segment) string {
	name, ok := strings.CutPrefix(p.text, "$")
	if ok && p.expand && len(next) > 0 && !next[0].expand && next[0].text != "" && syntax.InName(next[0].text[0]) && syntax.IsName(name) {
		return "${" + name + "}"
	}
	return p.text
}

// literalWord appends text in quotes. Carriage returns and other control characters, which pasting would lose, become
// escapes.
func literalWord(dst []byte, text string) []byte {
	if !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c == 0x7f }) {
		return syntax.SingleQuoted(dst, text)
	}
	dst = append(dst, "$'"...)
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\'' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ' || c == 0x7f:
			dst = append(dst, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '\'')
}

// rewriteDocument writes the lines of a here-document. It removes the quotes around the delimiter, since the lines now
// contain a variable.
func (s *Script) rewriteDocument(w *scriptWord, text string) {
	s.edit(w.From, w.To, s.escaped(w, text, documentEscapes))
	if d := w.Document; d.Quoted && syntax.IsName(d.End) {
		s.edit(d.From, d.To, d.End)
	}
}
