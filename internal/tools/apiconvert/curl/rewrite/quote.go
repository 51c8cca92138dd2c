package rewrite

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// segments splits the text of a word into literals and shell expansions. Expansions are those of the word in their
// original form and order, and variables for secrets.
func (s *Script) segments(w *scriptWord, text string) []syntax.Segment {
	own := expansions(w.Word)
	var all []syntax.Segment
	for _, part := range request.Split(text) {
		if part.Kind != request.VariablePart {
			all = append(all, syntax.Segment{Text: part.Text})
			continue
		}
		i := slices.IndexFunc(own, func(p script.Part) bool { return p.Text == part.Text })
		switch {
		case i >= 0 && own[i].To > 0:
			all = append(all, syntax.Segment{Text: s.apply(own[i].From, own[i].To), Expansion: true, Bare: !own[i].Quoted})
		case i >= 0:
			all = append(all, syntax.Segment{Text: part.String()})
		default:
			all = append(all, syntax.Segment{Text: "$" + s.shellName(part.Text), Expansion: true})
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
		name, isName := strings.CutPrefix(p.Text, "$")
		switch {
		case !p.Expansion:
			out.WriteString(escapes.Replace(p.Text))
		case isName && script.IsName(name):
			out.WriteString("${" + name + "}")
		default:
			out.WriteString(p.Text)
		}
	}
	return out.String()
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
	if d := w.Document; d.Quoted && script.IsName(d.End) {
		s.edit(d.From, d.To, d.End)
	}
}
