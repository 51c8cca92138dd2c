package rewrite

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// segment is a part of a word that is quoted again: literal text, or an expansion
// as the shell reads it.
type segment struct {
	text   string
	expand bool
	bare   bool // an expansion outside of quotes
}

// segments splits the text of a word into what is literal and what a shell
// expands: the word's own expansions as they are written, in their order, and
// variables that stand for secrets.
func (s *Script) segments(w *scriptWord, text string) []segment {
	own := s.expansions(w)
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

// expansions are what a word's text has in double braces: its own expansions, and,
// without a position, literal text that looks like one.
func (s *Script) expansions(w *scriptWord) []script.Part {
	starts := map[int]script.Part{}
	at := 0
	for _, p := range w.Word {
		if p.Kind == script.Literal {
			at += len(p.Text)
			continue
		}
		starts[at] = p
		at += len(p.Text) + len("{{}}")
	}
	var all []script.Part
	at = 0
	for _, part := range request.Split(w.text) {
		if part.Kind == request.VariablePart {
			p, own := starts[at]
			if !own {
				p = script.Part{Text: part.Text}
			}
			all = append(all, p)
		}
		at += len(part.String())
	}
	return all
}

// quote writes the text of a word, with its expansions, as one word of the shell.
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

// braced writes a segment inside double quotes: $NAME as ${NAME} where the name
// would go on.
func braced(p segment, next []segment) string {
	name, ok := strings.CutPrefix(p.text, "$")
	if ok && p.expand && len(next) > 0 && !next[0].expand && next[0].text != "" && syntax.InName(next[0].text[0]) && syntax.IsName(name) {
		return "${" + name + "}"
	}
	return p.text
}

// literalWord appends text in quotes. A carriage return or another control
// character, which pasting would lose, is written as an escape.
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

// rewriteDocument writes the lines of a here-document. Where its closing word was
// quoted it no longer is: the lines now hold a variable.
func (s *Script) rewriteDocument(w *scriptWord, text string) {
	escape := strings.NewReplacer(`\`, `\\`, "$", `\$`, "`", "\\`")
	var out strings.Builder
	for _, p := range s.segments(w, text) {
		name, isName := strings.CutPrefix(p.text, "$")
		switch {
		case !p.expand:
			out.WriteString(escape.Replace(p.text))
		case isName && syntax.IsName(name):
			out.WriteString("${" + name + "}")
		default:
			out.WriteString(p.text)
		}
	}
	s.edit(w.From, w.To, out.String())
	if d := w.Document; d.Quoted && syntax.IsName(d.End) {
		s.edit(d.From, d.To, d.End)
	}
}
