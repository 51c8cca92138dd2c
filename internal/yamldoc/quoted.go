package yamldoc

import "unicode/utf8"

// shortEscapes maps a character to the letter of its escape.
var shortEscapes = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// appendQuoted appends text in double quotes.
func appendQuoted(dst []byte, text string) []byte {
	dst = append(dst, '"')
	copied := 0
	for i := skip(text, 0, escaped|lead); i < len(text); i = skip(text, i, escaped|lead) {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
			if !needsEscape(r) {
				i += size
				continue
			}
		}
		dst = append(dst, text[copied:i]...)
		dst = appendEscape(dst, r)
		i += size
		copied = i
	}
	dst = append(dst, text[copied:]...)
	return append(dst, '"')
}

// appendEscape appends r as an escape that JSON also has or, beyond U+FFFF, as \UXXXXXXXX.
func appendEscape(dst []byte, r rune) []byte {
	if r < utf8.RuneSelf && shortEscapes[r] != 0 {
		return append(dst, '\\', shortEscapes[r])
	}
	letter, shift := byte('u'), 12
	if r > 0xFFFF {
		letter, shift = 'U', 28
	}
	dst = append(dst, '\\', letter)
	for ; shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[r>>shift&15])
	}
	return dst
}
