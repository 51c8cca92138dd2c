package curlcmd

import (
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// MaxGlob is how many URLs one URL with {a,b} or [1-3] may become. Beyond it
// the pattern stays in the URL.
const MaxGlob = 16

// globbed expands curl's URL patterns. {id}, which stands for itself alone,
// stays as it is: a path parameter was meant. A pattern of too many URLs stays
// as well, and so does what curl would refuse.
func (op *operation) globbed(text string) []string {
	pieces, ok := globPieces(text)
	if !ok {
		op.changed("url_pattern", "url")
		return []string{text}
	}
	urls := []string{""}
	for _, set := range pieces {
		if len(urls)*len(set) > MaxGlob {
			op.lost("url_pattern", "url")
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

// hasPattern reports whether a URL stands for several.
func hasPattern(text string) bool {
	pieces, ok := globPieces(text)
	return ok && len(pieces) > 1
}

// globPieces splits a URL into texts and the sets that stand between them.
func globPieces(text string) ([][]string, bool) {
	if !strings.ContainsAny(text, "{}[]") {
		return [][]string{{text}}, true
	}
	var pieces [][]string
	var literal strings.Builder
	for i := 0; i < len(text); {
		c := text[i]
		n := request.VariableLength(text[i:])
		switch {
		case n > 0:
			literal.WriteString(text[i : i+n])
			i += n
			continue
		case c == '\\' && i+1 < len(text) && strings.IndexByte("{}[]", text[i+1]) >= 0:
			literal.WriteByte(text[i+1])
			i += 2
			continue
		case c == '}' || c == ']':
			return nil, false
		case c != '{' && c != '[':
			literal.WriteByte(c)
			i++
			continue
		}
		set, length, ok := globSet(text[i:])
		if !ok || len(pieces) > 2*MaxGlob {
			return nil, false
		}
		if len(set) == 1 {
			literal.WriteString(set[0])
		} else {
			pieces = append(pieces, []string{literal.String()}, set)
			literal.Reset()
		}
		i += length
	}
	return append(pieces, []string{literal.String()}), true
}

// globSet reads the {…} or […] at the beginning of text: its members, or, for
// what is no pattern, its own text alone.
func globSet(text string) (set []string, length int, ok bool) {
	closing := "}"
	if text[0] == '[' {
		closing = "]"
	}
	end := strings.Index(text, closing)
	if end < 0 {
		return nil, 0, false
	}
	inner := text[1:end]
	if text[0] == '[' {
		if inner == "" || isIPv6(inner) {
			return []string{text[:end+1]}, end + 1, true
		}
		set, ok = globRange(inner)
		return set, end + 1, ok
	}
	if inner == "" || strings.ContainsAny(inner, "{[]") {
		return nil, 0, false
	}
	if strings.Contains(inner, ",") {
		return strings.Split(inner, ","), end + 1, true
	}
	return []string{text[:end+1]}, end + 1, true
}

func isIPv6(text string) bool {
	return strings.Count(text, ":") >= 2 && strings.Trim(text, "0123456789abcdefABCDEF:.%") == ""
}

// globRange reads 1-9, 001-100:3 or a-z:2.
func globRange(text string) ([]string, bool) {
	bounds, stepText, hasStep := strings.Cut(text, ":")
	low, high, ok := strings.Cut(bounds, "-")
	step := 1
	if hasStep {
		n, err := strconv.Atoi(stepText)
		if err != nil || n < 1 {
			return nil, false
		}
		step = n
	}
	if !ok || low == "" || high == "" {
		return nil, false
	}
	if len(low) == 1 && len(high) == 1 && isLetter(low[0]) && isLetter(high[0]) {
		return members(int(low[0]), int(high[0]), step, func(n int) string { return string(rune(n)) })
	}
	from, errFrom := strconv.Atoi(low)
	to, errTo := strconv.Atoi(high)
	if errFrom != nil || errTo != nil || from < 0 || to < 0 {
		return nil, false
	}
	width := 0
	if low[0] == '0' {
		width = len(low)
	}
	return members(from, to, step, func(n int) string {
		digits := strconv.Itoa(n)
		return strings.Repeat("0", max(0, width-len(digits))) + digits
	})
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// members writes a range out, though not further than is needed to see that
// it has too many.
func members(from, to, step int, show func(int) string) ([]string, bool) {
	var set []string
	for n := from; n <= to && len(set) <= MaxGlob; n += step {
		set = append(set, show(n))
	}
	return set, len(set) > 0
}
