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
	return titled(script), about && found
}

// titled moves each heading to the line above the commands that it names.
func titled(script []string) []string {
	heading := -1
	for i, line := range script {
		switch {
		case strings.HasPrefix(line, "# ") && (i+1 == len(script) || script[i+1] == ""):
			heading = i
		case line != "":
			if heading >= 0 {
				text := script[heading]
				script[heading] = ""
				script[i-1] = text
			}
			heading = -1
		}
	}
	return script
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
func listings(lines []string) (script []string, ok bool) {
	if !listingTitle().MatchString(lines[0]) {
		return nil, false
	}
	script = make([]string, len(lines))
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
	return titled(script), ok
}

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
	return titled(script), found
}
