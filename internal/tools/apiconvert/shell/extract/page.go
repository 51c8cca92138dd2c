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
func tldr(lines, script []string) bool {
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
			return false
		}
	}
	titled(script)
	return about && found
}

// titled moves each heading to the line above the commands that it names.
func titled(script []string) {
	heading := -1
	for i, line := range script {
		switch {
		case strings.HasPrefix(line, "# ") && (i+1 == len(script) || script[i+1] == ""):
			heading = i
		case line != "":
			if heading >= 0 {
				script[heading], script[i-1] = script[i-1], script[heading]
			}
			heading = -1
		}
	}
}

// Patterns for a directive or paragraph of reStructuredText that introduces a literal block, for the line below a title,
// for a title of AsciiDoc or Org mode, and for the lines above and below a listing.
var (
	literalBlock = expression.Lazy(`^(\s*)(?:\.\. (?:code-block|code|sourcecode|prompt)::.*|[^.\s].*::|::)\s*$`)
	underline    = expression.Lazy("^(?:={3,}|-{3,}|~{3,}|\\^{3,}|\"{3,}|\\+{3,}|\\*{3,})$")
	listingTitle = expression.Lazy(`^(?:=+|\*+) (.*)$`)
	listing      = expression.Lazy(`^(?:-{4,}|\.{4,}|\s*#\+(?i:begin_src) .*)$`)
	listingEnd   = expression.Lazy(`^\s*#\+(?i:end_src)\s*$`)
)

// listings extracts the listings of AsciiDoc and Org mode that contain commands.
func listings(lines, script []string) (ok bool) {
	if !listingTitle().MatchString(lines[0]) {
		return false
	}
	for i := 0; i < len(lines); i++ {
		if m := listingTitle().FindStringSubmatch(lines[i]); m != nil && i > 0 { // the first is the document's title
			script[i] = "# " + strings.TrimSpace(m[1])
		}
		if !listing().MatchString(lines[i]) {
			continue
		}
		first, calls := i+1, false
		for i++; i < len(lines) && lines[i] != lines[first-1] && !listingEnd().MatchString(lines[i]); i++ {
			calls = calls || strings.Contains(lines[i], "curl ")
		}
		if calls {
			ok = true
			copy(script[first:i], lines[first:i])
		}
	}
	titled(script)
	return ok
}

// reST extracts the literal blocks of reStructuredText.
func reST(lines, script []string) (ok bool) {
	for i := 0; i < len(lines); {
		if strings.HasPrefix(lines[i], "```") {
			return false // Markdown
		}
		m := literalBlock().FindStringSubmatch(lines[i])
		if m == nil {
			if i > 0 && underline().MatchString(lines[i]) && !isEmpty(lines[i-1]) {
				script[i] = "# " + strings.TrimSpace(lines[i-1])
			}
			i++
			continue
		}
		outer, indent := len(m[1]), -1
		for i++; i < len(lines) && (isEmpty(lines[i]) || indentation(lines[i]) > outer); i++ {
			text := strings.TrimSpace(lines[i])
			if text == "" || indent < 0 && strings.HasPrefix(text, ":") { // an option of the directive
				continue
			}
			if indent < 0 {
				indent = indentation(lines[i])
			}
			script[i] = unindented(lines[i], indent)
			ok = ok || strings.Contains(script[i], "curl ")
		}
	}
	titled(script)
	return ok
}
