package posix

import (
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
var escapes = expression.Lazy(`(?s)\\(?:([abeEfnrtv\\'"?])|([0-7]{1,3})|x([0-9A-Fa-f]{1,2})` +
	`|u([dD][89aAbB][0-9A-Fa-f]{2})\\u([dD][c-fC-F][0-9A-Fa-f]{2})|(?:u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8}))|c(.))`)

// controls maps the letters of escapes to bytes.
var controls = map[string]byte{
	"a": '\a', "b": '\b', "e": 0x1b, "E": 0x1b, "f": '\f', "n": '\n', "r": '\r', "t": '\t', "v": '\v',
}

// unescape replaces backslash escapes. As in a shell, NUL ends the string.
func unescape(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var out []byte
	from := 0
	for _, at := range escapes().FindAllStringSubmatchIndex(text, -1) {
		out = append(out, text[from:at[0]]...)
		from = at[1]
		for group := 1; group < len(at)/2; group++ {
			if at[2*group] < 0 {
				continue
			}
			before := len(out)
			out = appendEscape(out, group, text[at[2*group]:at[1]])
			if (group == 2 || group == 3) && out[before] == 0 {
				return string(out[:before])
			}
			break
		}
	}
	return string(append(out, text[from:]...))
}

// appendEscape appends the bytes for an escape matched by the given group of the expressions.
func appendEscape(out []byte, group int, text string) []byte {
	number := func(text string, base int) int64 {
		n, _ := strconv.ParseInt(text, base, 64)
		return n
	}
	switch group {
	case 1:
		if c, ok := controls[text]; ok {
			return append(out, c)
		}
		return append(out, text...)
	case 2:
		return append(out, byte(number(text, 8)))
	case 3:
		return append(out, byte(number(text, 16)))
	case 4:
		high, low, _ := strings.Cut(text, `\u`)
		return utf8.AppendRune(out, utf16.DecodeRune(rune(number(high, 16)), rune(number(low, 16))))
	case 8:
		return append(out, text[0]&0x1f)
	}
	return utf8.AppendRune(out, rune(number(text, 16)))
}
