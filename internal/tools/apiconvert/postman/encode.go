package postman

import (
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// position is where in an address a text stands.
type position uint8

const (
	inPath position = iota
	inQuery
	inQueryName
)

// reserved are the printable ASCII characters that Postman percent-encodes in
// each position (the sets of the URL standard), and those that would end the
// part they stand in.
var reserved = [...]string{
	inPath:      " \"<>`#?{}\\",
	inQuery:     " \"<>'#&",
	inQueryName: " \"<>'#&=",
}

const hex = "0123456789ABCDEF"

// encode writes text as it is sent: what Postman encodes is encoded, what is
// encoded already stays, variables stay. A percent sign that encodes nothing
// is encoded itself.
func encode(text string, where position) string {
	if !needsEncoding(text, where) {
		return text
	}
	var out strings.Builder
	for _, part := range request.Split(text) {
		if part.Kind == request.VariablePart {
			out.WriteString("{{" + part.Text + "}}")
			continue
		}
		for i := 0; i < len(part.Text); i++ {
			c := part.Text[i]
			if c <= ' ' || c >= 0x7f || strings.IndexByte(reserved[where], c) >= 0 || c == '%' && !escaped(part.Text[i:]) {
				out.Write([]byte{'%', hex[c>>4], hex[c&15]})
				continue
			}
			out.WriteByte(c)
		}
	}
	return out.String()
}

func needsEncoding(text string, where position) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c <= ' ' || c >= 0x7f || c == '%' || strings.IndexByte(reserved[where], c) >= 0 {
			return true
		}
	}
	return false
}

// escaped reports whether text begins with a percent-encoded byte.
func escaped(text string) bool {
	return len(text) > 2 && text[0] == '%' && fromHex(text[1]) < 16 && fromHex(text[2]) < 16
}

func fromHex(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 16
}

// kept are the characters that stay percent-encoded when an address is shown,
// because they would mean something else or because Postman would not encode
// them again.
var kept = [...]string{
	inPath:      "#%&+/:;=?@[\\]{|}!$'()*,^~",
	inQuery:     "#%&+,;{|}",
	inQueryName: "#%&+,;{|}=",
}

// decode writes text that is encoded as it is sent in the form in which Postman
// shows it, so that Postman sends the same or an equal one.
func decode(text string, where position) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '%' {
			out.WriteByte(text[i])
			i++
			continue
		}
		size, r := escapedRune(text[i:])
		if r < ' ' || r == 0x7f || r == utf8.RuneError || r < utf8.RuneSelf && strings.IndexByte(kept[where], byte(r)) >= 0 {
			out.WriteString(text[i : i+size])
		} else {
			out.WriteRune(r)
		}
		i += size
	}
	return out.String()
}

// escapedRune returns the character that text's first percent-encoded bytes
// are, and how many bytes of text encode it. It is utf8.RuneError, with the
// size of one encoded byte or of the sign alone, when they are none.
func escapedRune(text string) (size int, r rune) {
	var plain [utf8.UTFMax]byte
	n := 0
	for n < len(plain) && escaped(text[3*n:]) {
		plain[n] = fromHex(text[3*n+1])<<4 | fromHex(text[3*n+2])
		n++
	}
	if n == 0 {
		return 1, utf8.RuneError
	}
	r, width := utf8.DecodeRune(plain[:n])
	return 3 * width, r
}
