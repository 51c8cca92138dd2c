package extract

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Patterns for a YAML mapping entry, the header of a block scalar, and the keys that hold commands or variables in CI
// systems, Compose files, Ansible playbooks and manifests. An Ansible module may have a namespace before its name.
var (
	yamlMember  = expression.Lazy(`^(\s*(?:- +)*)["']?([A-Za-z_.][A-Za-z0-9_.-]*)["']?:(?:\s+(.*))?$`)
	topLevel    = expression.Lazy(`^(?:[ \t\r#]|---|\.\.\.|%|- |["']?[A-Za-z_.][^:=(]*:(?: |$))`)
	yamlItem    = expression.Lazy(`^(\s*(?:- +)+)(.*)$`)
	yamlBlock   = expression.Lazy(`^([|>])[-+0-9]*\s*(?:#.*)?$`)
	yamlAnchor  = expression.Lazy(`^&\S+\s*`)
	commandKeys = expression.Lazy(`^(?:[a-z]+\.)*(?:run|script|source|(?:before|after)_(?:script|install|success|failure|deploy)` +
		`|install|command|commands|cmds?|bash|sh|shell|exec|entrypoint|args|argv|test)$`)
	argumentKeys = expression.Lazy(`^(?:command|exec|entrypoint|args|argv|test)$`)
	foreignShell = expression.Lazy(`^\s*(?:- +)?shell: *["']?(?:pwsh|powershell|cmd|python|node)\b`)
	otherProgram = expression.Lazy(`^(?:exec|entrypoint|args|test)$`) // often a program without a shell
	variableKeys = expression.Lazy(`^(?:env|vars|variables|environment)$`)
	variableName = expression.Lazy(`^[A-Za-z_][A-Za-z0-9_]*$`)
	openAPIKeys  = expression.Lazy(`^["']?(?:openapi|swagger|paths)["']?[ \t]*:`)
	stepName     = expression.Lazy(`[ A-Z]`) // other names are identifiers
	composeKey   = expression.Lazy(`^services:\s*$`)
	templateKey  = expression.Lazy(`^(?:- name:|\s*(?:- )?(?:hosts|tasks|apiVersion):)`)
)

// yaml extracts commands from the lines of a workflow.
type yaml struct {
	lines, script []string
	runs          bool
	compose       bool            // $$ represents $
	templates     bool            // {{ name }} is a variable
	variables     map[string]bool // those that the file sets
	name          string          // of the current step
	argv          []string        // the arguments of the last command …
	argvLine      int             // … which are on this line of the script
	argvIndent    int
}

// workflow extracts the commands of YAML files such as CI workflows and Compose files.
func workflow(lines, script []string) bool {
	y := yaml{lines: lines, script: script, variables: map[string]bool{}}
	for _, line := range lines {
		if line != "" && !topLevel().MatchString(line) {
			return false
		}
		y.compose = y.compose || composeKey().MatchString(line)
		y.templates = y.templates || templateKey().MatchString(line)
	}
	for i := 0; i < len(lines); {
		i = y.member(i)
	}
	return y.runs
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
	anchor := yamlAnchor().FindString(value)
	value = value[len(anchor):]
	if indentation(line) < y.argvIndent { // another mapping
		y.argv = nil
	}
	isCommand := commandKeys().MatchString(key) || anchor != "" || plainCommand().MatchString(unquotedScalar(value))
	switch {
	case (key == "name" || key == "desc") && value != "" && !strings.Contains(value, ": "):
		if y.name = ""; stepName().MatchString(unquoted(value)) {
			y.name = unquoted(value)
		}
	case variableKeys().MatchString(key) && value == "":
		return y.assignments(i+1, indent, key == "environment")
	case isCommand && value == "":
		return y.list(i+1, indent, argumentKeys().MatchString(key))
	case yamlBlock().MatchString(value) && isCommand && !y.isForeign(i):
		return y.scalar(i, indent, value)
	case key == "shell" && (!strings.Contains(value, " ") || strings.HasSuffix(value, "{0}")): // names a shell
	case otherProgram().MatchString(key) && value[0] != '[' && !strings.Contains(value, "curl"):
	case isCommand && y.isForeign(i):
		return y.end(i+1, indent)
	case isCommand:
		return y.scalar(i, indent, value)
	}
	return i + 1
}

