package reader

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// assertion matches the assertions about a response's status that nearly all scripts use. Scripts are not run: any other
// code asserts nothing. Each alternative ends where the next one can begin, so that a search stays linear.
var assertion = expression.Lazy(
	// pm.response.to.have.status(201)
	`^(?:pm\s*\.response\s*\.to\s*\.(?:have|be)\s*\.status(\(\s*\d{3}\b)` +
		// pm.expect(pm.response.code).to.equal(201), .to.eql(201), .to.be.oneOf([200, 201])
		`|expect\(\s*(?:pm\.response|responseCode)\.code\s*(?:,[^()]*)?\)\s*\.to\s*(?:\.be\s*)?\.(?:equals?|eql|oneOf)(\([^()]*)\)` +
		// tests["name"] = responseCode.code === 200 || responseCode.code === 201
		`|\]\s*=\s*\(?((?:[\s|]*(?:responseCode|pm\.response)\.code\s*===?\s*\d{3}\b)+))`)

// inert returns the length of the comment or string that code begins with, or 0. Neither holds a statement.
func inert(code string) int {
	closing := ""
	switch c := code[0]; {
	case strings.HasPrefix(code, "//"):
		line, _, _ := strings.Cut(code, "\n")
		return len(line)
	case strings.HasPrefix(code, "/*"):
		closing = "*/"
	case c == '`':
		closing = "`"
	case c == '"' || c == '\'':
		for n := 1; n < len(code); n++ {
			switch {
			case code[n] == c:
				return n + 1
			case code[n] == '\n':
				return n
			case code[n] == '\\' && !strings.HasPrefix(code[n+1:], "\n"):
				n++
			}
		}
		return len(code)
	default:
		return 0
	}
	begin := len(closing)
	if n := strings.Index(code[begin:], closing); n >= 0 {
		return begin + n + len(closing)
	}
	return len(code)
}

func isWord(c byte) bool { return words.IsAlnum(c) || c == '_' }

// status matches a status within an assertion.
var status = expression.Lazy(`\b[1-5]\d\d\b`)

// maxAsserted caps the number of responses inferred for one request.
const maxAsserted = 20

// addAsserted adds a response for each status that the test scripts of a request assert and that none of its saved
// responses has.
func (r *reader) addAsserted(read *request.Request, item *tree.Value) {
	known := map[string]bool{}
	for _, response := range read.Responses {
		known[response.Status] = true
	}
	for _, status := range r.statuses(item) {
		if !known[status] {
			read.Responses = append(read.Responses, &request.Response{Status: status})
		}
	}
}

// statuses returns the statuses that the test scripts of an item assert, each once, in order.
func (r *reader) statuses(item *tree.Value) []string {
	var script strings.Builder
	for _, event := range item.Get("event").Elements() {
		if event.Get("listen").Text() != "test" || event.Get("disabled").Bool() {
			continue
		}
		script.WriteString(source(event))
	}
	text := script.String()
	if !strings.Contains(text, "response") { // as each assertion does
		return nil
	}
	list, known := r.tests[text]
	if !known {
		list = assertedStatuses(text)
		r.tests[text] = list
	}
	return list
}

// assertedStatuses returns the statuses that a script asserts, each once, in order.
func assertedStatuses(script string) (statuses []string) {
	for i := 0; i < len(script); {
		if n := inert(script[i:]); n > 0 {
			i += n
			continue
		}
		var match []string
		if c := script[i]; c == ']' || (c == 'p' || c == 'e') && (i == 0 || !isWord(script[i-1])) {
			match = assertion().FindStringSubmatch(script[i:])
		}
		if match == nil {
			i++
			continue
		}
		i += len(match[0])
		for _, text := range status().FindAllString(match[1]+match[2]+match[3], maxAsserted) {
			if !slices.Contains(statuses, text) && len(statuses) < maxAsserted {
				statuses = append(statuses, text)
			}
		}
	}
	return statuses
}
