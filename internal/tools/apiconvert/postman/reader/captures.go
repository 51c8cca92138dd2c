package reader

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Patterns for the statements of a script: what separates them, an assignment, setting a variable; and for the values
// in these: the response as JSON or as text, a value as JSON, a name.
var (
	separator  = expression.Lazy(inert + `|[;{}()\n]`)
	assignment = expression.Lazy(`^(?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s*=\s*(.+)$`)
	setting    = expression.Lazy(`^(?:pm\s*\.\s*(?:environment|collectionVariables|globals|variables)\s*\.\s*set|` +
		`postman\s*\.\s*set(?:Environment|Global)Variable)\s*\(\s*(?:"([^"\\]+)"|'([^'\\]+)')\s*,\s*(.+?)\s*,?\s*\)$`)
	jsonResponse = expression.Lazy(`^(?:pm\s*\.\s*response\s*\.\s*json\(\s*\)|` +
		`JSON\s*\.\s*parse\(\s*(?:responseBody|pm\s*\.\s*response\s*\.\s*text\(\s*\))\s*\))`)
	textResponse = expression.Lazy(`^(?:pm\s*\.\s*response\s*\.\s*text\(\s*\)|responseBody)$`)
	asJSON       = expression.Lazy(`^JSON\s*\.\s*stringify\(\s*(.+?)\s*\)$`)
	identifier   = expression.Lazy(`^[A-Za-z_$][\w$]*`)
)

// source returns the code of an event's script.
func source(event *tree.Value) string {
	return strings.Join(event.Get("script").Get("exec").Texts(), "\n") + "\n"
}

// captured returns the variables that a script sets to values of the response, and whether it does anything else. A
// variable that it sets to several values depends on code that is not run.
func captured(script string) (captures []request.Capture, more bool) {
	values, times := map[string]request.Capture{}, map[string]int{}
	for _, text := range statements(script) {
		if m := setting().FindStringSubmatch(text); m != nil {
			if c, ok := captureIn(m[3], values); ok && request.VariableName(m[1]+m[2]) {
				c.Variable = m[1] + m[2]
				captures = append(captures, c)
				times[c.Variable]++
				continue
			}
		} else if m := assignment().FindStringSubmatch(text); m != nil {
			c, ok := captureIn(m[2], values)
			if delete(values, m[1]); ok {
				values[m[1]] = c
				continue
			}
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

// captureIn returns the value of an expression, if it is one of the response. values are those of the script's names.
func captureIn(text string, values map[string]request.Capture) (c request.Capture, ok bool) {
	if m := asJSON().FindStringSubmatch(text); m != nil {
		c, ok = captureIn(m[1], values)
		c.JSON = true
		return c, ok && !c.Text
	}
	if textResponse().MatchString(text) {
		return request.Capture{Text: true}, true
	}
	head := jsonResponse().FindString(text)
	if head == "" {
		head = identifier().FindString(text)
		if c, ok = values[head]; !ok {
			return c, false
		}
	}
	path, rest := request.CutPath(text[len(head):])
	if strings.TrimSpace(rest) != "" || path != "" && (c.Text || c.JSON) || strings.HasSuffix(path, ".length") {
		return c, false
	}
	c.Path += path
	return c, true
}

// statements splits a script at semicolons, braces and line ends, without its comments.
func statements(script string) (list []string) {
	var text strings.Builder
	depth, from := 0, 0
	end := func() {
		if one := strings.TrimSpace(text.String()); one != "" {
			list = append(list, one)
		}
		text.Reset()
		depth = 0
	}
	for _, at := range separator().FindAllStringIndex(script, -1) {
		text.WriteString(script[from:at[0]])
		from = at[1]
		switch token := script[at[0]:from]; {
		case token[0] == '/' || token == "\n" && depth > 0:
			text.WriteByte(' ')
		case token == ";" || token == "{" || token == "}" || token == "\n":
			end()
		default:
			depth += strings.Count(token[:1], "(") - strings.Count(token[:1], ")")
			text.WriteString(token)
		}
	}
	text.WriteString(script[from:])
	end()
	return list
}
