package posix

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// ansiQuoted reads $'…', whose backslash escapes are those of C and of POSIX.1-2024, XCU 2.2.4.
func (r *Reader) ansiQuoted(f *Fields) {
	open := r.Pos
	f.Quoted()
	i, ok := r.afterEscaped(open+2, '\'')
	if !ok {
		r.Fail(open, convert.Reject(convert.InvalidSource,
			"A $' quote is not closed.", "Close the quote, or write \\' for a quote inside it."))
	}
	text := unescape(r.Text[open+2 : i])
	if !utf8.ValidString(text) {
		r.Note(script.NotUnicode)
	}
	f.Text(strings.ToValidUTF8(text, "\uFFFD"))
	r.Pos = i + 1
}

// afterEscaped returns the offset after the first unescaped end at or after i.
func (r *Reader) afterEscaped(i int, end byte) (int, bool) {
	for i < r.Limit && r.Text[i] != end {
		if r.Text[i] == '\\' {
			i++
		}
		i++
	}
	return i, i < r.Limit
}

// escapes are those of $'…' and printf: a control character, octal and hexadecimal bytes, two UTF-16 code units as browsers
// write them, a code point, a control key. Other backslashes are kept.
var escapes = expression.Lazy(`(?s)\\(?:[abeEfnrtv\\'"?]|[0-7]{1,3}|x[0-9A-Fa-f]{1,2}` +
	`|u[dD][89aAbB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|c.)`)

// controls maps the letters of escapes to bytes.
var controls = map[string]string{
	"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}

// unescape replaces backslash escapes. As in a shell, NUL ends the string.
func unescape(text string) string {
	before, _, _ := strings.Cut(escapes().ReplaceAllStringFunc(text, unescaped), "\x00")
	return before
}

// unescaped returns what an escape represents.
func unescaped(escape string) string {
	number := func(digits string, base int) int {
		n, _ := strconv.ParseInt(digits, base, 64)
		return int(n)
	}
	switch letter, rest := escape[1:2], escape[2:]; letter {
	case "x":
		return string([]byte{byte(number(rest, 16))})
	case "u", "U":
		if high, low, isPair := strings.Cut(rest, `\u`); isPair {
			return string(utf16.DecodeRune(rune(number(high, 16)), rune(number(low, 16))))
		}
		return string(rune(number(rest, 16)))
	case "c":
		return string([]byte{rest[0] & 0x1f})
	case "0", "1", "2", "3", "4", "5", "6", "7":
		return string([]byte{byte(number(letter+rest, 8))})
	default:
		return cmp.Or(controls[letter], letter)
	}
}