// end returns the index of the first line from i that is not indented more than indent.
func (y *yaml) end(i, indent int) int {
	for i < len(y.lines) && (isEmpty(y.lines[i]) || indentation(y.lines[i]) > indent) {
		i++
	}
	return i
}

// isForeign reports whether the key shell next to the command at line i names a shell other than POSIX's.
func (y *yaml) isForeign(i int) bool {
	indent := len(yamlMember().FindStringSubmatch(y.lines[i])[1])
	outside := func(j int) bool { return indentation(y.lines[j]) < indent && !isEmpty(y.lines[j]) }
	from, to := i, i+1
	for from > 0 && i-from < maxStep && !outside(from) { // the first key of the step has less indentation
		from--
	}
	for to < len(y.lines) && to-i < maxStep && !outside(to) {
		to++
	}
	return slices.ContainsFunc(y.lines[from:to], func(line string) bool {
		return strings.Contains(line, "shell:") && foreignShell().MatchString(line) &&
			len(yamlMember().FindStringSubmatch(line)[1]) == indent
	})
}

// maxStep is the maximum number of lines between a command and the shell that runs it.
const maxStep = 100

// assignments reads the variables below a line with the given indentation: a mapping, a list of name and value pairs, or
// a list of NAME=value. A key environment may also hold settings, which are in lower case.
func (y *yaml) assignments(i, indent int, upper bool) int {
	inner, name := -1, ""
	for ; i < len(y.lines); i++ {
		line := y.lines[i]
		if isEmpty(line) {
			continue
		}
		item := yamlItem().FindStringSubmatch(line)
		if at := indentation(line); at < indent || at == indent && item == nil {
			break
		} else if inner < 0 {
			inner = at
		}
		m := yamlMember().FindStringSubmatch(line)
		switch {
		case m != nil && m[3] == "":
		case m != nil && item != nil && m[2] == "name":
			name = unquoted(withoutComment(m[3]))
		case m != nil && item == nil && m[2] == "value" && name != "":
			y.assign(i, name, m[3], false)
			name = ""
		case m != nil && item == nil && indentation(line) == inner:
			y.assign(i, m[2], m[3], upper)
		case m == nil && item != nil:
			if name, value, ok := strings.Cut(unquoted(item[2]), "="); ok && value != "" {
				y.assign(i, name, value, upper)
			}
		}
	}
	return i
}

func (y *yaml) assign(i int, name, value string, upper bool) {
	isMapping := strings.HasPrefix(value, "{") && !strings.HasPrefix(value, "{{")
	isSetting := upper && strings.ToUpper(name) != name
	if variableName().MatchString(name) && !isSetting && !isMapping && !yamlBlock().MatchString(value) {
		y.variables[name] = true
		y.script[i] = assignment(name, y.replace(&quotes{}, unquoted(withoutComment(value))), false)
	}
}

// list reads the items of a list of commands, or of the arguments of one command.
func (y *yaml) list(i, indent int, arguments bool) int {
	words, first := y.before(indent), i
	for i < len(y.lines) {
		line := y.lines[i]
		if isEmpty(line) || isComment(line) {
			i++
			continue
		}
		m := yamlItem().FindStringSubmatch(line)
		isCommand := m != nil && plainCommand().MatchString(m[2])
		if m == nil || indentation(line) < indent || yamlMember().MatchString(line) && !isCommand {
			break
		}
		switch {
		case strings.HasPrefix(m[2], "*"), strings.HasPrefix(m[2], "!reference"): // commands that are elsewhere
			i++
		case arguments && !takesScript(words) && !isCommand:
			words = append(words, unquotedScalar(withoutComment(m[2])))
			i++
		default:
			words, y.argv = nil, nil
			i = y.scalar(i, indentation(line), m[2])
		}
	}
	y.command(first, indent, words)
	return i
}

// before returns the arguments of the command that the key args or command at an indentation continues, if any.
func (y *yaml) before(indent int) []string {
	if indent != y.argvIndent {
		return nil
	}
	return y.argv
}

// command writes a command that is a list of arguments, if it is curl or a shell that runs it.
func (y *yaml) command(line, indent int, words []string) {
	if len(words) > 0 && strings.HasPrefix(words[0], "CMD") {
		words = words[1:]
	}
	if len(y.before(indent)) > 0 {
		y.script[y.argvLine], y.argv = "", nil
	} else {
		y.argv, y.argvLine, y.argvIndent = slices.Clip(words), line, indent
	}
	if strings.Contains(strings.Join(words, " "), "curl") {
		y.script[line] = commandLine(words)
		y.finish(line, line+1)
	}
}

