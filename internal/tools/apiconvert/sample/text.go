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

// text returns a string that satisfies the lengths, the patterns and, if possible, the format.
func (s *shape) text() *tree.Value {
	least, most := s.limit("minLength", 0), s.limit("maxLength", 1<<30)
	if least > most || least > maxText {
		return nil
	}
	candidates := []string{plainText}
	var patterns []*regexp.Regexp
	provable, weight := true, 0
	for _, schema := range s.schemas {
		if sample, known := samples[schema.Get("format").Text()]; known {
			candidates = append([]string{sample}, candidates...)
		}
		if encoding := schema.Get("contentEncoding").Text(); encoding == "base64" || encoding == "base64url" {
			candidates = append([]string{samples["byte"]}, candidates...)
		}
		pattern := schema.Get("pattern").Text()
		if pattern == "" {
			continue
		}
		s.m.steps += len(pattern) / 8
		compiled, texts, size, ok := s.m.expression(pattern, least, most)
		if !ok {
			provable = false
			continue
		}
		patterns = append(patterns, compiled)
		weight += size
		candidates = append(candidates, texts...)
	}
	if !provable && !s.m.nearest {
		return nil
	}
	candidates = append(candidates, fit(least, most))
	for _, candidate := range candidates {
		if n := utf8.RuneCountInString(candidate); n < least || n > most {
			continue
		}
		s.m.budget.Pay(weight * len(candidate) / 64)
		if !slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return !p.MatchString(candidate) }) {
			return tree.NewString(candidate)
		}
	}
	return nil
}

// fit repeats or cuts plainText to satisfy the lengths.
func fit(least, most int) string {
	length := min(max(least, len(plainText)), most)
	if length <= len(plainText) {
		return plainText[:length]
	}
	return strings.Repeat(plainText, length/len(plainText)+1)[:length]
}

// maxPattern is the maximum length of a pattern that is parsed.
const maxPattern = 1000

// expression compiles a pattern and generates strings that match it, shorter ones first. ok is false for syntax that
// Go's regular expressions don't support (lookahead, backreferences), because matches can't be verified. size
// approximates the number of instructions in the compiled program, which the budget is charged for.
func (m *run) expression(pattern string, least, most int) (compiled *regexp.Regexp, made []string, size int, ok bool) {
	if len(pattern) > maxPattern {
		return nil, nil, 0, false
	}
	m.budget.Pay(len(pattern))
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, nil, 0, false
	}
	size = programSize(parsed)
	m.budget.Pay(2 * size)
	compiled, err = regexp.Compile(pattern)
	if err != nil {
		return nil, nil, 0, false
	}
	var padded []string
	for _, more := range []int{0, 1, 2, 4, 8, 16, 32, 64, 128, 256, least} {
		w := patternWriter{more: more}
		w.write(parsed)
		if w.unknown || w.length > maxText {
			break
		}
		text := w.out.String()
		made = append(made, text)
		// Any string may follow a match of an unanchored pattern.
		if n := utf8.RuneCountInString(text); n < least {
			padded = append(padded, text+fit(least-n, least-n))
		} else if n >= least && n <= most && more > 0 {
			break
		}
	}
	return compiled, append(made, padded...), size, true
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
// and repeats as often as required plus up to more times.
type patternWriter struct {
	out     strings.Builder
	length  int
	more    int
	unknown bool
}

func (w *patternWriter) writeRune(r rune) {
	if w.length++; w.length <= maxText {
		w.out.WriteRune(r)
	}
}

func (w *patternWriter) write(re *syntax.Regexp) {
	if w.unknown || w.length > maxText {
		return
	}
	switch re.Op {
	case syntax.OpNoMatch:
		w.unknown = true
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
	count := least + w.more
	if most >= 0 {
		count = min(count, most)
	}
	before := w.length
	for i := 0; i < count && w.length <= maxText; i++ {
		w.write(sub)
		if w.length == before { // writes nothing, however often it repeats
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
