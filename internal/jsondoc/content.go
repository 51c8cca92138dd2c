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
// returns the offset after the closing quote, or a negative offset when the string is invalid; stringFailure
// returns the reason.
//
// dst must have room for the rest of the text plus eight bytes: an escape is never shorter than its character,
// but whole words are copied before it is known how much of them is valid.
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
		done := uint(0) // bits of the word already written
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

// escapes maps a character that must be escaped to its escape: up to six bytes starting with the lowest, and
// their number in the highest.
var escapes = func() (table [128]uint64) {
	for c := range byte(' ') {
		table[c] = escapeWord(fmt.Sprintf(`\u%04x`, c))
	}
	for letter, c := range unescaped {
		if isSpecial(c) && c != 0 {
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
	const most = 8*6 + 8 // the longest escaped word, and one word written past it
	n := len(dst)
	out := roomFor(dst, len(content))
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
		// done bits of the word have been written, as k bytes.
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
	return out
}

// roomFor returns dst at its full capacity, grown for a string of n bytes. It expects to escape about one byte
// in eight.
func roomFor(dst []byte, n int) []byte {
	dst = slices.Grow(dst, n+n/8+64)
	return dst[:cap(dst)]
}