// finish replaces the references in the lines of a command and writes the name of the current step above it.
func (y *yaml) finish(i, next int) {
	var q quotes
	for j := i; j < next; j++ {
		y.runs = y.runs || strings.Contains(y.script[j], "curl")
		y.script[j] = y.replace(&q, y.script[j])
	}
	if y.name != "" && i > 0 && y.script[i-1] == "" {
		y.script[i-1] = "# " + y.name
	}
	y.name = ""
}

// scalar reads a command that begins on line i and writes it to the same lines of the script.
func (y *yaml) scalar(i, indent int, value string) int {
	first, next := i, y.end(i+1, indent)
	if strings.HasPrefix(value, "[") && !strings.HasPrefix(value, "[ ") && !strings.HasPrefix(value, "[[") {
		y.command(first, indent, append(y.before(indent), flow(value+" "+strings.Join(y.lines[first+1:next], " "))...))
		return next
	}
	if m := yamlBlock().FindStringSubmatch(value); m != nil {
		first++
		y.block(first, next, m[1] == ">")
	} else {
		y.script[first] = unquotedScalar(value)
		for i := first + 1; i < next && !strings.ContainsAny(value[:min(1, len(value))], "\"'"); i++ { // a plain scalar continues
			if text := strings.TrimSpace(y.lines[i]); text != "" && !strings.HasPrefix(text, "#") {
				y.script[i-1] = strings.TrimSuffix(y.script[i-1], `\`) + ` \`
				y.script[i] = text
			}
		}
	}
	y.finish(first, next)
	return next
}

// block reads a literal or folded block scalar (YAML 1.2.2, section 8.1).
func (y *yaml) block(from, to int, folded bool) {
	indent := -1
	for i := from; i < to; i++ {
		if isEmpty(y.lines[i]) {
			continue
		}
		if indent < 0 {
			indent = indentation(y.lines[i])
		}
		y.script[i] = unindented(y.lines[i], indent)
		if folded && i > from && y.script[i-1] != "" && y.script[i][0] != ' ' && !continues(y.script[i-1]) {
			y.script[i-1] += ` \`
		}
	}
}

// flow returns the items of a flow sequence, such as the exec form of Compose.
func flow(text string) (words []string) {
	if json.Unmarshal([]byte(text), &words) != nil {
		for w := range strings.SplitSeq(strings.Trim(text, "[] "), ",") {
			words = append(words, unquoted(strings.TrimSpace(w)))
		}
	}
	return words
}

// yamlReference matches what a CI system, a template or Compose replaces before a shell reads the command: expressions
// of GitHub Actions, templates, $(name) of Azure Pipelines, Tekton and Kubernetes, and $$.
var yamlReference = expression.Lazy(`\$\{\{ *(?:(?:env|secrets|vars|inputs|matrix)\.)?([^{}]*?) *\}\}|` +
	`\{\{-? *\.?(?:Values\.)?([A-Za-z_][\w.]*)[^{}]*\}\}|\$\(([\w.-]+)\)|\$\$`)

func (y *yaml) replace(q *quotes, text string) string {
	return q.replace(text, yamlReference(), func(m []string) string {
		name := m[1]
		switch {
		case m[2] != "" && y.templates:
			name = m[2]
		case m[3] != "" && (y.variables[m[3]] || systemVariable().MatchString(m[3])):
			name = m[3]
		case m[0] == "$$" && y.compose:
			return "$"
		case name == "":
			return m[0]
		}
		return "${" + strings.Trim(notName().ReplaceAllString(name, "_"), "_") + "}"
	})
}

var (
	// systemVariable matches the variables of Azure Pipelines and Tekton.
	systemVariable = expression.Lazy(
		`^(?:Agent|Build|Environment|Pipeline|Release|System|params|tasks|workspaces|context)\.`)
	notName = expression.Lazy(`[^A-Za-z0-9_]+`)
)

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
	if value == "" {
		return ""
	}
	if quote := value[0]; quote == '"' || quote == '\'' {
		if end := strings.LastIndexByte(value, quote); end > 0 {
			return value[:end+1]
		}
	}
	value, _, _ = strings.Cut(value, " #")
	return strings.TrimSpace(value)
}
