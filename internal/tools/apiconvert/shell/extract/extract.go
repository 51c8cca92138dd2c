package extract

import (
	"regexp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Formats are tried in this order. Each function reports whether the lines are in its format. A line that begins with a
// command means a script or terminal output, except in formats that keep commands as they are.
var (
	verbatim = []func(lines []string) (script []string, ok bool){dockerfile, jenkinsfile, history, chat, listings}
	formats  = []func(lines []string) (script []string, ok bool){makefile, workflow, tldr, reST}
)

// Commands returns the shell commands of a file in another format as a script. ok is false for all other input,
// including shell scripts.
func Commands(text string) (script string, ok bool) {
	if !strings.Contains(text, "curl") && !strings.Contains(text, "CURL") || strings.HasPrefix(text, "#!") {
		return "", false
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if script, ok := first(verbatim, lines); ok {
		return script, true
	}
	if slices.ContainsFunc(lines, plainCommand().MatchString) {
		return "", false
	}
	return first(formats, lines)
}

// first returns the script of the first format that the lines are in.
func first(formats []func([]string) ([]string, bool), lines []string) (script string, ok bool) {
	for _, format := range formats {
		if script, ok := format(lines); ok {
			return strings.Join(script, "\n"), true
		}
	}
	return "", false
}

var plainCommand = expression.Lazy(`^(?:[$#%>] )?(?:sudo )?curl(?:\.exe)? `)

// assignment returns a line that sets a variable; if unless is set, the environment takes precedence.
func assignment(name, value string, unless bool) string {
	value = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`").Replace(value)
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
	for i, w := range words {
		if strings.Trim(w, wordLetters) != "" || w == "" {
			words[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`").Replace(w) + `"`
		}
	}
	return strings.Join(words, " ")
}

const wordLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@%+,"

// indentation returns the number of blanks that line begins with.
func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// continues reports whether a line ends with a backslash.
func continues(line string) bool { return strings.HasSuffix(strings.TrimRight(line, " \t"), `\`) }

// quotes tracks the quotes that are open in a command. The format replaces its references before a shell reads the
// command, also in single quotes, where a shell replaces nothing.
type quotes struct{ open []byte } // the open quotes and, within them, the ( of $(…), outermost first

// replace replaces the references in text by shell expansions.
func (q *quotes) replace(text string, reference *regexp.Regexp, with func(m []string) string) string {
	var out strings.Builder
	from := 0
	for _, at := range reference.FindAllStringSubmatchIndex(text, -1) {
		q.read(text[from:at[0]])
		out.WriteString(text[from:at[0]])
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
	q.read(text[from:])
	out.WriteString(text[from:])
	return out.String()
}

// last returns the innermost open quote or parenthesis, or 0.
func (q *quotes) last() byte {
	if len(q.open) == 0 {
		return 0
	}
	return q.open[len(q.open)-1]
}

// read updates the open quotes with a piece of the command.
func (q *quotes) read(text string) {
	for i := 0; i < len(text); i++ {
		switch c, last := text[i], q.last(); {
		case last == '\'' && c != '\'':
		case c == '\\':
			i++
		case c == last && c != '(', c == ')' && last == '(':
			q.open = q.open[:len(q.open)-1]
		case c == '"', c == '\'' && last != '"', c == '(' && (last == '(' || i > 0 && text[i-1] == '$'):
			q.open = append(q.open, c)
		}
	}
}
