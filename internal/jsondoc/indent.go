package jsondoc

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// IndentedSize guesses how many bytes a JSON text has, well-formed or not, when
// each value is on a line of its own, indented by so many spaces a level.
// Only a text whose indentation decides whether it is light gets a closer look,
// which costs as much as a third of its conversion; others count for their
// length.
func IndentedSize(text string, indent int) int {
	n := len(text)
	if n <= tinyText || n > convert.Light || n+indent*mostLevels(text) <= convert.Light {
		return n
	}
	return len(text) + indent*levels(text)
}

// tinyText is so short, in bytes, that it stays light whatever it is: as many
// values on as many levels, indented by 8 spaces each.
const tinyText = 60

// mostLevels is at least what levels returns.
func mostLevels(text string) int {
	opened := strings.Count(text, "[") + strings.Count(text, "{")
	closed := strings.Count(text, "]") + strings.Count(text, "}")
	return opened * (opened + closed + strings.Count(text, ","))
}

// levels is the sum of the depths of all values: the levels of indentation.
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
