// Package printable makes text safe to show: what would act on a terminal, or
// reorder the line that it stands in, is written as an escape such as \x1b or
// \u202e. Text for people goes through it; data for programs does not.
package printable

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s with its control characters (ECMA-48: C0 but for line feed
// and tab, DEL, C1), bidirectional controls (Unicode's Bidi_Control), line and
// paragraph separators and bytes that are not UTF-8 written as escapes. A
// backslash of s stays as it is, so that Text of such a text changes nothing.
func Text(s string) string { return escape(s, acts) }

// Line is Text for what must stay on one line and in one column: line feed and
// tab are escapes too.
func Line(s string) string {
	return escape(s, func(r rune) bool { return r == '\n' || r == '\t' || acts(r) })
}

// acts reports whether a character does something to a terminal or to the
// characters around it instead of being shown.
func acts(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < utf8.RuneSelf:
		return r < ' ' || r == '\x7f'
	}
	return r <= '\u009f' || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}

func escape(s string, hidden func(rune) bool) string {
	var b strings.Builder
	kept := 0 // up to here s is in b
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		invalid := r == utf8.RuneError && size == 1
		if invalid || hidden(r) {
			b.WriteString(s[kept:i])
			if invalid {
				r = rune(s[i])
			}
			if invalid || r < utf8.RuneSelf {
				fmt.Fprintf(&b, `\x%02x`, r)
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
			kept = i + size
		}
		i += size
	}
	if kept == 0 {
		return s
	}
	b.WriteString(s[kept:])
	return b.String()
}

// Writer writes the Text of what it is given. Each Write must hold whole
// characters; a part of one counts as not UTF-8.
type Writer struct{ To io.Writer }

func (w Writer) Write(text []byte) (int, error) {
	if plain(text) {
		return w.To.Write(text)
	}
	shown := Text(string(text))
	if n, err := io.WriteString(w.To, shown); err != nil {
		return min(n, len(text)), err
	}
	return len(text), nil
}

// plain reports whether a text is ASCII that stays as it is, as nearly all is.
func plain(text []byte) bool {
	for ; len(text) >= 8; text = text[8:] {
		// Eight bytes at once: DEL, what is beyond it and C0 each set the high bit
		// of their byte here.
		w := binary.LittleEndian.Uint64(text)
		if (w|(w+ones)|(w-ones*' '))&(ones*0x80) != 0 && !eachPlain(text[:8]) {
			return false
		}
	}
	return eachPlain(text)
}

const ones = 0x0101010101010101

func eachPlain(text []byte) bool {
	for _, c := range text {
		if c < ' ' && c != '\n' && c != '\t' || c >= '\x7f' {
			return false
		}
	}
	return true
}
