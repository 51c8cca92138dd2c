// Package printable makes text safe to show: characters that would control a terminal or reorder their line become
// escapes such as \x1b or \u202e. It is for text that people read, not for data.
package printable

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s with escapes in place of control characters (ECMA-48: C0 except line feed and tab, DEL, C1),
// bidirectional controls (Unicode's Bidi_Control), line and paragraph separators, and bytes that are not UTF-8. It
// keeps backslashes, so it is idempotent.
func Text(s string) string { return escape(s, controls) }

// Line is Text for a single line and column: it escapes line feeds and tabs, too.
func Line(s string) string {
	return escape(s, func(r rune) bool { return r == '\n' || r == '\t' || controls(r) })
}

// controls reports whether a character controls the terminal or the characters around it.
func controls(r rune) bool {
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
	kept := 0 // s[:kept] is in b
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

// Writer writes the Text of what is written to it. Each Write must contain whole
// characters; a part of one counts as invalid UTF-8.
type Writer struct{ To io.Writer }

func (w Writer) Write(text []byte) (int, error) {
	shown := Text(string(text))
	if n, err := io.WriteString(w.To, shown); err != nil {
		return min(n, len(text)), err
	}
	return len(text), nil
}
