package extract

import (
	"regexp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Formats are tried in this order. Each function reports whether the lines are in its format. A line that begins with a
// command means a script or terminal output, except in formats that keep commands as they are.
var (
	verbatim = []format{dockerfile, jenkinsfile, history, chat, listings}
	formats  = []format{makefile, workflow, tldr, reST}
)

// format sets the lines of script, which has as many as the input.
type format func(lines, script []string) (ok bool)

// Commands returns the shell commands of a file in another format as a script. ok is false for all other input,
// including shell scripts.
func Commands(text string) (commands string, ok bool) {
	if !script.ContainsAny(text, "curl", "CURL") || strings.HasPrefix(text, "#!") {
		return "", false
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if commands, ok = first(verbatim, lines); ok {
		return commands, true
	}
	if slices.ContainsFunc(lines, plainCommand().MatchString) {
		return "", false
	}
	return first(formats, lines)
}

// first returns the script of the first format that the lines are in.
func first(formats []format, lines []string) (script string, ok bool) {
	for _, extract := range formats {
		if script := make([]string, len(lines)); extract(lines, script) {
			return strings.Join(script, "\n"), true
		}
	}
	return "", false
}

var plainCommand = expression.Lazy(`^(?:[$#%>] )?(?:sudo )?curl(?:\.exe)? `)

// assignment returns a line that sets a variable; if unless is set, the environment takes precedence.
func assignment(name, value string, unless bool) string {
	value = quotable.Replace(value)
	if unless {
		return name + `="${` + name + `:-` + value + `}"`
	}
	return name + `="` + value + `"`
}

// unquoted removes a pair of quotes around value.
func unquoted(value string) string {
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		return value[1 : n-1]
	}
	return value
}

// quoted returns words as a command.
func quoted(words []string) string {
	var line []string
	for _, w := range words {
		if strings.Trim(w, wordLetters) != "" || w == "" {
			w = `"` + quotable.Replace(w) + `"`
		}
		line = append(line, w)
	}
	return strings.Join(line, " ")
}

// commandLine returns a command that is a list of arguments, or the script that it passes to a shell.
func commandLine(words []string) string {
	if n := len(words) - 1; n == 0 || takesScript(words[:n]) {
		return words[n]
	}
	return quoted(words)
}

// takesScript reports whether the next argument of a command is a script for a shell.
func takesScript(words []string) bool {
	return len(words) > 1 && strings.HasPrefix(words[len(words)-1], "-") && strings.HasSuffix(words[len(words)-1], "c")
}

const wordLetters = script.NameLetters + "-./:=@%+,"

// quotable escapes a string for double quotes in which variables are still expanded.
var quotable = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`")

// indentation returns the number of blanks that line begins with.
func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// unindented returns line without at most indent blanks.
func unindented(line string, indent int) string { return line[min(indent, indentation(line)):] }

func isEmpty(line string) bool { return strings.TrimSpace(line) == "" }

func continues(line string) bool { return strings.HasSuffix(strings.TrimRight(line, " \t"), `\`) }

// quotes tracks the quotes that are open in a command. The format replaces its references before a shell reads the
// command, also in single quotes, where a shell replaces nothing.
type quotes struct{ open []byte } // the open quotes and, within them, the ( of $(…), outermost first

// replace replaces the references in text by shell expansions.
func (q *quotes) replace(text string, reference *regexp.Regexp, with func(m []string) string) string {
	var out strings.Builder
	from := 0
	for _, at := range reference.FindAllStringSubmatchIndex(text, -1) {
		out.WriteString(q.read(text[from:at[0]]))
		from = at[1]
		m := make([]string, len(at)/2)
		for i := range m {
			if at[2*i] >= 0 {
				m[i] = text[at[2*i]:at[2*i+1]]
			}
		}
		expansion := with(m)
		if q.last() == '\'' && len(expansion) > 1 && expansion[0] == '$' {
			expansion = `'"` + expansion + `"'`
		}
		out.WriteString(expansion)
	}
	return out.String() + q.read(text[from:])
}

// last returns the innermost open quote or parenthesis, or 0.
func (q *quotes) last() byte {
	if len(q.open) == 0 {
		return 0
	}
	return q.open[len(q.open)-1]
}

// read updates the open quotes with a piece of the command and returns it.
func (q *quotes) read(text string) string {
	for i := 0; i < len(text); i++ {
		switch c, last := text[i], q.last(); {
		case last == '\'' && c != '\'':
		case c == '\\':
			i++
		case last != 0 && c == last && c != '(', c == ')' && last == '(':
			q.open = q.open[:len(q.open)-1]
		case c == '"', c == '\'' && last != '"', c == '(' && (last == '(' || i > 0 && text[i-1] == '$'):
			q.open = append(q.open, c)
		}
	}
	return text
}
