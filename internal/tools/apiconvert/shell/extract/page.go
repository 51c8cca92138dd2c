package extract

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Patterns for a command of a tldr page and its placeholders: a choice between a short and a long option, and a value.
var (
	tldrCommand = expression.Lazy("^`(.*)`$")
	tldrOption  = expression.Lazy(`\{\{\[(?:[^\]|]*\|)?([^\]]*)\]\}\}`)
	tldrValue   = expression.Lazy(`\{\{('[^']*'|"[^"]*"|[^{}]*)\}\}`)
)

// tldr extracts the commands of a tldr page. A dash introduces what a command does; the command itself is in
// backquotes.
func tldr(lines []string) (script []string, ok bool) {
	script = make([]string, len(lines))
	about, found := false, false
	for i, line := range lines {
		line = strings.TrimSpace(line)
		m := tldrCommand().FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "> "):
			about = true
		case strings.HasPrefix(line, "- "):
			script[i] = "# " + strings.TrimSuffix(line[2:], ":")
		case m != nil:
			command := tldrOption().ReplaceAllString(m[1], "$1")
			script[i] = tldrValue().ReplaceAllString(command, "$1")
			found = found || strings.Contains(command, "curl")
		case line != "" && line[0] != '#':
			return nil, false
		}
	}
	return script, about && found
}

// Patterns for a directive or paragraph of reStructuredText that introduces a literal block, and for the line below a
// title.
var (
	literalBlock = expression.Lazy(`^(\s*)(?:\.\. (?:code-block|code|sourcecode|prompt)::.*|[^.\s].*::|::)\s*$`)
	underline    = expression.Lazy("^(?:={3,}|-{3,}|~{3,}|\\^{3,}|\"{3,}|\\+{3,}|\\*{3,})$")
)

// reST extracts the literal blocks of reStructuredText.
func reST(lines []string) (script []string, ok bool) {
	script = make([]string, len(lines))
	found := false
	for i := 0; i < len(lines); {
		if strings.HasPrefix(lines[i], "```") {
			return nil, false // Markdown
		}
		m := literalBlock().FindStringSubmatch(lines[i])
		if m == nil {
			if i > 0 && underline().MatchString(lines[i]) && strings.TrimSpace(lines[i-1]) != "" {
				script[i] = "# " + strings.TrimSpace(lines[i-1])
			}
			i++
			continue
		}
		outer, indent := len(m[1]), -1
		for i++; i < len(lines) && (strings.TrimSpace(lines[i]) == "" || indentation(lines[i]) > outer); i++ {
			text := strings.TrimSpace(lines[i])
			if text == "" || indent < 0 && strings.HasPrefix(text, ":") { // an option of the directive
				continue
			}
			if indent < 0 {
				indent = indentation(lines[i])
			}
			script[i] = lines[i][min(indent, indentation(lines[i])):]
			found = found || strings.Contains(script[i], "curl ")
		}
	}
	return script, found
}
