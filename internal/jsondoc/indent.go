package jsondoc

import "github.com/convertd/convertd/internal/convert"

// IndentedSize estimates how many bytes a JSON text, valid or not, has when each value is on its own line, indented by the
// given number of spaces a level. A text that is not light anyway is not read: for it, and without indentation, it returns
// the length.
func IndentedSize(text string, indent int) int {
	if len(text) > convert.Light || indent == 0 {
		return len(text)
	}
	return len(text) + indent*levels(text)
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
