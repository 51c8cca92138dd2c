package jsondoc

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
)

// plain returns the offset of the first byte at or behind i that is a quote,
// a backslash or a control character, len(text) if there is none.
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

// scanString checks the string whose opening quote is at i. It returns the
// offset behind the closing quote and whether there are escapes, or a
// negative offset when stringFailure says why it is no string.
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

// stringFailure reads the string at i again and says where and why it is
// refused.
func stringFailure(text string, i int) (at int, f *convert.Failure) {
	for i++; ; {
		i = plain(text, i)
		if i >= len(text) {
			return i, unfinished()
		}
		if text[i] != '\\' {
			return i, convert.Refuse(convert.InvalidJSON,
				"A control character stands unescaped in a string.",
				"Write it as an escape: \\n for a line feed, \\t for a tab, \\u00XX for others.")
		}
		n := escapeLength(text, i)
		if n <= 0 {
			return i, badEscape(n)
		}
		i += n
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

// simpleEscape returns the character that the escape of two bytes at i stands
// for, 0 when there is none at i.
func simpleEscape(text string, i int) byte {
	if text[i] != '\\' || i+1 >= len(text) {
		return 0
	}
	return unescaped[text[i+1]]
}

// escapeLength returns how many bytes the escape at i has: 2, 6, or 12 for a
// surrogate pair.
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
	dst, _ = appendContent(slices.Grow(dst, len(raw)+8), raw, 0)
	return dst
}

// appendContent checks the string whose opening quote is at i, as scanString
// does, and appends its content. It returns the offset behind the closing
// quote, a negative one when stringFailure says why it is no string.
//
// dst must have room for the rest of the text and eight bytes more: no escape
// is shorter than its character, but words are copied before it is known what
// of them stays.
func appendContent(dst []byte, text string, i int) ([]byte, int) {
	out, n := dst[:cap(dst)], len(dst)
	i++
words:
	for i+8 <= len(text) {
		w := word(text, i)
		marks := special(w)
		if marks == 0 {
			binary.LittleEndian.PutUint64(out[n:n+8:n+8], w)
			i += 8
			n += 8
			continue
		}
		done := uint(0) // bits of the word that are written
		for marks != 0 {
			at := lowestBit(marks)
			binary.LittleEndian.PutUint64(out[n:n+8:n+8], rest(w, done))
			n += int((at - done) / 8)
			mark := i + int(at/8)
			if text[mark] == '"' {
				return out[:n], mark + 1
			}
			c := simpleEscape(text, mark)
			if c == 0 {
				length := escapeLength(text, mark)
				if length <= 0 {
					return nil, -1
				}
				n += utf8.EncodeRune(out[n:], hexEscape(text, mark))
				i = mark + length
				continue words
			}
			out[n] = c
			n++
			done = at + 16
			// The letter may be a quote or a backslash.
			marks &^= 1<<done - 1
		}
		if done < 64 {
			binary.LittleEndian.PutUint64(out[n:n+8:n+8], rest(w, done))
			n += int((64 - done) / 8)
			done = 64
		}
		i += int(done / 8)
	}
	return appendContentEnd(out[:n], text, i)
}

// appendContentEnd is appendContent within the last eight bytes of the text.
func appendContentEnd(dst []byte, text string, i int) ([]byte, int) {
	for i < len(text) {
		if text[i] == '"' {
			return dst, i + 1
		}
		if !isSpecial(text[i]) {
			dst = append(dst, text[i])
			i++
			continue
		}
		length := escapeLength(text, i)
		switch {
		case length <= 0:
			return nil, -1
		case length == 2:
			dst = append(dst, unescaped[text[i+1]])
		default:
			dst = utf8.AppendRune(dst, hexEscape(text, i))
		}
		i += length
	}
	return nil, -1
}

// hexEscape returns the character that the \u escape or the pair of them at i
// stands for.
func hexEscape(text string, i int) rune {
	r := hex4(text, i+2)
	if utf16.IsSurrogate(r) {
		return utf16.DecodeRune(r, hex4(text, i+8))
	}
	return r
}

// escapes maps a character that a string cannot hold as it is to its escape:
// up to six bytes from the lowest on, their number in the highest.
var escapes = func() (table [128]uint64) {
	for c := range table {
		var text []byte
		switch letter := bytes.IndexByte(unescaped[:], byte(c)); {
		case c == '"' || c == '\\' || c < ' ' && letter > 0:
			text = []byte{'\\', byte(letter)}
		case c < ' ':
			const digits = "0123456789abcdef"
			text = []byte{'\\', 'u', '0', '0', digits[c>>4], digits[c&15]}
		}
		for i, b := range text {
			table[c] |= uint64(b) << (8 * i)
		}
		table[c] |= uint64(len(text)) << 56
	}
	return table
}()

// AppendString appends content as a JSON string token: only quotes,
// backslashes and control characters below U+0020 are escaped. content must
// be valid UTF-8.
func AppendString(dst []byte, content string) []byte {
	const most = 8*6 + 8 // bytes that a word of escapes and one put blindly take
	n := len(dst)
	out := roomFor(dst, len(content))
	out[n] = '"'
	n++
	i := 0
	for ; i+8 <= len(content); i += 8 {
		if len(out)-n < most {
			out = roomFor(out[:n], len(content)-i)
		}
		room := out[n : n+most : n+most]
		w := word(content, i)
		marks := special(w)
		if marks == 0 {
			binary.LittleEndian.PutUint64(room, w)
			n += 8
			continue
		}
		// done bits of the word are written, as k bytes.
		done, k := uint(0), uint(0)
		for ; marks != 0; marks &= marks - 1 {
			at := lowestBit(marks)
			binary.LittleEndian.PutUint64(room[k:k+8:k+8], rest(w, done))
			k += (at - done) / 8
			escape := escapes[rest(w, at)&127]
			binary.LittleEndian.PutUint64(room[k:k+8:k+8], escape)
			k += uint(escape >> 56)
			done = at + 8
		}
		binary.LittleEndian.PutUint64(room[k:k+8:k+8], rest(w, done))
		n += int(k + (64-done)/8)
	}
	out = out[:n]
	for ; i < len(content); i++ {
		if c := content[i]; isSpecial(c) {
			out = binary.LittleEndian.AppendUint64(out, escapes[c])
			out = out[:len(out)-8+int(escapes[c]>>56)]
		} else {
			out = append(out, c)
		}
	}
	return append(out, '"')
}

// roomFor returns dst at its full capacity, grown for a string of so many
// bytes of which about one in eight is escaped.
func roomFor(dst []byte, n int) []byte {
	dst = slices.Grow(dst, n+n/8+64)
	return dst[:cap(dst)]
}
