package sample

import (
	"cmp"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// samples has a string for each format that JSON Schema 2020-12 (validation, section 7.3) and the OpenAPI format
// registry define.
var samples = map[string]string{
	"date-time":             "2024-01-01T00:00:00Z",
	"date":                  "2024-01-01",
	"time":                  "12:00:00Z",
	"duration":              "P1D",
	"email":                 "user@example.com",
	"idn-email":             "user@example.com",
	"hostname":              "example.com",
	"idn-hostname":          "example.com",
	"ipv4":                  "192.0.2.1",
	"ipv6":                  "2001:db8::1",
	"uri":                   "https://example.com",
	"url":                   "https://example.com",
	"iri":                   "https://example.com",
	"uri-reference":         "/example",
	"iri-reference":         "/example",
	"uri-template":          "https://example.com/{id}",
	"json-pointer":          "/example",
	"relative-json-pointer": "0",
	"regex":                 "^example$",
	"uuid":                  "3fa85f64-5717-4562-b3fc-2c963f66afa6",
	"byte":                  "c3RyaW5n",
	"int32":                 "1",
	"int64":                 "1",
	"decimal":               "1.5",
	"phone":                 "+12025550123",
}

// plainText is the string for schemas without constraints.
const plainText = "string"

// OfFormat returns a string in a format, or any string if the format isn't known.
func OfFormat(format string) string { return cmp.Or(samples[format], plainText) }

// maxText is the maximum number of code points in a generated string.
const maxText = 4000

// text returns a string that satisfies the lengths, the first pattern and, if possible, the format.
func (s *shape) text() *tree.Value {
	least, most := s.limit("minLength", 0), s.limit("maxLength", 1<<30)
	if least > most || least > maxText {
		return nil
	}
	var formatted, matching []string
	var compiled *regexp.Regexp
	weight := 0
	for _, schema := range s.schemas {
		if sample, known := samples[schema.Get("format").Text()]; known {
			formatted = append(formatted, sample)
		}
		if encoding := schema.Get("contentEncoding").Text(); encoding == "base64" || encoding == "base64url" {
			formatted = append(formatted, samples["byte"])
		}
		if pattern := schema.Get("pattern").Text(); pattern != "" && compiled == nil {
			s.m.steps += len(pattern) / 8
			if compiled, matching, weight = s.m.expression(pattern, least); compiled == nil && !s.m.nearest {
				return nil
			}
		}
	}
	for _, candidate := range slices.Concat(formatted, []string{plainText}, matching, []string{fit(least, most)}) {
		if n := utf8.RuneCountInString(candidate); n < least || n > most {
			continue
		}
		s.m.budget.Pay(weight * len(candidate) / 64)
		if compiled == nil || compiled.MatchString(candidate) {
			return tree.NewString(candidate)
		}
	}
	return nil
}

// fit repeats or cuts plainText to satisfy the lengths.
func fit(least, most int) string {
	length := min(max(least, len(plainText)), most)
	return strings.Repeat(plainText, length/len(plainText)+1)[:length]
}

// maxPattern is the maximum length of a pattern that is parsed.
const maxPattern = 1000

// expression compiles a pattern and generates a string that matches it, if possible with the least length. compiled is nil
// for syntax that Go's regular expressions don't support (lookahead, backreferences), because matches can't be verified.
// size approximates the number of instructions in the compiled program, which the budget is charged for.
func (m *run) expression(pattern string, least int) (compiled *regexp.Regexp, matching []string, size int) {
	if len(pattern) > maxPattern {
		return nil, nil, 0
	}
	m.budget.Pay(len(pattern))
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, nil, 0
	}
	size = programSize(parsed)
	m.budget.Pay(2 * size)
	if compiled, err = regexp.Compile(pattern); err != nil {
		return nil, nil, 0
	}
	w := patternWriter{least: least}
	w.write(parsed)
	return compiled, []string{w.out.String()}, size
}

// programSize estimates the number of instructions that an expression compiles to. A counted repetition is expanded.
func programSize(re *syntax.Regexp) int {
	size := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		size += programSize(sub)
	}
	if re.Op == syntax.OpRepeat {
		size *= max(re.Min, re.Max, 1)
	}
	return size
}

// patternWriter generates a string that matches a regular expression, in one pass. It takes the first alternative,
// and repeats as often as required, or more often up to the least length.
type patternWriter struct {
	out    strings.Builder
	length int
	least  int
}

func (w *patternWriter) writeRune(r rune) {
	if w.length++; w.length <= maxText {
		w.out.WriteRune(r)
	}
}

func (w *patternWriter) write(re *syntax.Regexp) {
	if w.length > maxText {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			w.writeRune(r)
		}
	case syntax.OpCharClass:
		w.writeRune(member(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.writeRune('a')
	case syntax.OpCapture:
		w.write(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			w.write(sub)
		}
	case syntax.OpAlternate:
		w.write(re.Sub[0])
	case syntax.OpStar:
		w.repeat(re.Sub[0], 0, -1)
	case syntax.OpPlus:
		w.repeat(re.Sub[0], 1, -1)
	case syntax.OpQuest:
		w.repeat(re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		w.repeat(re.Sub[0], re.Min, re.Max)
	}
}

func (w *patternWriter) repeat(sub *syntax.Regexp, least, most int) {
	for i := 0; w.length <= maxText && (i < least || w.length < w.least && i != most); i++ {
		before := w.length
		if w.write(sub); w.length == before { // writes nothing, however often it repeats
			return
		}
	}
}

// member returns a character of a class, preferably a letter or digit.
func member(ranges []rune) rune {
	for _, preferred := range "a0A" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= preferred && preferred <= ranges[i+1] {
				return preferred
			}
		}
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		if low := max(ranges[i], '!'); low <= ranges[i+1] {
			return low
		}
	}
	return ranges[0]
}
