package reader

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Patterns for the statements of a script: a condition before one, an assignment, one to several names with one of them,
// setting a variable; and for the values in these: the response as JSON or as text, a value as JSON, a word before a value,
// a name, and what replaces a missing value by an empty one (of which braces end the statement).
var (
	condition  = expression.Lazy(`^(?:else\b\s*)?(?:if\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*)?`)
	assignment = expression.Lazy(`^(?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s*=\s*(.+)$`)
	several    = expression.Lazy(`^(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*(.+)$`)
	oneOf      = expression.Lazy(`^\s*([A-Za-z_]\w*)(?:\s*:\s*([A-Za-z_$][\w$]*))?\s*(=?)`)
	setting    = expression.Lazy(`^(?:pm\s*\.\s*(?:environment|collectionVariables|globals|variables)\s*\.\s*set|` +
		`postman\s*\.\s*set(?:Environment|Global)Variable)\s*\(\s*(?:"([^"\\]+)"|'([^'\\]+)')\s*,\s*(.+?)\s*,?\s*\)$`)
	jsonResponse = expression.Lazy(`^(?:pm\s*\.\s*response\s*\.\s*json\(\s*\)|` +
		`JSON\s*\.\s*parse\(\s*(?:responseBody|pm\s*\.\s*response\s*\.\s*text\(\s*\))\s*\))`)
	textResponse = expression.Lazy(`^(?:pm\s*\.\s*response\s*\.\s*text\(\s*\)|responseBody)$`)
	asJSON       = expression.Lazy(`^JSON\s*\.\s*stringify\(\s*(.+?)\s*\)$`)
	prefixed     = expression.Lazy(`^(?:"([A-Za-z]+ )"|'([A-Za-z]+ )')\s*\+\s*(.+)$`)
	identifier   = expression.Lazy(`^[A-Za-z_$][\w$]*`)
	orEmpty      = expression.Lazy(`\s*(?:\|\||\?\?)\s*(?:""|''|null|undefined|\[\])?$`)
)

// source returns the code of an event's script.
func source(event *tree.Value) string {
	return strings.Join(event.Get("script").Get("exec").Texts(), "\n") + "\n"
}

// captured returns the variables that a script sets to values of the response, and whether it does anything else. A
// variable that it sets to several values depends on code that is not run.
func captured(script string) (captures []request.Capture, more bool) {
	values, times, known := map[string]request.Capture{}, map[string]int{}, map[request.Capture]bool{}
	// Most scripts only assert. Of these, it is enough to know whether they have any code.
	mayCapture := strings.Contains(script, "set") && strings.Contains(script, "response")
	for text := range statements(script) {
		if !mayCapture {
			return nil, true
		}
		if when := condition().FindString(text); when != "" {
			text, more = text[len(when):], true
		}
		if m := setting().FindStringSubmatch(text); m != nil {
			if c, ok := captureIn(m[3], values); ok && request.VariableName(m[1]+m[2]) {
				if c.Variable = m[1] + m[2]; !known[c] { // an environment and a collection may both have it
					known[c] = true
					captures = append(captures, c)
					times[c.Variable]++
				}
				continue
			}
		} else if m := assignment().FindStringSubmatch(text); m != nil {
			c, ok := captureIn(m[2], values)
			if delete(values, m[1]); ok {
				values[m[1]] = c
				continue
			}
		} else if m := several().FindStringSubmatch(text); m != nil {
			c, ok := captureIn(m[2], values)
			declare(values, m[1], c, ok && !c.Text && !c.JSON && c.Prefix == "")
			more = more || !ok
			continue
		}
		more = true
	}
	kept := captures[:0]
	for _, c := range captures {
		if times[c.Variable] == 1 {
			kept = append(kept, c)
		}
	}
	return kept, more || len(kept) < len(captures)
}

// declare gives the names in a pattern, such as "a, b: c", the members of a value. ok is false if the value is unknown, and
// so is a member with a default.
func declare(values map[string]request.Capture, pattern string, c request.Capture, ok bool) {
	for part := range strings.SplitSeq(pattern, ",") {
		if m := oneOf().FindStringSubmatch(part); m != nil {
			name := cmp.Or(m[2], m[1])
			if delete(values, name); ok && m[3] == "" {
				values[name] = request.Capture{Path: c.Path + "." + m[1]}
			}
		}
	}
}

// captureIn returns the value of an expression, if it is one of the response. values are those of the script's names.
func captureIn(text string, values map[string]request.Capture) (c request.Capture, ok bool) {
	text = orEmpty().ReplaceAllString(text, "")
	prefix, isJSON := "", false
	if m := prefixed().FindStringSubmatch(text); m != nil {
		prefix, text = m[1]+m[2], m[3]
	} else if m := asJSON().FindStringSubmatch(text); m != nil {
		text, isJSON = m[1], true
	}
	if textResponse().MatchString(text) {
		return request.Capture{Text: true}, prefix == "" && !isJSON
	}
	head := jsonResponse().FindString(text)
	if head == "" {
		head = identifier().FindString(text)
		if c, ok = values[head]; !ok {
			return c, false
		}
	}
	path, rest := request.CutPath(strings.TrimPrefix(text[len(head):], "?")) // ?. after a value that may be missing
	isText := c.Text || c.JSON || c.Prefix != ""
	if strings.TrimSpace(rest) != "" || isText && (path != "" || prefix != "" || isJSON) || strings.HasSuffix(path, ".length") {
		return c, false
	}
	if !isText {
		c.Prefix, c.JSON = prefix, isJSON
	}
	c.Path += path
	return c, true
}

// declares are what comes before a pattern with several names.
var declares = words.Set("const let var")

// maxPattern limits the length of such a pattern in bytes.
const maxPattern = 500

// statements splits a script at semicolons, braces and line ends, without its comments.
func statements(script string) iter.Seq[string] {
	return func(yield func(string) bool) {
		script += ";"
		var text []byte
		depth := 0 // of parentheses
		for i := 0; i < len(script); {
			n := inert(script[i:])
			switch c := script[i]; {
			case c == '{' && declares[string(bytes.TrimSpace(text))]:
				n = 1 + max(0, strings.IndexByte(script[i:min(len(script), i+maxPattern)], '}'))
				text = append(text, script[i:i+n]...)
			case n > 0 && c == '/' || c == '\n' && depth > 0:
				text = append(text, ' ')
			case n > 0:
				text = append(text, script[i:i+n]...)
			case strings.IndexByte(";{}\n", c) >= 0:
				if one := strings.TrimSpace(string(text)); one != "" && !yield(one) {
					return
				}
				text, depth = text[:0], 0
			default:
				if c == '(' {
					depth++
				} else if c == ')' {
					depth--
				}
				text = append(text, c)
			}
			i += max(n, 1)
		}
	}
}

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
