package shell

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
)

// ansiQuoted reads $'…', whose backslash escapes are those of C and of
// POSIX.1-2024, XCU 2.2.4.
func (r *reader) ansiQuoted(f *fields) {
	open := r.pos
	f.quoted()
	i := open + 2
	for i < r.limit && r.text[i] != '\'' {
		if r.text[i] == '\\' {
			i++
		}
		i++
	}
	if i >= r.limit {
		r.fail(open, convert.Refuse(convert.InvalidSource,
			"A $' quote is not closed.",
			"Close the quote, or write \\' for a quote inside it."))
	}
	text, ok := valid(unescape(strings.ReplaceAll(r.text[open+2:i], "\r\n", "\n"), true))
	if !ok {
		r.note(NotUnicode)
	}
	f.text(text)
	r.pos = i + 1
}

// controls are the escapes that stand for one byte.
var controls = map[byte]byte{
	'a': '\a', 'b': '\b', 'e': 0x1b, 'E': 0x1b, 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
	'\\': '\\', '\'': '\'', '"': '"', '?': '?',
}

// unescape replaces backslash escapes. As in the shell, a NUL ends the text.
// quotes says that \' \" and \? are escapes too (in $'…', not in echo -e). An
// escape that is none stays as it is.
func unescape(text string, quotes bool) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			i++
			continue
		}
		c := text[i+1]
		control, ok := controls[c]
		switch {
		case ok && (quotes || strings.IndexByte(`'"?`, c) < 0):
			out = append(out, control)
			i += 2
		case c >= '0' && c <= '7':
			n, digits := number(text[i+1:], 8, octalDigits(c, quotes))
			if n&0xff == 0 {
				return string(out)
			}
			out = append(out, byte(n))
			i += 1 + digits
		case c == 'x':
			n, digits := number(text[i+2:], 16, 2)
			if digits == 0 {
				out = append(out, '\\', 'x')
			} else if n == 0 {
				return string(out)
			} else {
				out = append(out, byte(n))
			}
			i += 2 + digits
		case c == 'u' || c == 'U':
			var n int
			out, n = appendCodePoint(out, text[i:])
			i += n
		case c == 'c' && quotes && i+2 < len(text):
			out = append(out, text[i+2]&0x1f)
			i += 3
		default:
			out = append(out, '\\', c)
			i += 2
		}
	}
	return string(out)
}

// octalDigits is how many digits an octal escape may have: three, and in
// echo -e a leading 0 does not count.
func octalDigits(first byte, quotes bool) int {
	if !quotes && first == '0' {
		return 4
	}
	return 3
}

// number reads up to most digits of the base.
func number(text string, base, most int) (n, digits int) {
	for digits < most && digits < len(text) {
		d := hexValue(text[digits])
		if d >= base {
			break
		}
		n = n*base + d
		digits++
	}
	return n, digits
}

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return 16
}

// appendCodePoint appends what the \u or \U at the start of text stands for
// and returns how long the escape is. Two \u that form a surrogate pair, as
// browsers write them, are one code point.
func appendCodePoint(out []byte, text string) ([]byte, int) {
	most := 4
	if text[1] == 'U' {
		most = 8
	}
	n, digits := number(text[2:], 16, most)
	if digits == 0 {
		return append(out, text[:2]...), 2
	}
	length := 2 + digits
	if utf16.IsSurrogate(rune(n)) && strings.HasPrefix(text[length:], `\u`) {
		low, lowDigits := number(text[length+2:], 16, 4)
		if c := utf16.DecodeRune(rune(n), rune(low)); c != utf8.RuneError {
			return utf8.AppendRune(out, c), length + 2 + lowDigits
		}
	}
	return utf8.AppendRune(out, rune(n)), length
}
