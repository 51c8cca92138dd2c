package jsondoc

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf8"
)

// The loops below copy eight bytes at a time before they know how many of them are valid; the next write
// overwrites the rest. That is cheaper than copying runs of a few bytes.

// AppendContent appends the decoded content of raw, a string token that a Scanner returned.
func AppendContent(dst []byte, raw string) []byte {
	dst, _ = appendContent(slices.Grow(dst, len(raw)+8), raw, 0)
	return dst
}

// appendContent checks the string whose opening quote is at i, as scanString does, and appends its content. It
// returns the offset after the closing quote, or a negative offset when the string is invalid; scanString
// returns the reason.
//
// dst must have room for the rest of the text plus eight bytes: an escape is never shorter than its character,
// but whole words are copied before it is known how much of them is valid.
func appendContent(dst []byte, text string, i int) ([]byte, int) {
	out, n := dst[:cap(dst)], len(dst)
	for i++; i+8 <= len(text); {
		w := word(text, i)
		binary.LittleEndian.PutUint64(out[n:n+8:n+8], w)
		marks := special(w)
		if marks == 0 {
			i += 8
			n += 8
			continue
		}
		plain := lowest(marks)
		i += plain
		n += plain
		if text[i] == '"' {
			return out[:n], i + 1
		}
		if c := simpleEscape(text, i); c != 0 {
			out[n] = c
			n++
			i += 2
			continue
		}
		r, length := unescape(text, i)
		if length <= 0 {
			return nil, -1
		}
		n += utf8.EncodeRune(out[n:], r)
		i += length
	}
	for dst = out[:n]; i < len(text); {
		if text[i] == '"' {
			return dst, i + 1
		}
		if !isSpecial(text[i]) {
			dst = append(dst, text[i])
			i++
			continue
		}
		r, length := unescape(text, i)
		if length <= 0 {
			return nil, -1
		}
		dst = utf8.AppendRune(dst, r)
		i += length
	}
	return nil, -1
}

// escapes maps a character that must be escaped to its escape: up to six bytes starting with the lowest, and
// their number in the highest.
var escapes = func() (table [128]uint64) {
	for c := range byte(' ') {
		table[c] = escapeWord(fmt.Sprintf(`\u%04x`, c))
	}
	for letter, c := range unescaped {
		if c != 0 {
			table[c] = escapeWord(`\` + string(rune(letter)))
		}
	}
	return table
}()

func escapeWord(escape string) uint64 {
	w := uint64(len(escape)) << 56
	for i, c := range []byte(escape) {
		w |= uint64(c) << (8 * i)
	}
	return w
}

// AppendString appends content as a JSON string token: only quotes, backslashes and control characters below U+0020 are
// escaped. content must be valid UTF-8.
func AppendString(dst []byte, content string) []byte {
	return append(AppendEscaped(append(dst, '"'), content), '"')
}

// AppendEscaped is AppendString without the quotes.
func AppendEscaped(dst []byte, content string) []byte {
	const most = 8 + 8 // a word, and an escape written after up to seven bytes of it
	out, n, i := roomFor(dst, len(content)), len(dst), 0
	for i+8 <= len(content) {
		if len(out)-n < most {
			out = roomFor(out[:n], len(content)-i)
		}
		room := out[n : n+most : n+most]
		w := word(content, i)
		binary.LittleEndian.PutUint64(room, w)
		marks := special(w)
		if marks == 0 {
			i += 8
			n += 8
			continue
		}
		plain := lowest(marks)
		escape := escapes[content[i+plain]&127]
		binary.LittleEndian.PutUint64(room[plain:], escape)
		n += plain + int(escape>>56)
		i += plain + 1
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
	return out
}

// roomFor returns dst at its full capacity, grown for a string of n bytes. It expects to escape about one byte
// in eight.
func roomFor(dst []byte, n int) []byte {
	dst = slices.Grow(dst, n+n/8+64)
	return dst[:cap(dst)]
}
