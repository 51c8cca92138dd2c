package postman

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// scriptType is the media type of events' scripts.
const scriptType = "text/javascript"

// script emits the lines of a script as one text.
func (e *emitter) script(exec *tree.Value) {
	source := strings.Join(exec.Texts(), "\n")
	if source == "" {
		return
	}
	e.Emit(site.Site{Role: site.Body, MediaType: scriptType}.As(source, func(text string) {
		text = expand(source, text)
		if exec.Kind() == tree.Array {
			exec.Become(tree.NewStrings(strings.Split(text, "\n")))
		} else {
			exec.Become(tree.NewString(text))
		}
	}))
}

// token matches what isn't code in a script: a comment, a string, a template, or a regular expression with the character
// before it. At the beginning of a line, a slash before a blank divides.
var token = expression.Lazy("//[^\n]*|/\\*(?s:.*?)(?:\\*/|\\z)" + `|"(?:\\(?s:.)|[^"\\\n])*"|'(?:\\(?s:.)|[^'\\\n])*'` +
	"|`(?:\\\\(?s:.)|[^`\\\\])*`" +
	`|(?:[=(,:\[!&|?{};]\s*/(?:` + escaped + `|[^/*\\\[\n])|\n\s*/(?:` + escaped + `|[^/*\\\[\s]))(?:` + escaped + `|[^/\\\[\n])*/`)

// escaped matches an escape or a class in a regular expression.
const escaped = `\\.|\[(?:\\.|[^\]\\\n])*\]`

// placeholder matches a variable that replaced a secret.
var placeholder = expression.Lazy(`\{\{([A-Za-z]\w*)\}\}`)

// expand makes a script look up the variables that replaced secrets in it: JavaScript doesn't expand {{name}}.
func expand(source, text string) string {
	known := map[string]bool{}
	for _, text := range append(token().FindAllString(source, -1), placeholder().FindAllString(source, -1)...) {
		known[text] = true
	}
	var out strings.Builder
	from := 0
	for _, at := range append(token().FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		out.WriteString(placeholder().ReplaceAllStringFunc(text[from:at[0]], func(name string) string {
			if known[name] {
				return name
			}
			return `pm.variables.get("` + name[2:len(name)-2] + `")`
		}))
		literal := text[at[0]:at[1]]
		from = at[1]
		if !known[literal] && placeholder().MatchString(literal) {
			literal = lookup(literal, out.String(), text[from:])
		}
		out.WriteString(literal)
	}
	return out.String()
}

// lookup returns an expression for a string or template with variables, between other code.
func lookup(literal, before, after string) string {
	quote := literal[:1]
	left := strings.TrimRight(before, " \t\r\n")
	switch {
	case !strings.Contains("\"'`", quote), strings.HasSuffix(left, ".replaceIn("):
		return literal
	case quote == "`" && (strings.LastIndex(literal, "${") > strings.LastIndex(literal, "}") || tagged().MatchString(before[max(0, len(before)-1):])):
		return literal // it ends in a nested template, or a function takes it
	}
	expression := "pm.variables.replaceIn(" + literal + ")"
	if m := placeholder().FindStringSubmatch(literal); len(m[0])+2 == len(literal) {
		expression = "pm.variables.get(" + quote + m[1] + quote + ")"
	}
	if strings.HasPrefix(strings.TrimLeft(after, " \t\r\n"), ":") && (strings.HasSuffix(left, "{") || strings.HasSuffix(left, ",")) {
		expression = "[" + expression + "]" // the name of a property
	}
	return expression
}

// tagged matches the last character of code whose value is called with the template after it.
var tagged = expression.Lazy(`[\w$)\]]`)
