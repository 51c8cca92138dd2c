package postman

import (
	"fmt"
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
	plain := func(c rune) bool {
		return c > ' ' && c < 0x7f && c != '%' && !strings.ContainsRune(reserved[where], c)
	}
	if strings.IndexFunc(text, func(c rune) bool { return !plain(c) }) < 0 {
		return text
	}
	var out strings.Builder
	for _, part := range request.Split(text) {
		if part.Kind == request.VariablePart {
			out.WriteString("{{" + part.Text + "}}")
			continue
		}
		for i := 0; i < len(part.Text); i++ {
			_, encoded := escapedByte(part.Text[i:])
			if c := part.Text[i]; encoded || plain(rune(c)) {
				out.WriteByte(c)
			} else {
				fmt.Fprintf(&out, "%%%02X", c)
			}
		}
	}
	return out.String()
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
	var plain []byte
	for len(plain) < utf8.UTFMax {
		c, ok := escapedByte(text[3*len(plain):])
		if !ok {
			break
		}
		plain = append(plain, c)
	}
	if len(plain) == 0 {
		return 1, utf8.RuneError
	}
	r, width := utf8.DecodeRune(plain)
	return 3 * width, r
}
