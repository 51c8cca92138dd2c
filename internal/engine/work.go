package engine

import (
	"strings"

	"github.com/convertd/convertd/internal/contract"
)

// work is a guess of how much a call will do, in bytes: each step reads about
// what the call was given, and writes that and the indentation. It only decides
// what a call queues behind, so a tool that it knows nothing of is served too.
func work(call contract.Call) int {
	text := call.Input.Value
	each := len(text)
	if each <= smallWork { // a few kilobytes can become the whole output limit
		indent := 0
		for _, step := range call.Steps {
			n, _ := step.Options["indent"].(int)
			indent = max(indent, n)
		}
		if indent*mostLevels(text) > smallWork {
			each += indent * levels(text)
		}
		if call.Input.MediaType == "application/yaml" && strings.Contains(text, "&") && strings.Contains(text, "*") {
			each += smallWork // anchors and aliases, which multiply
		}
	}
	return len(call.Steps) * each
}

// mostLevels is at least what levels returns, for next to nothing: most texts
// need no closer look.
func mostLevels(text string) int {
	opened := strings.Count(text, "[") + strings.Count(text, "{")
	closed := strings.Count(text, "]") + strings.Count(text, "}")
	return opened * (opened + closed + strings.Count(text, ","))
}

// levels is the sum of the depths of all values in a JSON text, well-formed or
// not: the levels of indentation, when each stands in a line of its own.
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
