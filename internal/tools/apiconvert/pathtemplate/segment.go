package pathtemplate

import (
	"strings"

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
	case words.IsDate(s.text), p.counts(i):
		s.kind = possible
	case words.IsIdentifier(s.value), placeholder.IsDummy(s.value),
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
	case words.IsYear(text):
		return true
	case !words.IsNumber(text) || len(text) > 2:
		return false
	case p.noun == "": // /1/indexes
		return true
	}
	before := p.segments[i-1]
	switch strings.ToLower(before.text) {
	case "api", "rest", "version": // /rest/api/2/issue
		return len(p.segments) > i+1
	}
	return before.kind == possible && (words.IsYear(before.text) || i > 1 && words.IsYear(p.segments[i-2].text) && len(before.text) <= 2)
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
