package jsondoc

import (
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
)

// The scanning loops look at eight bytes at once, as one little-endian word:
// the tests below set the high bit of each byte that matches. A byte behind
// the first match may be set wrongly by a borrow, so only the lowest set bit
// counts.
const (
	ones        = 0x0101010101010101
	highs       = 0x8080808080808080
	eightSpaces = ones * ' '
)

func load64(s string, i int) uint64 {
	_ = s[i+7]
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
		uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
}

// special marks quotes, backslashes and control characters below U+0020.
func special(word uint64) uint64 {
	quote := word ^ ones*'"'
	slash := word ^ ones*'\\'
	return ((quote-ones)&^quote | (slash-ones)&^slash | (word-ones*' ')&^word) & highs
}

// plain returns the offset of the first byte at or behind i that is a quote,
// a backslash or a control character, len(text) if there is none.
func plain(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if m := special(load64(text, i)); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c == '"' || c == '\\' || c < ' ' {
			break
		}
	}
	return i
}

// scanString checks the string whose opening quote is at i. It returns the
// offset behind the closing quote and whether there are escapes.
func scanString(text string, i int) (end int, escaped bool, err error) {
	for i++; ; {
		i = plain(text, i)
		if i >= len(text) {
			return 0, false, unfinished().At(text, i)
		}
		switch text[i] {
		case '"':
			return i + 1, escaped, nil
		case '\\':
			n := escapeLength(text, i)
			if n <= 0 {
				return 0, false, badEscape(n).At(text, i)
			}
			escaped = true
			i += n
		default:
			return 0, false, convert.Refuse(convert.InvalidJSON,
				"A control character stands unescaped in a string.",
				"Write it as an escape: \\n for a line feed, \\t for a tab, \\u00XX for others.").At(text, i)
		}
	}
}

// What escapeLength returns for an escape that is none.
const (
	unknownEscape = 0
	loneSurrogate = -1
)

func badEscape(n int) *convert.Failure {
	if n == loneSurrogate {
		return convert.Refuse(convert.InvalidUnicode,
			"A \\u escape is half of a surrogate pair and stands for no character.",
			"Write both halves, a high one (\\uD800 to \\uDBFF) and at once a low one (\\uDC00 to \\uDFFF), or the character itself.")
	}
	return convert.Refuse(convert.InvalidJSON,
		"A backslash begins no JSON escape.",
		"The escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits; write a backslash as \\\\.")
}

// escapeLength returns how many bytes the escape at i has: 2, 6, or 12 for a
// surrogate pair.
func escapeLength(text string, i int) int {
	if i+1 >= len(text) {
		return unknownEscape
	}
	switch text[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
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
	return unknownEscape
}

// hex4 returns the value of the four hexadecimal digits at i, -1 if there are
// none.
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

// AppendContent appends the text that raw, a string token that a Scanner
// returned, stands for.
func AppendContent(dst []byte, raw string) []byte {
	body := raw[1 : len(raw)-1]
	for i := 0; i < len(body); {
		stop := plain(body, i)
		dst = append(dst, body[i:stop]...)
		if i = stop; i == len(body) {
			break
		}
		if body[i+1] != 'u' {
			dst = append(dst, unescaped[body[i+1]])
			i += 2
			continue
		}
		r := hex4(body, i+2)
		i += 6
		if utf16.IsSurrogate(r) {
			r = utf16.DecodeRune(r, hex4(body, i+2))
			i += 6
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// escapes maps a character that a string cannot hold as it is to the letter
// of its two-byte escape.
var escapes = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// AppendString appends content as a JSON string token: only quotes,
// backslashes and control characters below U+0020 are escaped. content must
// be valid UTF-8.
func AppendString(dst []byte, content string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(content); {
		stop := plain(content, i)
		dst = append(dst, content[i:stop]...)
		if i = stop; i == len(content) {
			break
		}
		c := content[i]
		if letter := escapes[c]; letter != 0 {
			dst = append(dst, '\\', letter)
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
	}
	return append(dst, '"')
}
