package extract

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Patterns for the lines of a Makefile (GNU make, sections 3.1 and 6): a directive, a variable, a rule, and a variable of
// its targets.
var (
	makeDirective = expression.Lazy(`^ *(?:(-?include|sinclude|vpath|unexport|undefine|endif|else|ifn?def|ifn?eq|define|export)` +
		`(?:[ (]+(.*))?|\$[({](info|warning|error|eval)\b.*)$`)
	makeVariable = expression.Lazy(`^ *(export +|override +|private +)*([A-Za-z_.][\w.-]*)\s*(\?|:{1,3}|\+|!)?=\s*(.*)$`)
	makeRule     = expression.Lazy(`^([\w./%$(){} -]+?)\s*::?(?:\s+([^=;#]*?))?\s*(?:;\s*(.*?))?\s*(?:#+(.*))?$`)
	makeOwn      = expression.Lazy(`^([\w./%$(){} -]+?)\s*::?\s+((?:export +)?[A-Za-z_][\w.-]*\s*(?:\?|:{1,3}|\+|!)?=.*)$`)
	makeComment  = expression.Lazy(`(?:^|[^\\])(#.*)$`)
)

// shellParts are the parts of an expanded string that a shell expands.
var shellParts = references{
	pattern: expression.Lazy(`\x01([^\x02]*)\x02`),
	with:    func(m []string) (string, bool) { return m[1], true },
}

// makeValue is the value of a variable. An unclear one depends on a conditional or has several lines.
type makeValue struct {
	text              string
	expanded, unclear bool
}

// recipe is a line of a recipe, with the lines that continue it.
type recipe struct {
	lines   []string
	line    int
	unclear bool // within a conditional
}

// makeAssignment is a variable of make that becomes one of the shell, and its expanded value.
type makeAssignment struct{ name, value string }

// shellVariable matches a variable that the shell of a recipe refers to or sets.
var shellVariable = expression.Lazy(`\$\$\{?(\w+)|(\w+)=`)

type rule struct {
	targets, prerequisites, about string
	recipes                       []recipe
}

// makeReader reads a Makefile.
type makeReader struct {
	*file
	lines        []string
	variables    map[string]makeValue
	own          map[string]map[string]makeValue // the variables of a target
	exported     map[string]bool
	rules        []*rule
	conditionals int
	oneShell     bool

	automatic map[string]string // of the rule whose recipe is being expanded
	target    string
	taken     map[string]bool  // false for outputs, true for other variables of the shell; nil where there are no outputs
	outputs   []makeAssignment // that the expanded recipe refers to by name
	unclear   bool             // the expanded string depends on what is not evaluated
	depth     int
	expanded  int // counts towards maxExpanded
}

// makefile adds the recipes of a Makefile, with its variables expanded.
func (f *file) makefile() (ok bool, err error) {
	r := &makeReader{
		file: f, lines: strings.Split(f.text, "\n"), own: map[string]map[string]makeValue{}, exported: map[string]bool{},
		variables: map[string]makeValue{"MAKE": {text: "make"}, "SHELL": {text: "/bin/sh"}},
	}
	if strings.ContainsAny(f.text, "\x01\x02") {
		return false, nil
	}
	for i := 0; i < len(r.lines); i++ {
		if !r.read(&i) {
			return false, nil
		}
	}
	for _, rule := range r.rules {
		ok = ok || len(rule.recipes) > 0
	}
	for i := 0; ok && err == nil && i < len(r.rules); i++ {
		err = r.rule(r.rules[i])
	}
	return ok, err
}

