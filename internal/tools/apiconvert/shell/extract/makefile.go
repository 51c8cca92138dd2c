package extract

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
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

// unclear marks a string that depends on a conditional, a definition of several lines or a function, which are not
// evaluated. If those mention curl, the word follows.
const unclear = "\x03"

// shellParts are the parts of an expanded string that a shell expands.
var shellParts = references{
	pattern: expression.Lazy(`\x01([^\x02]*)\x02`),
	with:    func(m []string) (string, bool) { return m[1], true },
}

// shellVariable matches a variable that the shell of a recipe refers to.
var shellVariable = expression.Lazy(`\$\{?(\w+)`)

// recipe is a line of a recipe, with the lines that continue it.
type recipe struct {
	lines []string
	line  int
}

type rule struct {
	targets, prerequisites, about string
	recipes                       []recipe
}

// makeReader reads a Makefile.
type makeReader struct {
	*file
	lines        []string
	variables    map[string]string // not expanded; the name of one for a target begins with "target: "
	simple       map[string]bool   // variables that were expanded when they were set, so each $ is doubled
	exported     map[string]bool
	rules        []*rule
	conditionals int
	oneShell     bool

	target   string // whose recipe is being expanded
	depth    int
	expanded int // counts towards maxExpanded
}

// makefile adds the recipes of a Makefile, with its variables expanded.
func (f *file) makefile() (ok bool) {
	r := &makeReader{
		file: f, lines: strings.Split(f.text, "\n"), simple: map[string]bool{}, exported: map[string]bool{},
		variables: map[string]string{"MAKE": "make", "SHELL": "/bin/sh"},
	}
	if strings.ContainsAny(f.text, "\x01\x02"+unclear) {
		return false
	}
	for i := 0; i < len(r.lines); i++ {
		if !r.read(&i) {
			return false
		}
	}
	for _, rule := range r.rules {
		ok = ok || len(rule.recipes) > 0
	}
	for i := 0; ok && i < len(r.rules); i++ {
		r.rule(r.rules[i])
	}
	return ok
}

