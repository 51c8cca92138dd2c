package pathtemplate

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/placeholder"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// kind classifies a segment. Segments of kind identifier and above are open.
type kind uint8

const (
	literal    kind = iota // fixed text, possibly with placeholders in it
	possible               // a year, a date or a small number: an identifier only if other paths have one here
	identifier             // a value that identifies one resource of its kind
	filled                 // a value that a script variable expanded to
	variable               // {{name}}
	parameter              // {name}
)

// segment is one slash-separated part of a path.
type segment struct {
	text  string   // as in the path
	value string   // the name of a variable or parameter, otherwise the unescaped segment
	kind  kind     // literal until classify sets it
	names []string // names of the parameters in it
}

// split splits a path at its slashes, except those in the name of a variable.
func split(path string) []segment {
	if path == "" {
		return nil
	}
	path = strings.TrimPrefix(path, "/")
	var list []segment
	var s segment
	start, at := 0, 0 // of the segment and the part
	for _, part := range request.SplitPath(path) {
		switch part.Kind {
		case request.VariablePart:
			s.kind, s.value = variable, part.Text
		case request.ParameterPart:
			s.kind, s.value = parameter, part.Text
			s.names = append(s.names, part.Text)
		case request.LiteralPart:
			for i := range len(part.Text) {
				if part.Text[i] == '/' {
					list = append(list, s.end(path[start:at+i]))
					s, start = segment{}, at+i+1
				}
			}
		}
		at += len(part.String())
	}
	return append(list, s.end(path[start:]))
}

// end returns the segment with its text. It is a literal if it has anything next to a variable or parameter.
func (s segment) end(text string) segment {
	whole := request.Part{Kind: request.VariablePart, Text: s.value}
	if s.kind == parameter {
		whole.Kind = request.ParameterPart
	}
	if s.text = text; text != whole.String() {
		s.kind = literal
	}
	return s
}

// classify sets the kind of the literal segment i of a path.
func (p *path) classify(i int, t *tree) {
	s := &p.segments[i]
	if s.kind != literal || strings.ContainsAny(s.text, "{}") {
		return
	}
	s.value = percent.Decode(s.text)
	switch name := placeholder.Segment(s.value); {
	case name != "":
		s.kind, s.value = parameter, name
	case isDate(s.text), p.counts(i):
		s.kind = possible
	case isIdentifier(s.text), mailboxPattern().MatchString(s.value), placeholder.IsDummy(s.value),
		p.repeatsNoun(s.text), p.noun != "" && strings.Contains(s.value, "/"): // an encoded slash is part of a value
		s.kind = identifier
	case t.filled[s.value] != "" && !isVersion(s.text):
		s.kind = filled
	}
}

// repeatsNoun reports whether a segment consists of the noun before it in the singular and a number or code:
// /files/file-abc123.
func (p *path) repeatsNoun(text string) bool {
	noun, _ := singular(p.noun)
	if noun == "" || len(text) <= len(noun) || !strings.EqualFold(text[:len(noun)], noun) {
		return false
	}
	code := text[len(noun):]
	return len(code) > 1 && (code[0] == '-' || code[0] == '_') && strings.ContainsAny(code, "0123456789") &&
		!strings.ContainsFunc(code[1:], func(c rune) bool { return c >= 0x80 || !words.IsAlnum(byte(c)) })
}

// counts reports whether segment i is a number that doesn't identify anything: a year, a month or day after it, or a
// version.
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
	return before.kind == possible && (isYear(before.text) || i > 1 && isYear(p.segments[i-2].text) && len(before.text) <= 2)
}

// identifierPattern matches identifiers, which always contain a digit: a number; a UUID (RFC 9562); hexadecimal
// digits (a hash, an ObjectId); a ULID, which is 128 bits in Crockford's base 32, in one case; letters and digits of
// both cases after a prefix that names the type, such as cus_NffrFeUfNV2Hib; and a digest, which is hexadecimal
// digits after the name of its algorithm, such as sha256:9f86….
var identifierPattern = expression.Lazy(
	`^(?:[0-9]+|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|[0-9A-Fa-f]{16,}|` +
		`[0-9a-z]+:[0-9a-f]{32,}|[0-7](?:[0-9A-HJKMNP-TV-Z]{25}|[0-9a-hjkmnp-tv-z]{25})|[a-z]{1,8}_([0-9a-z]*[A-Z][0-9A-Za-z]*))$`)

// mailboxPattern matches an email address, but not @me or jquery@3.6.0.
var mailboxPattern = expression.Lazy(`^[0-9A-Za-z._+-]+@(?:[0-9A-Za-z-]+\.)+[A-Za-z]{2,}$`)

// minPrefixed is the minimum length of an identifier without its prefix.
const minPrefixed = 10

// isIdentifier reports whether text looks like an identifier.
func isIdentifier(text string) bool {
	if !strings.ContainsAny(text, "0123456789") {
		return false
	}
	parts := identifierPattern().FindStringSubmatch(text)
	return parts != nil && (parts[1] == "" || len(parts[1]) >= minPrefixed)
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

func isYear(text string) bool {
	return len(text) == 4 && isNumber(text) && (text >= "1900" && text <= "2100")
}

const month, day = `(?:0[1-9]|1[0-2])`, `(?:0[1-9]|[12][0-9]|3[01])`

var datePattern = expression.Lazy(`^(?:-` + month + `(?:$|-` + day + `)|` + month + day + `$)`)

// isDate reports whether text begins with a year and a month: 2024-05, 2024-05-17, 20240517, 2024-05-17T10:00:00Z.
func isDate(text string) bool {
	return len(text) > 4 && isYear(text[:4]) && datePattern().MatchString(text[4:])
}

// isVersion reports whether text is a version: v2, v1beta1, 2.1, v2.1.0.
func isVersion(text string) bool {
	digits := text
	if text != "" && text[0]|0x20 == 'v' {
		digits = text[1:]
	} else if !strings.Contains(text, ".") {
		return false
	}
	if digits == "" || !words.IsDigit(digits[0]) {
		return false
	}
	for _, word := range []string{"alpha", "beta", "rc"} {
		digits = strings.Replace(digits, word, ".", 1)
	}
	return strings.Trim(digits, "0123456789.") == ""
}
