package extract

import (
	"encoding/json"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Patterns for a YAML mapping entry, the header of a block scalar, and the keys that hold commands or variables in CI
// systems, Compose files and manifests.
var (
	yamlMember   = expression.Lazy(`^(\s*(?:- +)*)["']?([A-Za-z_][A-Za-z0-9_.-]*)["']?:(?:\s+(.*))?$`)
	topLevel     = expression.Lazy(`^(?:[ \t\r#]|---|\.\.\.|%|- |["']?[A-Za-z_.][^:=(]*:(?: |$))`)
	yamlItem     = expression.Lazy(`^(\s*(?:- +)+)(.*)$`)
	yamlBlock    = expression.Lazy(`^([|>])[-+0-9]*\s*(?:#.*)?$`)
	commandKeys  = expression.Lazy(`^(?:run|script|before_script|after_script|before_install|install|command|commands|cmds?|bash|sh|shell|exec|entrypoint|args|test)$`)
	variableKeys = expression.Lazy(`^(?:env|variables|environment)$`)
	openAPIKeys  = expression.Lazy(`^["']?(?:openapi|swagger|paths)["']?[ \t]*:`)
)

// yaml extracts commands from the lines of a workflow.
type yaml struct {
	lines, script []string
	runs          bool
}

// workflow extracts the commands of YAML files such as CI workflows and Compose files.
func workflow(lines []string) (script []string, ok bool) {
	for _, line := range lines {
		if line != "" && !topLevel().MatchString(line) {
			return nil, false
		}
	}
	y := yaml{lines: lines, script: make([]string, len(lines))}
	for i := 0; i < len(lines); {
		i = y.member(i)
	}
	return y.script, y.runs
}

// member reads the mapping entry at line i with its value and returns the index of the next line.
func (y *yaml) member(i int) int {
	line := y.lines[i]
	if openAPIKeys().MatchString(line) {
		y.runs = false
		return len(y.lines)
	}
	m := yamlMember().FindStringSubmatch(line)
	if m == nil {
		return i + 1
	}
	indent, key, value := len(m[1]), m[2], strings.TrimSpace(m[3])
	switch {
	case key == "name" && value != "" && !strings.Contains(value, ": "):
		y.script[i] = "# " + unquoted(value)
	case variableKeys().MatchString(key) && value == "":
		return y.variables(i+1, indent)
	case commandKeys().MatchString(key) && value == "":
		return y.list(i+1, indent)
	case commandKeys().MatchString(key):
		return y.scalar(i, indent, value)
	}
	return i + 1
}

// variables reads the entries of env below a line with the given indentation.
func (y *yaml) variables(i, indent int) int {
	for ; i < len(y.lines) && (strings.TrimSpace(y.lines[i]) == "" || indentation(y.lines[i]) > indent); i++ {
		if m := yamlMember().FindStringSubmatch(y.lines[i]); m != nil && m[3] != "" && !yamlBlock().MatchString(m[3]) && !strings.Contains(m[1], "-") {
			value := (&quotes{}).replace(unquoted(withoutComment(m[3])), actionsExpression(), actionsVariable)
			y.script[i] = assignment(m[2], value, false)
		}
	}
	return i
}

// list reads the items of a list of commands.
func (y *yaml) list(i, indent int) int {
	for i < len(y.lines) {
		m := yamlItem().FindStringSubmatch(y.lines[i])
		switch {
		case strings.TrimSpace(y.lines[i]) == "", strings.HasPrefix(strings.TrimSpace(y.lines[i]), "#"):
			i++
		case m == nil || indentation(y.lines[i]) < indent || yamlMember().MatchString(y.lines[i]) && !plainCommand().MatchString(m[2]):
			return i
		default:
			i = y.scalar(i, indentation(y.lines[i]), m[2])
		}
	}
	return i
}

// scalar reads a command that begins on line i and writes it to the same lines of the script.
func (y *yaml) scalar(i, indent int, value string) int {
	first, next := i, i+1
	for next < len(y.lines) && (strings.TrimSpace(y.lines[next]) == "" || indentation(y.lines[next]) > indent) {
		next++
	}
	if m := yamlBlock().FindStringSubmatch(value); m != nil {
		y.block(first+1, next, m[1] == ">")
	} else if strings.HasPrefix(value, "[") {
		y.flow(first, next, value)
	} else {
		y.script[first] = unquotedScalar(value)
		for i := first + 1; i < next && value[0] != '"' && value[0] != '\''; i++ { // a plain scalar continues
			if text := strings.TrimSpace(y.lines[i]); text != "" && !strings.HasPrefix(text, "#") {
				y.script[i-1] = strings.TrimSuffix(y.script[i-1], `\`) + ` \`
				y.script[i] = text
			}
		}
	}
	var q quotes
	for j := first; j < next; j++ {
		y.script[j] = q.replace(y.script[j], actionsExpression(), actionsVariable)
	}
	y.runs = y.runs || strings.Contains(strings.Join(y.script[first:next], "\n"), "curl")
	return next
}

// block reads a literal or folded block scalar (YAML 1.2.2, section 8.1).
func (y *yaml) block(from, to int, folded bool) {
	indent := -1
	for i := from; i < to; i++ {
		line := y.lines[i]
		if strings.TrimSpace(line) == "" {
			continue
		}
		if indent < 0 {
			indent = indentation(line)
		}
		y.script[i] = line[min(indent, indentation(line)):]
		if folded && i > from && y.script[i-1] != "" && y.script[i][0] != ' ' && !continues(y.script[i-1]) {
			y.script[i-1] += ` \`
		}
	}
}

// flow reads a flow sequence, such as the exec form of Compose.
func (y *yaml) flow(first, next int, value string) {
	joined := value + " " + strings.Join(y.lines[first+1:next], " ")
	var words []string
	if json.Unmarshal([]byte(joined), &words) != nil {
		for _, w := range strings.Split(strings.Trim(joined, "[] "), ",") {
			words = append(words, unquoted(strings.TrimSpace(w)))
		}
	}
	switch {
	case len(words) == 2 && words[0] == "CMD-SHELL":
		y.script[first] = words[1]
	case len(words) == 3 && words[1] == "-c":
		y.script[first] = words[2]
	case len(words) > 0 && words[0] == "CMD":
		y.script[first] = quoted(words[1:])
	default:
		y.script[first] = quoted(words)
	}
}

// actionsExpression matches a GitHub Actions expression, which is replaced before a shell reads the command.
var actionsExpression = expression.Lazy(`\$\{\{ *(?:(?:env|secrets|vars|inputs|matrix)\.)?([^{}]*?) *\}\}`)

// actionsVariable returns the shell variable for an expression: ${TOKEN} for ${{ secrets.TOKEN }}.
func actionsVariable(m []string) string {
	return "${" + strings.Trim(notName().ReplaceAllString(m[1], "_"), "_") + "}"
}

var notName = expression.Lazy(`[^A-Za-z0-9_]+`)

// unquotedScalar returns the value of a scalar on one line.
func unquotedScalar(value string) string {
	switch {
	case strings.HasPrefix(value, `"`):
		var text string
		if json.Unmarshal([]byte(value), &text) == nil {
			return strings.ReplaceAll(text, "\n", "; ")
		}
		return unquoted(value)
	case strings.HasPrefix(value, "'"):
		return strings.ReplaceAll(unquoted(value), "''", "'")
	}
	return value
}

// withoutComment returns a plain value without the comment after it.
func withoutComment(value string) string {
	if quote := value[0]; quote == '"' || quote == '\'' {
		if end := strings.LastIndexByte(value, quote); end > 0 {
			return value[:end+1]
		}
	}
	value, _, _ = strings.Cut(value, " #")
	return strings.TrimSpace(value)
}