// read reads the logical line at line i and leaves the last line in i. It returns false if a Makefile has no such line.
func (r *makeReader) read(i *int) bool {
	line, first := r.lines[*i], *i
	inRule := len(r.rules) > 0
	if strings.HasPrefix(line, "\t") && inRule {
		parts := []string{strings.TrimLeft(line, "\t @+-")}
		for continues(r.lines[*i]) && *i+1 < len(r.lines) {
			*i++
			parts = append(parts, strings.TrimPrefix(r.lines[*i], "\t"))
		}
		r.recipe(parts, first)
		return true
	}
	if isEmpty(line) || isComment(line) {
		return true
	}
	parts := []string{strings.TrimLeft(line, " \t")}
	for continues(parts[len(parts)-1]) && *i+1 < len(r.lines) {
		*i++
		parts[len(parts)-1] = strings.TrimRight(strings.TrimRight(parts[len(parts)-1], " \t"), `\`)
		parts = append(parts, strings.TrimSpace(r.lines[*i]))
	}
	line = strings.Join(parts, " ")
	if m := makeVariable().FindStringSubmatch(line); m != nil {
		r.define(r.variables, m)
	} else if m := makeDirective().FindStringSubmatch(line); m != nil {
		r.directive(m, i)
	} else if m := makeOwn().FindStringSubmatch(line); m != nil {
		for target := range strings.FieldsSeq(r.expand(m[1])) {
			if r.own[target] == nil {
				r.own[target] = map[string]makeValue{}
			}
			r.define(r.own[target], makeVariable().FindStringSubmatch(m[2]))
		}
	} else if m := makeRule().FindStringSubmatch(line); m != nil {
		r.oneShell = r.oneShell || m[1] == ".ONESHELL"
		r.rules = append(r.rules, &rule{targets: m[1], prerequisites: m[2], about: m[4]})
		if m[3] != "" {
			r.recipe([]string{strings.TrimLeft(m[3], " @+-")}, first)
		}
	} else {
		return false
	}
	return true
}

// recipe adds a line, with those that continue it, to the recipe of the last rule.
func (r *makeReader) recipe(lines []string, at int) {
	last := r.rules[len(r.rules)-1]
	if n := len(last.recipes); r.oneShell && n > 0 {
		last.recipes[n-1].lines = append(last.recipes[n-1].lines, lines...)
		return
	}
	last.recipes = append(last.recipes, recipe{lines: lines, line: at + 1, unclear: r.conditionals > 0})
}

// directive reads a directive. Of a definition, it leaves the last line in i.
func (r *makeReader) directive(m []string, i *int) {
	switch m[1] {
	case "ifdef", "ifndef", "ifeq", "ifneq":
		r.conditionals++
	case "endif":
		r.conditionals = max(0, r.conditionals-1)
	case "export":
		for name := range strings.FieldsSeq(cmp.Or(m[2], "*")) {
			r.exported[name] = true
		}
	case "define":
		name, _, _ := strings.Cut(m[2], " ")
		text := ""
		for *i+1 < len(r.lines) && !strings.HasPrefix(r.lines[*i], "endef") {
			*i++
			text = cmp.Or(text, mentionsCurl().FindString(r.lines[*i]))
		}
		r.variables[name] = makeValue{text: text, unclear: true}
	}
}

// define sets one of the variables.
func (r *makeReader) define(variables map[string]makeValue, m []string) {
	name, operator, text := m[2], m[3], strings.TrimSpace(m[4])
	if at := makeComment().FindStringSubmatchIndex(text); at != nil {
		text = strings.TrimSpace(text[:at[2]])
	}
	text = strings.ReplaceAll(text, `\#`, "#")
	old, known := variables[name]
	v := makeValue{
		unclear:  r.conditionals > 0 || old.unclear,
		expanded: strings.HasPrefix(operator, ":") || old.expanded && operator == "+",
	}
	switch {
	case operator == "?" && known:
		return
	case operator == "!":
		text = "$(shell " + text + ")"
	case v.expanded:
		text = r.expand(text)
		v.unclear, r.unclear = v.unclear || r.unclear, false
	}
	if operator == "+" && known {
		text = old.text + " " + text
		v.unclear = v.unclear || len(text) > maxValue
	}
	if v.unclear {
		text = mentionsCurl().FindString(text)
	}
	r.budget.Bytes(len(text))
	v.text = text
	if variables[name] = v; strings.HasPrefix(m[1], "export") {
		r.exported[name] = true
	}
}

// rule adds the recipes of a rule.
func (r *makeReader) rule(rule *rule) error {
	normal, _, _ := strings.Cut(rule.prerequisites, "|")
	prerequisites := strings.Fields(r.expand(normal))
	for n, target := range strings.Fields(r.expand(rule.targets)) {
		r.target = target
		pattern := strings.NewReplacer("%", "\x01${stem}\x02")
		r.automatic = map[string]string{"@": pattern.Replace(target), "*": "\x01${stem}\x02", "<": "", "^": "", "+": ""}
		if len(prerequisites) > 0 {
			r.automatic["<"] = pattern.Replace(prerequisites[0])
			r.automatic["^"] = pattern.Replace(strings.Join(prerequisites, " "))
			r.automatic["+"] = r.automatic["^"]
		}
		for _, line := range rule.recipes {
			raw := strings.Join(line.lines, "\n")
			if n > 0 && !strings.Contains(raw, "$@") && !strings.Contains(raw, "$*") {
				continue
			}
			r.unclear = line.unclear
			text, assigned := r.commands(raw)
			if r.unclear {
				if mentionsCurl().MatchString(raw + text) {
					return r.reject(line.line)
				}
				continue
			}
			r.file.own(cmp.Or(strings.TrimSpace(rule.about), strings.ReplaceAll(target, "_", " ")), line.line, func() {
				for _, v := range assigned {
					r.assign(v.name, shellParts.word(v.value), line.line)
				}
				r.add(shellParts.script(text), line.line, 1)
			})
		}
	}
	return nil
}

// commands returns a recipe, expanded, and the variables to assign before it: the outputs that it refers to, each after
// those that it depends on, and the exported variables that it uses.
func (r *makeReader) commands(raw string) (text string, assigned []makeAssignment) {
	r.taken, r.outputs = map[string]bool{}, nil
	for _, m := range shellVariable().FindAllStringSubmatch(raw, -1) {
		r.taken[m[1]+m[2]] = true
	}
	text = r.expand(raw)
	unclear := r.unclear
	for _, name := range slices.Sorted(maps.Keys(r.exported)) {
		if _, known := r.variables[name]; known && strings.Contains(text, name) {
			if value := r.reference(name); value != "\x01${"+name+"}\x02" {
				assigned = append(assigned, makeAssignment{name, value})
			}
		}
	}
	assigned = append(r.outputs, assigned...)
	r.taken, r.unclear = nil, unclear
	return text, assigned
}

// output returns what replaces a reference to a variable with a value: if that is what a command prints, the variable.
func (r *makeReader) output(name, value string) string {
	taken, seen := r.taken[name]
	if r.taken == nil || taken || !isName(name) || !strings.HasPrefix(value, "\x01$(") ||
		strings.IndexByte(value, '\x02') != len(value)-1 {
		return value
	}
	if !seen {
		r.taken[name] = false
		r.outputs = append(r.outputs, makeAssignment{name, value})
	}
	return "\x01${" + name + "}\x02"
}

func (r *makeReader) reject(line int) error {
	return convert.Reject(convert.UnrecognizedSource,
		"This looks like a Makefile. A recipe with curl depends on a conditional, a definition of several lines or a function of make, which are not evaluated.",
		"Run make -n with the name of the target and send what it prints as text/plain.").At(r.text, strings.Index(r.text, r.lines[line-1]))
}

// Limits on variables: how deep they may refer to others, and to how many bytes they expand in total.
const (
	maxDepth    = 20
	maxValue    = 4 << 10 // of one that others are appended to
	maxExpanded = 1 << 20
)

// value returns the value of a variable, expanded.
func (r *makeReader) value(v makeValue) string {
	r.expanded += len(v.text)
	if r.unclear = r.unclear || v.unclear || r.expanded > maxExpanded; r.expanded > maxExpanded {
		return ""
	}
	if v.expanded {
		r.budget.Bytes(len(v.text))
		return v.text
	}
	return r.expand(v.text)
}

// expand replaces the references in a string. Variables that the file does not set, and functions that run commands, are
// left to the shell.
func (r *makeReader) expand(text string) string {
	if r.depth++; r.depth > maxDepth {
		r.unclear = true
		text = ""
	}
	defer func() { r.depth-- }()
	r.budget.Bytes(len(text))
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "$")
		if out.WriteString(before); !found || after == "" {
			return out.String()
		}
		length := 1
		if after[0] == '(' || after[0] == '{' {
			length = closing(after)
		}
		reference := after[:length]
		text = after[length:]
		if length > 1 {
			reference = strings.TrimSpace(reference[1 : length-1])
		}
		r.budget.Text(length)
		out.WriteString(r.reference(reference))
	}
}

