package pathtemplate

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// kind says what a segment is. Those from identifier on are open.
type kind uint8

const (
	literal    kind = iota // itself, or a text with names in it
	perhaps                // a year, a date or a number that counts: an identifier where others stand
	identifier             // a value that tells one thing from others of its kind
	filled                 // a value that a variable of a script stood for
	variable               // {{name}}
	parameter              // {name}
)

// segment is what stands between two slashes of a path.
type segment struct {
	text  string   // as in the path
	value string   // the name of a variable or parameter, the value of others
	kind  kind     // of a literal: worked out in its place
	names []string // of the parameters in a literal
}

// split takes a path apart at its slashes; one of a variable's name is none.
func (t *tree) split(path string) []segment {
	if path == "" {
		return nil
	}
	var segments []segment
	if !strings.Contains(path, "{") {
		for text := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
			segments = append(segments, segment{text: text})
		}
		return segments
	}
	var parts []request.Part
	end := func() {
		segments = append(segments, segmentOf(parts))
		parts = nil
	}
	for _, part := range request.SplitPath(strings.TrimPrefix(path, "/")) {
		if part.Kind != request.LiteralPart {
			parts = append(parts, part)
			continue
		}
		for i, text := range strings.Split(part.Text, "/") {
			if i > 0 {
				end()
			}
			if text != "" {
				parts = append(parts, request.Part{Kind: request.LiteralPart, Text: text})
			}
		}
	}
	end()
	return segments
}

func segmentOf(parts []request.Part) segment {
	var s segment
	var text strings.Builder
	for _, part := range parts {
		switch part.Kind {
		case request.LiteralPart:
			text.WriteString(part.Text)
		case request.VariablePart:
			text.WriteString("{{" + part.Text + "}}")
			s.kind, s.value = variable, part.Text
		case request.ParameterPart:
			text.WriteString("{" + part.Text + "}")
			s.kind, s.value = parameter, part.Text
			s.names = append(s.names, part.Text)
		}
	}
	s.text = text.String()
	if len(parts) != 1 {
		s.kind = literal
	}
	return s
}

// classify tells what the literal segment i of a path is.
func (p *path) classify(i int, t *tree) {
	s := &p.segments[i]
	if s.kind != literal || strings.ContainsAny(s.text, "{}") {
		return
	}
	s.value = unescaped(s.text)
	switch {
	case isDate(s.text), p.counts(i):
		s.kind = perhaps
	case isIdentifier(s.text):
		s.kind = identifier
	case t.filled[s.value] != "" && !isVersion(s.text):
		s.kind = filled
	}
}

// counts reports whether the segment i is a number that tells no thing from
// others: a year, the month or day behind one, a version.
func (p *path) counts(i int) bool {
	text := p.segments[i].text
	switch {
	case isYear(text):
		return true
	case !isNumber(text) || len(text) > 2:
		return false
	case p.noun == "": // /1/indexes
		return true
	}
	before := p.segments[i-1]
	switch strings.ToLower(before.text) {
	case "api", "rest", "version": // /rest/api/2/issue
		return len(p.segments) > i+1
	}
	return before.kind == perhaps && (isYear(before.text) || i > 1 && isYear(p.segments[i-2].text) && len(before.text) <= 2)
}

// isIdentifier reports whether a text is an identifier by its look: a number,
// a UUID (RFC 9562), a ULID or at least minHex hexadecimal digits (a hash, an
// ObjectId).
func isIdentifier(text string) bool {
	return isNumber(text) || isUUID(text) || isULID(text) || len(text) >= minHex && isHex(text) || isPrefixed(text)
}

// isPrefixed reports whether a text is an identifier behind a word that says of
// what: cus_NffrFeUfNV2Hib. It is letters and digits, with digits among them and
// no word that could be one in small letters.
func isPrefixed(text string) bool {
	kind, id, _ := strings.Cut(text, "_")
	return kind != "" && len(kind) <= maxPrefix && len(id) >= minPrefixed && only(kind, isSmall) &&
		only(id, func(c byte) bool { return isDigit(c) || isSmall(c|0x20) }) &&
		strings.ContainsFunc(id, func(c rune) bool { return c >= '0' && c <= '9' }) && strings.ToLower(id) != id
}

// What such an identifier has at least behind its prefix, and at most before.
const (
	minPrefixed = 10
	maxPrefix   = 8
)

// minHex is how long hexadecimal digits are that are an identifier.
const minHex = 16

func isNumber(text string) bool { return text != "" && only(text, isDigit) }

func isYear(text string) bool {
	return len(text) == 4 && isNumber(text) && (text >= "1900" && text <= "2100")
}

// isDate reports whether a text begins with a year and a month: 2024-05,
// 2024-05-17, 20240517, 2024-05-17T10:00:00Z.
func isDate(text string) bool {
	if len(text) < 7 || !isYear(text[:4]) {
		return false
	}
	if rest := text[4:]; rest[0] == '-' {
		return isMonth(rest[1:3]) && (len(rest) == 3 || rest[3] == '-' && len(rest) >= 6 && isDay(rest[4:6]))
	}
	return len(text) == 8 && isMonth(text[4:6]) && isDay(text[6:])
}

func isMonth(text string) bool { return isNumber(text) && text >= "01" && text <= "12" }
func isDay(text string) bool   { return isNumber(text) && text >= "01" && text <= "31" }

// isVersion reports whether a text is a version: v2, v1beta1, 2.1, v2.1.0.
func isVersion(text string) bool {
	digits := text
	if text != "" && text[0]|0x20 == 'v' {
		digits = text[1:]
	} else if !strings.Contains(text, ".") {
		return false
	}
	if digits == "" || !isDigit(digits[0]) {
		return false
	}
	for _, word := range []string{"alpha", "beta", "rc"} {
		digits = strings.Replace(digits, word, ".", 1)
	}
	return only(digits, func(c byte) bool { return isDigit(c) || c == '.' })
}

func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (text[i] == '-') || !dash && !isHexDigit(text[i]) {
			return false
		}
	}
	return true
}

// isULID reports whether a text is 26 digits of Crockford's base 32 in one
// case that are 128 bits, some of them digits.
func isULID(text string) bool {
	if len(text) != 26 || text[0] > '7' || text != strings.ToUpper(text) && text != strings.ToLower(text) {
		return false
	}
	return strings.ContainsAny(text[10:], "0123456789") && only(text, func(c byte) bool {
		return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' && strings.IndexByte("ilou", c|0x20) < 0
	})
}

// isHex reports whether a text is hexadecimal digits, some of them decimal.
func isHex(text string) bool {
	return strings.ContainsAny(text, "0123456789") && only(text, isHexDigit)
}

func only(text string, is func(byte) bool) bool {
	for i := range len(text) {
		if !is(text[i]) {
			return false
		}
	}
	return true
}

func isSmall(c byte) bool    { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool    { return c >= '0' && c <= '9' }
func isHexDigit(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
