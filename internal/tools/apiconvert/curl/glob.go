package curl

import (
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// maxGlob limits how many URLs one URL with {a,b} or [1-3] expands to. Beyond it, the pattern is kept.
const maxGlob = 16

// globbed expands curl's URL patterns. A single name as in {id} is kept, since it is a path parameter. So is a pattern
// with too many URLs or one that curl would reject.
func (op *operation) globbed(text string) []string {
	pieces, ok := globPieces(text)
	if !ok {
		op.note(warning.Address, "braces or brackets that curl cannot expand")
		return []string{text}
	}
	urls := []string{""}
	for _, set := range pieces {
		if len(urls)*len(set) > maxGlob {
			op.note(warning.GlobbingLimit, "--url")
			return []string{text}
		}
		more := make([]string, 0, len(urls)*len(set))
		for _, u := range urls {
			for _, s := range set {
				more = append(more, u+s)
			}
		}
		urls = more
	}
	return urls
}

// hasPattern reports whether a URL expands to several.
func hasPattern(text string) bool {
	pieces, ok := globPieces(text)
	return ok && len(pieces) > 1
}

// globPieces splits a URL into literals and the sets between them.
func globPieces(text string) ([][]string, bool) {
	if !strings.ContainsAny(text, "{}[]") {
		return [][]string{{text}}, true
	}
	var pieces [][]string
	var literal strings.Builder
	for i := 0; i < len(text); {
		size := max(1, request.VariableLength(text[i:]))
		switch c := text[i]; {
		case size > 1:
		case c == '\\' && i+1 < len(text) && strings.IndexByte("{}[]", text[i+1]) >= 0:
			i++
		case c == '}' || c == ']':
			return nil, false
		case c == '{' || c == '[':
			set, length := globSet(text[i:])
			if len(set) == 0 || len(pieces) > 2*maxGlob {
				return nil, false
			}
			if i += length; len(set) == 1 {
				literal.WriteString(set[0])
			} else {
				pieces = append(pieces, []string{literal.String()}, set)
				literal.Reset()
			}
			continue
		}
		literal.WriteString(text[i : i+size])
		i += size
	}
	return append(pieces, []string{literal.String()}), true
}

// Patterns for what brackets contain: a range such as 1-9, 001-100:3 or a-z:2, or an IPv6 address.
var (
	globRange = expression.Lazy(`^(?:([A-Za-z])-([A-Za-z])|([0-9]+)-([0-9]+))(?::([0-9]+))?$`)
	ipv6      = expression.Lazy(`^[0-9a-fA-F:.%]*:[0-9a-fA-F.%]*:[0-9a-fA-F:.%]*$`)
)

// globSet reads the {…} or […] at the beginning of text and returns its members. It returns the source alone if it
// isn't a pattern, and nil if curl would reject it.
func globSet(text string) (set []string, length int) {
	if text[0] == '{' {
		inner, _, ok := strings.Cut(text[1:], "}")
		length = len(inner) + 2
		switch {
		case !ok || inner == "" || strings.ContainsAny(inner, "{[]"):
			return nil, 0
		case strings.Contains(inner, ","):
			return strings.Split(inner, ","), length
		}
		return []string{text[:length]}, length
	}
	inner, _, ok := strings.Cut(text[1:], "]")
	length = len(inner) + 2
	m := globRange().FindStringSubmatch(inner)
	switch {
	case !ok:
		return nil, 0
	case inner == "" || ipv6().MatchString(inner):
		return []string{text[:length]}, length
	case m == nil:
		return nil, 0
	}
	step, err := 1, error(nil)
	if m[5] != "" {
		step, err = strconv.Atoi(m[5])
	}
	if err != nil || step < 1 {
		return nil, 0
	}
	if m[1] != "" {
		return globMembers(int(m[1][0]), int(m[2][0]), step, func(n int) string { return string(rune(n)) }), length
	}
	from, err := strconv.Atoi(m[3])
	to, err2 := strconv.Atoi(m[4])
	if err != nil || err2 != nil {
		return nil, 0
	}
	width := 0
	if m[3][0] == '0' {
		width = len(m[3])
	}
	return globMembers(from, to, step, func(n int) string {
		digits := strconv.Itoa(n)
		return strings.Repeat("0", max(0, width-len(digits))) + digits
	}), length
}

// globMembers expands a range, stopping as soon as it has too many members.
func globMembers(from, to, step int, show func(int) string) (set []string) {
	for n := from; n <= to && len(set) <= maxGlob; n += step {
		set = append(set, show(n))
	}
	return set
}
