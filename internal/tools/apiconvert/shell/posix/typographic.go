package posix

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Word processors and chat programs replace quotes and dashes: curl –H “Accept: */*” —data ‘{“a”: 1}’. In the arguments
// of curl they are read as what was typed. Elsewhere they are literal.

// typographic is the first byte of each of these characters.
const typographic = 0xe2

// closing has the quotes that may end an argument, for each that begins one.
var closing = map[rune]string{'“': "“”", '”': "“”", '‘': "‘’", '’': "‘’"}

// typed replaces the quotes in a quoted argument.
var typed = strings.NewReplacer(`\“`, `"`, `\”`, `"`, "“", `"`, "”", `"`)

// typographic reads the character at the cursor. start is the offset of its word.
func (r *Reader) typographic(f *Fields, start int) {
	c, size := utf8.DecodeRuneInString(r.Text[r.Pos:r.Limit])
	if r.Pos == start && r.inCurl() {
		switch c {
		case '“', '”', '‘', '’':
			if end := r.typographicEnd(r.Pos+size, closing[c]); end > 0 {
				r.typographicQuoted(f, c, r.Pos+size, end)
				return
			}
		case '–', '—':
			name := r.Span(r.Pos+size, &script.CommandNameBytes) - r.Pos - size
			if name > 1 || name == 1 && c == '–' {
				f.Text("--"[2-min(2, name):])
				r.Note(script.TypographyFixed)
				r.Pos += size
				return
			}
		}
	}
	f.Text(r.Text[r.Pos : r.Pos+size])
	r.Pos += size
}

// inCurl reports whether the current command seems to be curl.
func (r *Reader) inCurl() bool {
	const prefixes = 8 // words of sudo and the like
	return r.Cur != nil && slices.ContainsFunc(r.Cur.Words[:min(prefixes, len(r.Cur.Words))], func(w script.Word) bool {
		return script.IsLiteral(w, "curl")
	})
}

// typographicEnd returns the offset of the quote that ends the argument at i, or 0. The search is limited, so that a
// script takes linear time.
func (r *Reader) typographicEnd(i int, quotes string) int {
	const longest, most = 4000, 16
	text := r.Text[i:min(r.Limit, i+longest)]
	for at, tries := 0, 0; tries < most; tries++ {
		n := strings.IndexAny(text[at:], quotes)
		if n < 0 {
			break
		}
		at += n + len("”")
		if next := r.ByteAt(i + at); next == 0 || endsWord[next] {
			return i + at - len("”")
		}
	}
	return 0
}

// typographicQuoted reads the argument in typographic quotes at [from:to].
func (r *Reader) typographicQuoted(f *Fields, open rune, from, to int) {
	text := r.Text[from:to]
	inner := r.derive(typed.Replace(text), from)
	f.Quoted()
	for expands := open == '“' || open == '”'; inner.Pos < inner.Limit; {
		if !expands || strings.ContainsAny(text, "`(") { // substitutions may contain quotes
			f.Text(inner.Text[inner.Pos:])
			break
		}
		if inner.expand(f, quoted); inner.Pos < inner.Limit {
			inner.textByte(f) // a plain quote
		}
	}
	r.Note(script.TypographyFixed)
	r.Pos = to + len("”")
}
