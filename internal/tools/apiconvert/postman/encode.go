package postman

import (
	"strconv"
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

// encode writes text as it is sent: what Postman encodes is encoded, what is
// encoded already stays, variables stay. A percent sign that encodes nothing
// is encoded itself.
func encode(text string, where position) string {
	return request.Encode(text, func(rest string) bool {
		c := rest[0]
		if c == '%' {
			_, encoded := escapedByte(rest)
			return encoded
		}
		return c > ' ' && c < 0x7f && strings.IndexByte(reserved[where], c) < 0
	})
}

// escapedByte is the byte that text's beginning is the percent-encoding of.
func escapedByte(text string) (c byte, ok bool) {
	if len(text) < 3 || text[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[1:3], 16, 8)
	return byte(n), err == nil
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
		var plain []byte // what stands encoded from here on
		for c, ok := escapedByte(text[i:]); ok; c, ok = escapedByte(text[i+3*len(plain):]) {
			plain = append(plain, c)
		}
		if plain == nil {
			out.WriteByte(text[i])
			i++
		}
		for len(plain) > 0 {
			r, size := utf8.DecodeRune(plain)
			encoded := text[i : i+3*size]
			if r < ' ' || r == 0x7f || r == utf8.RuneError || r < utf8.RuneSelf && strings.IndexByte(kept[where], byte(r)) >= 0 {
				out.WriteString(encoded)
			} else {
				out.WriteRune(r)
			}
			plain, i = plain[size:], i+len(encoded)
		}
	}
	return out.String()
}
