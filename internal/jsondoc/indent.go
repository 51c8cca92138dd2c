package jsondoc

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// IndentedSize estimates how many bytes a JSON text, valid or not, has when each value is on its own line,
// indented by the given number of spaces a level. It looks closely only at a text whose indentation decides
// whether it is light, which costs up to a third of its conversion; for other texts it returns the length.
func IndentedSize(text string, indent int) int {
	n := len(text)
	if n <= tinyText || n > convert.Light || n+indent*maxLevels(text) <= convert.Light {
		return n
	}
	return len(text) + indent*levels(text)
}

// tinyText is the length in bytes up to which any text is light: as many values on as many levels, indented by
// 8 spaces each.
const tinyText = 60

// maxLevels is an upper bound of levels.
func maxLevels(text string) int {
	opened := strings.Count(text, "[") + strings.Count(text, "{")
	closed := strings.Count(text, "]") + strings.Count(text, "}")
	return opened * (opened + closed + strings.Count(text, ","))
}

// levels returns the sum of the depths of all values: the levels of indentation.
func levels(text string) (sum int) {
	depth, inside := 0, false // inside a string
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			inside = !inside
		case inside:
			if c == '\\' {
				i++
			}
		case c == '[', c == '{':
			depth++
			sum += depth
		case c == ']', c == '}':
			sum += depth
			depth = max(depth-1, 0)
		case c == ',':
			sum += depth
		}
	}
	return sum
}