// closing returns the length of the parenthesized string that text begins with.
func closing(text string) int {
	depth, closes := 0, byte(')')
	if text[0] == '{' {
		closes = '}'
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case text[0]:
			depth++
		case closes:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// reference returns what replaces a reference: the name of a variable or a call of a function.
func (r *makeReader) reference(name string) string {
	function, argument, called := strings.Cut(name, " ")
	automatic, isAutomatic := r.automatic[name]
	switch {
	case name == "$":
		return "$"
	case isAutomatic:
		return automatic
	case called && function == "shell":
		return "\x01$(" + shellParts.script(r.expand(argument)) + ")\x02"
	case function == "or" || function == "if":
		return r.choose(strings.Split(argument, ","), function == "if")
	case called || strings.ContainsAny(name, ":"):
		r.unclear = true
		return mentionsCurl().FindString(argument + r.variables[strings.Split(argument, ",")[0]].text)
	}
	name = r.expand(name)
	v, known := r.own[r.target][name]
	if !known {
		v, known = r.variables[name]
	}
	switch {
	case known:
		return r.output(name, r.value(v))
	case isName(name):
		return "\x01${" + name + "}\x02"
	}
	r.unclear = true
	return ""
}

// choose returns the first argument of or that isn't empty, or what if chooses. A variable that the file does not set may
// be empty, so only a default for it is read.
func (r *makeReader) choose(arguments []string, conditional bool) string {
	first := strings.TrimSpace(r.expand(arguments[0]))
	arguments = arguments[1:]
	if name, open := strings.CutSuffix(first, "}\x02"); open && len(arguments) > 0 {
		other := strings.TrimSpace(r.expand(arguments[len(arguments)-1]))
		same := !conditional || len(arguments) == 2 && r.expand(arguments[0]) == first
		if len(arguments) <= 2 && same && strings.Count(first, "\x01") == 1 && !strings.ContainsAny(other, "\x01}\"'$`\\") {
			return name + ":-" + other + "}\x02"
		}
	}
	r.unclear = true
	return ""
}
