package spans

import (
	"html"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// Codec is the encoding of a value within the surrounding text. A nil Codec means that the value is not encoded.
type Codec struct {
	special string // the bytes that begin an encoded sequence
	// next decodes the sequence at the start of text, which begins with a special byte. It returns the length of the
	// sequence and what it represents.
	next  func(text string) (n int, plain string)
	quote func(text string) string
}

// unit returns the first piece of text: the bytes up to the next special byte, or the sequence that such a byte begins.
func (c *Codec) unit(text string) (n int, plain string) {
	if n = strings.IndexAny(text, c.special); n < 0 {
		return len(text), text
	}
	if n > 0 {
		return n, text[:n]
	}
	return c.next(text)
}

// encodes reports whether raw may differ from what it represents.
func (c *Codec) encodes(raw string) bool {
	for i := 0; c != nil && i < len(c.special); i++ {
		if strings.IndexByte(raw, c.special[i]) >= 0 {
			return true
		}
	}
	return false
}

// Decode returns what raw represents.
func (c *Codec) Decode(raw string) string {
	if !c.encodes(raw) {
		return raw
	}
	out := make([]byte, 0, len(raw))
	for at := 0; at < len(raw); {
		n, plain := c.unit(raw[at:])
		out = append(out, plain...)
		at += n
	}
	return string(out)
}

// Edit replaces a part of a string.
type Edit struct {
	From, To int // in bytes
	With     string
}

// Apply returns text with the edits applied. The edits must be in order.
func Apply(text string, edits []Edit) string {
	if len(edits) == 0 {
		return text
	}
	out := make([]byte, 0, len(text)+16*len(edits))
	last := 0
	for _, e := range edits {
		out = append(append(out, text[last:e.From]...), e.With...)
		last = e.To
	}
	return string(append(out, text[last:]...))
}

// Locate converts the offsets of edits, which must be in order, from the decoded string to raw.
func (c *Codec) Locate(raw string, edits []Edit) {
	if !c.encodes(raw) {
		return
	}
	at, plainAt := 0, 0 // of the unit
	n, plain := c.unit(raw)
	find := func(place int, isEnd bool) int {
		for end := plainAt + len(plain); place > end || place == end && !isEnd; end += len(plain) {
			at, plainAt = at+n, end
			if at == len(raw) {
				return at
			}
			n, plain = c.unit(raw[at:])
		}
		switch within := place - plainAt; {
		case n == len(plain):
			return at + within
		case isEnd:
			return at + n
		}
		return at
	}
	for i := range edits {
		edits[i].From = find(edits[i].From, false)
		edits[i].To = find(edits[i].To, true)
	}
}

// Quote encodes a replacement for a part of the value.
func (c *Codec) Quote(text string) string {
	if c == nil {
		return text
	}
	return c.quote(text)
}

// JSONString is the encoding of a JSON string (RFC 8259, section 7).
var JSONString = Codec{
	special: `\`,
	next: func(text string) (int, string) {
		if len(text) < 2 {
			return len(text), text
		}
		if i := strings.IndexByte(`"\/bfnrt`, text[1]); i >= 0 {
			return 2, "\"\\/\b\f\n\r\t"[i : i+1]
		}
		c, ok := hexRune(text)
		if !ok {
			return 1, text[:1]
		}
		if utf16.IsSurrogate(c) && len(text) >= 12 {
			if low, ok := hexRune(text[6:]); ok {
				if c := utf16.DecodeRune(c, low); c != utf8.RuneError {
					return 12, string(c)
				}
			}
		}
		return 6, string(c)
	},
	quote: func(text string) string {
		quoted := jsondoc.AppendString(nil, text)
		return string(quoted[1 : len(quoted)-1])
	},
}

// hexRune returns the code unit of the \uXXXX at the start of text.
func hexRune(text string) (rune, bool) {
	if len(text) < 6 || text[:2] != `\u` {
		return 0, false
	}
	c, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(c), err == nil
}

// Percent is the encoding of a name or value in a query (WHATWG URL, section 5).
var Percent = Codec{
	special: "%+",
	next: func(text string) (int, string) {
		if text[0] == '+' {
			return 1, " "
		}
		if c, ok := percent.Byte(text); ok {
			return 3, string([]byte{c})
		}
		return 1, text[:1]
	},
	// Variables are kept; the rest becomes a word.
	quote: func(text string) string {
		return request.Map(request.Split(strings.Trim(text, "<>")), func(part request.Part) string {
			if part.Kind == request.VariablePart {
				return part.String()
			}
			return url.QueryEscape(part.Text)
		})
	},
}

// XMLText is the encoding of the text of an element or an attribute.
var XMLText = Codec{
	special: "&",
	next: func(text string) (int, string) {
		if n := strings.IndexByte(text[:min(len(text), 12)], ';'); n > 1 {
			if plain := html.UnescapeString(text[:n+1]); plain != text[:n+1] {
				return n + 1, plain
			}
		}
		return 1, text[:1]
	},
	quote: func(text string) string { return text },
}
