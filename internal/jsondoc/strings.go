package jsondoc

import (
	"unicode/utf16"

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
// whether there are escapes, or a negative offset when the string is invalid; stringFailure returns the reason.
func scanString(text string, i int) (end int, escaped bool) {
	i++
	for i+8 <= len(text) {
		marks := special(word(text, i))
		if marks == 0 {
			i += 8
			continue
		}
		i += lowest(marks)
		if text[i] == '"' {
			return i + 1, escaped
		}
		n := escapeLength(text, i)
		if n <= 0 {
			return -1, false
		}
		escaped = true
		i += n
	}
	return scanStringEnd(text, i, escaped)
}

// scanStringEnd is scanString within the last eight bytes of the text.
func scanStringEnd(text string, i int, escaped bool) (int, bool) {
	for i < len(text) {
		if text[i] == '"' {
			return i + 1, escaped
		}
		if !isSpecial(text[i]) {
			i++
			continue
		}
		n := escapeLength(text, i)
		if n <= 0 {
			return -1, false
		}
		escaped = true
		i += n
	}
	return -1, false
}

// stringFailure reads the string at i again and returns where and why it is invalid.
func stringFailure(text string, i int) (at int, f *convert.Failure) {
	for i++; ; {
		i = plain(text, i)
		if i >= len(text) {
			return i, unfinished()
		}
		if text[i] != '\\' {
			return i, convert.Reject(convert.InvalidJSON,
				"A string contains an unescaped control character.",
				"Escape it: \\n for a line feed, \\t for a tab, \\u00XX for others.")
		}
		n := escapeLength(text, i)
		if n <= 0 {
			return i, badEscape(n)
		}
		i += n
	}
}

// escapeLength returns these for an invalid escape.
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

// escapeLength returns the length of the escape at i in bytes: 2, 6, or 12 for a surrogate pair.
func escapeLength(text string, i int) int {
	if simpleEscape(text, i) != 0 {
		return 2
	}
	if text[i] == '\\' && i+1 < len(text) && text[i+1] == 'u' {
		return hexEscapeLength(text, i)
	}
	return unknownEscape
}

func hexEscapeLength(text string, i int) int {
	r := hex4(text, i+2)
	switch {
	case r < 0:
		return unknownEscape
	case !utf16.IsSurrogate(r):
		return 6
	case r < 0xDC00 && i+7 < len(text) && text[i+6] == '\\' && text[i+7] == 'u':
		if low := hex4(text, i+8); low >= 0xDC00 && low <= 0xDFFF {
			return 12
		}
	}
	return loneSurrogate
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

// hexEscape returns the character of the \u escape, or the pair of them, at i.
func hexEscape(text string, i int) rune {
	r := hex4(text, i+2)
	if utf16.IsSurrogate(r) {
		return utf16.DecodeRune(r, hex4(text, i+8))
	}
	return r
}

// unescaped maps the letter of a two-byte escape to its character.
var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
