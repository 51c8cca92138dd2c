package request

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Capture is a variable that the source sets to a value of the response of a request.
type Capture struct {
	Variable string
	// Path selects the value in the JSON of the response, as JavaScript and jq write it: .data[0]["a-b"]. It is "" for
	// the whole response.
	Path string
	// JSON means the value as JSON, so that a string has quotes.
	JSON bool
	// Text means the response as it is, which need not be JSON.
	Text bool
	// Prefix is a word and a space before the value: "Bearer ".
	Prefix string
}

// Uncaptured is a variable that a script sets in a way that the model doesn't have.
type Uncaptured struct {
	Variable string
	Line     int
}

// steps of a path: .name or, with an optional dot, [0], ["name"] or ['name']. jq also has ."name". A ? after a step, in
// both languages, is for a value that may be missing.
var step = expression.Lazy(
	`^\s*(?:\.\s*([A-Za-z_][A-Za-z0-9_]*)|\.?\s*\[\s*(?:(\d{1,9})|"([^"\\\n]*)"|'([^'"\\\n]*)')\s*\]|\."([^"\\\n]*)")\??`)

var identifier = expression.Lazy(`^[A-Za-z_][A-Za-z0-9_]*$`)

// CutPath cuts the path that text begins with, and returns it as Capture has it.
func CutPath(text string) (path, rest string) {
	for {
		m := step().FindStringSubmatch(text)
		switch {
		case m == nil:
			return path, text
		case m[1] != "":
			path += "." + m[1]
		case m[2] != "":
			path += "[" + m[2] + "]"
		case identifier().MatchString(m[3] + m[4] + m[5]):
			path += "." + m[3] + m[4] + m[5]
		default:
			path += `["` + m[3] + m[4] + m[5] + `"]`
		}
		text = text[len(m[0]):]
	}
}

// JavaScript returns the statement of a Postman test script that captures the value.
func (c Capture) JavaScript() string {
	value := "pm.response.json()" + c.Path
	if c.Prefix != "" {
		value = `"` + c.Prefix + `" + ` + value
	}
	if c.JSON {
		value = "JSON.stringify(" + value + ")"
	}
	if c.Text {
		value = "pm.response.text()"
	}
	return `pm.collectionVariables.set("` + c.Variable + `", ` + value + ");"
}

// ofFilter cuts what a jq filter ends with: an alternative for a missing value.
var ofFilter = expression.Lazy(`^\s*(?://\s*(?:empty|null|""))?\s*$`)

// ParseJQ returns the path that a jq filter selects. ok is false for any other filter.
func ParseJQ(filter string) (path string, ok bool) {
	for {
		next, rest := CutPath(filter)
		if next == "" {
			var dot bool
			if rest, dot = strings.CutPrefix(strings.TrimSpace(filter), "."); !dot {
				return "", false
			}
		}
		path += next
		piped, more := strings.CutPrefix(strings.TrimSpace(rest), "|")
		if !more {
			return path, ofFilter().MatchString(rest)
		}
		filter = piped
	}
}
