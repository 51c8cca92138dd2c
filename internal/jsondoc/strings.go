package jsondoc

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
)

// plain returns the offset of the first quote, backslash or control character at or after i, or len(text) if
// there is none.
func plain(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if marks := special(word(text, i)); marks != 0 {
			return i + lowest(marks)
		}
	}
	for i < len(text) && !isSpecial(text[i]) {
		i++
	}
	return i
}

func isSpecial(c byte) bool { return c == '"' || c == '\\' || c < ' ' }

// scanString checks the string whose opening quote is at i. It returns the offset after the closing quote and
// whether there are escapes. For an invalid string it returns where and why it is invalid.
func scanString(text string, i int) (end int, escaped bool, f *convert.Failure) {
	for i = plain(text, i+1); i < len(text); i = plain(text, i) {
		switch text[i] {
		case '"':
			return i + 1, escaped, nil
		case '\\':
			_, n := unescape(text, i)
			if n <= 0 {
				return i, false, badEscape(n)
			}
			escaped = true
			i += n
		default:
			return i, false, convert.Reject(convert.InvalidJSON,
				"A string contains an unescaped control character.",
				"Escape it: \\n for a line feed, \\t for a tab, \\u00XX for others.")
		}
	}
	return i, false, unfinished()
}

// unescape returns these lengths for an invalid escape.
const (
	unknownEscape = 0
	loneSurrogate = -1
)

func badEscape(n int) *convert.Failure {
	if n == loneSurrogate {
		return convert.Reject(convert.InvalidUnicode,
			"A \\u escape is an unpaired surrogate, not a character.",
			"Write both halves, a high surrogate (\\uD800 to \\uDBFF) directly followed by a low one (\\uDC00 to \\uDFFF), or the character itself.")
	}
	return convert.Reject(convert.InvalidJSON,
		"The backslash does not begin a JSON escape.",
		"JSON's escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits; write a backslash as \\\\.")
}

// simpleEscape returns the character of the two-byte escape at i, or 0 if there is none.
func simpleEscape(text string, i int) byte {
	if text[i] != '\\' || i+1 >= len(text) {
		return 0
	}
	return unescaped[text[i+1]]
}

// unescape returns the character of the escape at i and the escape's length in bytes: 2, 6, or 12 for a surrogate
// pair.
func unescape(text string, i int) (r rune, length int) {
	if c := simpleEscape(text, i); c != 0 {
		return rune(c), 2
	}
	if !strings.HasPrefix(text[i:], `\u`) {
		return 0, unknownEscape
	}
	r = hex4(text, i+2)
	switch {
	case r < 0:
		return 0, unknownEscape
	case !utf16.IsSurrogate(r):
		return r, 6
	case strings.HasPrefix(text[i+6:], `\u`):
		if pair := utf16.DecodeRune(r, hex4(text, i+8)); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return 0, loneSurrogate
}

// hex4 returns the value of the four hexadecimal digits at i, or -1 if there are fewer.
func hex4(text string, i int) rune {
	if i+4 > len(text) {
		return -1
	}
	var r rune
	for _, c := range []byte(text[i : i+4]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// unescaped maps the letter of a two-byte escape to its character.
var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