// read reads the logical line at line i and leaves the last line in i. It returns false if a Makefile has no such line.
func (r *makeReader) read(i *int) bool {
	line, first := r.lines[*i], *i
	if strings.HasPrefix(line, "\t") && len(r.rules) > 0 {
		lines := []string{strings.TrimLeft(line, "\t @+-")}
		for continues(r.lines[*i]) && *i+1 < len(r.lines) {
			*i++
			lines = append(lines, strings.TrimPrefix(r.lines[*i], "\t"))
		}
		r.recipe(lines, first)
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
		r.define("", m)
	} else if m := makeDirective().FindStringSubmatch(line); m != nil {
		r.directive(m, i)
	} else if m := makeOwn().FindStringSubmatch(line); m != nil {
		for target := range strings.FieldsSeq(r.expand(m[1])) {
			r.define(target+": ", makeVariable().FindStringSubmatch(m[2]))
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
	if r.conditionals > 0 {
		lines[0] = unclear + lines[0]
	}
	last := r.rules[len(r.rules)-1]
	if n := len(last.recipes); r.oneShell && n > 0 {
		last.recipes[n-1].lines = append(last.recipes[n-1].lines, lines...)
		return
	}
	last.recipes = append(last.recipes, recipe{lines, at + 1})
}

// directive reads a directive. Of a definition, it leaves the last line in i.
func (r *makeReader) directive(m []string, i *int) {
	switch m[1] {
	case "ifdef", "ifndef", "ifeq", "ifneq":
		r.conditionals++
	case "endif":
		r.conditionals = max(0, r.conditionals-1)
	case "export":
		for name := range strings.FieldsSeq(m[2]) {
			r.exported[name] = true
		}
	case "define":
		name, _, _ := strings.Cut(m[2], " ")
		text := ""
		for *i+1 < len(r.lines) && !strings.HasPrefix(r.lines[*i], "endef") {
			*i++
			text = cmp.Or(text, mentionsCurl().FindString(r.lines[*i]))
		}
		r.variables[name] = unclear + text
	}
}

// define sets the variable of a line, whose name gets a prefix.
func (r *makeReader) define(prefix string, m []string) {
	name, operator, text := prefix+m[2], m[3], strings.TrimSpace(m[4])
	if at := makeComment().FindStringSubmatchIndex(text); at != nil {
		text = strings.TrimSpace(text[:at[2]])
	}
	text = strings.ReplaceAll(text, `\#`, "#")
	old, known := r.variables[name]
	appends := operator == "+" && known
	if operator == "?" && known {
		return
	}
	if r.simple[name] = strings.HasPrefix(operator, ":") || appends && r.simple[name]; r.simple[name] {
		text = strings.ReplaceAll(r.expand(text), "$", "$$")
	} else if operator == "!" {
		text = "$(shell " + text + ")"
	}
	if appends {
		text = old + " " + text
	}
	if r.conditionals > 0 || strings.Contains(text, unclear) || appends && len(text) > maxValue {
		text = unclear + mentionsCurl().FindString(text)
	}
	r.budget.Bytes(len(text))
	r.variables[name] = text
	r.exported[name] = r.exported[name] || strings.HasPrefix(m[1], "export")
}

// rule adds the recipes of a rule. One that is not clear is not read if it calls curl.
func (r *makeReader) rule(rule *rule) {
	normal, _, _ := strings.Cut(rule.prerequisites, "|")
	stem := strings.NewReplacer("%", "\x01$${stem}\x02")
	all := stem.Replace(strings.Join(strings.Fields(r.expand(normal)), " "))
	first, _, _ := strings.Cut(all, " ")
	r.variables["<"], r.variables["^"], r.variables["+"], r.variables["*"] = first, all, all, stem.Replace("%")
	for n, target := range strings.Fields(r.expand(rule.targets)) {
		r.target, r.variables["@"] = target, stem.Replace(target)
		for _, recipe := range rule.recipes {
			raw := strings.Join(recipe.lines, "\n")
			if n > 0 && !strings.Contains(raw, "$@") && !strings.Contains(raw, "$*") {
				continue
			}
			text := r.expand(raw)
			if strings.Contains(text, unclear) {
				if mentionsCurl().MatchString(raw + text) {
					r.unread = append(r.unread, recipe.line)
				}
				continue
			}
			r.file.own(cmp.Or(strings.TrimSpace(rule.about), strings.ReplaceAll(target, "_", " ")), recipe.line, func() {
				for _, m := range shellVariable().FindAllStringSubmatch(text, -1) {
					_, known := r.variables[m[1]]
					if value := r.reference(m[1]); known && r.exported[m[1]] && !strings.Contains(value, unclear) {
						r.assign(m[1], shellParts.word(value), recipe.line)
					}
				}
				r.add(shellParts.script(text), recipe.line, 1)
			})
		}
	}
}

// Limits on variables: how deep they may refer to others, and to how many bytes they expand in total.
const (
	maxDepth    = 20
	maxValue    = 4 << 10 // of one that others are appended to
	maxExpanded = 1 << 20
)

// expand replaces the references in a string. Variables that the file does not set, and functions that run commands, are
// left to the shell.
func (r *makeReader) expand(text string) string {
	if r.depth > 0 {
		r.expanded += len(text)
	}
	if r.depth > maxDepth || r.expanded > maxExpanded {
		return unclear
	}
	r.depth++
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
	switch {
	case name == "$":
		return "$"
	case called && function == "shell":
		return "\x01$(" + shellParts.script(r.expand(argument)) + ")\x02"
	case called || strings.Contains(name, ":"):
		return unclear + mentionsCurl().FindString(argument+r.variables[strings.Split(argument, ",")[0]])
	}
	name = r.expand(name)
	value, known := r.variables[r.target+": "+name]
	if !known {
		value, known = r.variables[name]
	}
	switch {
	case known:
		return r.expand(value)
	case script.IsName(name):
		return "\x01${" + name + "}\x02"
	}
	return unclear
}
