package posix

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// WordParts is the budget cost of a word, in parts.
const WordParts = 2

// command reads a simple command with the operator after it, or the head of a function definition.
func (r *Reader) command() {
	cmd := r.Start(r.Pos, r.Within())
	outer := r.Cur
	r.Cur = cmd
	first := len(r.script.Commands)
	defer func() { r.Cur = outer }()
	for r.toWord() {
		r.CountWord()
		if r.Redirection(cmd, posixRedirects(), r.redirectTarget) || len(cmd.Words) == 0 && r.assignment(cmd) {
			continue
		}
		if script.Declares[cmd.CommandName()] && r.declaredArray() {
			continue
		}
		start := r.Pos
		words, literal := r.wordFields()
		if r.Pos == start {
			r.Pos++ // an operator that cannot begin a command
			continue
		}
		if literal && len(cmd.Words) == 0 && r.emptyParentheses() {
			r.Lists.defineNext = true
			r.Lists.defineName, _ = words[0].Literal()
			return
		}
		cmd.Words = append(cmd.Words, words...)
		if r.parses && len(words) == 1 {
			cmd.Tokens = append(cmd.Tokens, r.token)
		}
	}
	r.handComment(cmd, first)
	cmd.Inner = r.commandsFrom(first)
	r.Finish(cmd)
}

// handComment moves the comment above cmd to the request that a substitution in it sends, as in ID=$(curl …). first is
// the index of the substitution's first command.
func (r *Reader) handComment(cmd *script.Command, first int) {
	if cmd.Comment == "" || cmd.CommandName() == "curl" {
		return
	}
	for _, inner := range r.script.Commands[first:] {
		if name := inner.CommandName(); strings.HasSuffix(name, "curl") || r.functions[name] != nil {
			if inner.Comment == "" {
				inner.Comment, cmd.Comment = cmd.Comment, ""
			}
			return
		}
	}
}

// toWord moves to the next word or redirection of the command and reports whether there is one.
func (r *Reader) toWord() bool {
	for {
		r.blanks()
		if r.Pos >= r.Limit {
			return false
		}
		switch c := r.Text[r.Pos]; {
		case c == '#':
			r.comment()
			r.Pos = r.LineEnd(r.Pos)
		case c == '\n':
			if !r.GoesOn() {
				return false
			}
		case c == '&':
			return r.ByteAt(r.Pos+1) == '>' // bash: &> file
		default:
			return c != ';' && c != '|' && c != ')'
		}
	}
}

// GoesOn skips the line end if the next line begins with an option. No command begins with an option, so the backslash
// is missing or a comment hides it.
func (r *Reader) GoesOn() bool {
	if r.Session || len(r.documents) > 0 || r.Cur == nil || len(r.Cur.Words) == 0 {
		return false
	}
	at := paste.OptionLine().FindStringSubmatchIndex(r.ahead())
	if at == nil {
		return false
	}
	r.Note(script.ContinuationAdded)
	r.Pos += at[2]
	return true
}

// Finish stores the command, evaluates its assignments and reads the operator after it.
func (r *Reader) Finish(cmd *script.Command) {
	if !r.runs() {
		r.Operator(cmd)
		return
	}
	if len(cmd.Words) == 0 {
		for _, a := range cmd.Assignments {
			r.Assign(a)
		}
		r.Comment = cmd.Comment // it describes what the variables are set for
	} else {
		if name := cmd.CommandName(); name == "echo" || name == "printf" { // a message about what follows
			r.Comment = cmd.Comment
		}
		for _, a := range cmd.Assignments { // which only the command has
			if len(a.Value) > 0 && strings.HasSuffix(cmd.CommandName(), "curl") {
				r.recordSetting(a.Name, false)
			}
		}
		r.builtin(cmd)
		r.tested(bracketTest(cmd), cmd.Words)
	}
	if len(cmd.Words)+len(cmd.Assignments)+len(cmd.Redirects) > 0 {
		r.AddCommand(cmd)
		r.Lists.ended = r.commandsFrom(len(r.script.Commands) - 1)
		r.call(cmd)
	}
	r.Operator(cmd)
}

// assignment reads NAME=value, or bash's NAME=(words), before a command's name.
func (r *Reader) assignment(cmd *script.Command) bool {
	start := r.Pos
	i := start + len(r.Name(start))
	if i > start && r.ByteAt(i) == '[' && !r.parses { // Parse reads it as a word
		return r.assignElement()
	}
	if i > start && r.ByteAt(i) == '+' {
		i++
	}
	if i == start || r.ByteAt(i) != '=' {
		return false
	}
	name := r.Text[start:i]
	r.Pos = i + 1
	if r.ByteAt(r.Pos) == '(' {
		r.array(name)
	} else {
		cmd.Assignments = append(cmd.Assignments, script.Assignment{Name: name, Value: r.unsplitWord()})
		r.nameToken(name, "")
	}
	return true
}

// declaredArray reads NAME=(words) after local or declare.
func (r *Reader) declaredArray() bool {
	m := r.Match(declaredHead())
	if m == nil {
		return false
	}
	r.Pos--
	r.array(m[1])
	return true
}

var declaredHead = expression.Lazy(`^([A-Za-z_]\w*)=\(`)

// unsets are the commands that set the variables in their arguments to unknown values.
var unsets = script.SetOf("unset read getopts mapfile readarray")

// builtin evaluates the built-in commands that change variables.
func (r *Reader) builtin(cmd *script.Command) {
	words := cmd.Words
	switch name := cmd.CommandName(); {
	case script.Declares[name]:
		for _, w := range words[1:] {
			if a, ok := AssignmentIn(w); ok {
				r.Assign(a)
			}
		}
	case name == "shift":
		n := 1
		if len(words) > 1 {
			text, _ := words[1].Literal()
			n, _ = strconv.Atoi(text)
		}
		r.arguments = r.arguments[max(0, min(n, len(r.arguments))):]
	case name == "printf":
		if len(words) > 3 && script.IsLiteral(words[1], "-v") {
			variable, _ := words[2].Literal()
			r.set(variable, unknown)
			if value, ok := printf(words[3:]); ok && script.NameLength(variable) == len(variable) {
				r.Assign(script.Assignment{Name: variable, Value: value})
			}
		}
	case unsets[name]:
		operands := words[1:]
		if name == "getopts" && len(operands) > 0 {
			operands = operands[1:] // the options
		}
		for _, w := range operands {
			if text, ok := w.Literal(); ok {
				r.set(text, unknown)
				if name != "unset" && script.IsName(text) {
					r.recordSetting(text, true)
				}
			}
		}
		if i := slices.IndexFunc(cmd.Redirects, func(d script.Redirect) bool { return d.Op == "<<<" }); i >= 0 && name == "read" {
			r.reads(cmd, cmd.Redirects[i].Target)
		}
	}
}

// readHead matches read with one variable, and the options for a raw line and for an empty delimiter.
var readHead = expression.Lazy(`^read ((?:-r )*(?:-(?:r?)d  )?(?:-r )*)([A-Za-z_]\w*) $`)

// reads sets the variable of read to the first line of a text, or to all of it if the delimiter is empty. It trims blanks
// unless IFS is empty (XCU, read). The value stays unknown if there are several variables, or backslashes without -r.
func (r *Reader) reads(cmd *script.Command, text script.Word) {
	head, _ := literals(cmd.Words)
	m := readHead().FindStringSubmatch(head)
	if m == nil {
		return
	}
	text = slices.Clone(text)
	literal, ok := text.Literal()
	whole, raw := strings.Contains(m[1], "d"), strings.Contains(m[1], "r")
	if !whole && !ok || !raw && strings.Contains(literal, `\`) {
		return
	}
	if !whole {
		literal, _, _ = strings.Cut(literal, "\n")
		text = script.LiteralWord(literal)
	}
	keeps := slices.ContainsFunc(cmd.Assignments, func(a script.Assignment) bool { return a.Name == "IFS" && len(a.Value) == 0 })
	if n := len(text) - 1; n >= 0 && !keeps {
		if first := &text[0]; first.Kind == script.Literal {
			first.Text = strings.TrimLeft(first.Text, " \t\n")
		}
		if last := &text[n]; last.Kind == script.Literal {
			last.Text = strings.TrimRight(last.Text, " \t\n")
		}
	}
	r.Assign(script.Assignment{Name: m[2], Value: text})
}

// function is a function that the script defines (XCU 2.9.5). Each call reads its body again with the call's arguments,
// and the commands read at its definition are dropped.
type function struct {
	body   string
	at     int               // the offset of the body in the source, or -1
	own    []*script.Command // as read at the definition, with $1 unexpanded
	name   string
	called bool
}

// Limits on reading bodies again: the depth of calls, the share of MaxExpansion, and the number of functions. A call
// beyond them is not expanded.
const (
	maxCalls     = 16
	maxCalled    = MaxExpansion / 2
	maxFunctions = 200
)

// define stores the function whose body just ended.
func (r *Reader) define(f *frame) {
	if f.name == "" || len(r.defined) == maxFunctions || r.Pos < f.body {
		return
	}
	made := &function{name: f.name, body: r.Text[f.body:r.Pos], at: -1, own: r.commandsFrom(f.first)}
	if r.origin >= 0 {
		made.at = r.origin + f.body
	}
	r.functions[f.name] = made
	r.defined = append(r.defined, made)
}

// call reads what cmd runs: the body of a function, or the text of eval or trap.
func (r *Reader) call(cmd *script.Command) {
	f, within := r.functions[cmd.CommandName()], r.context
	if f != nil {
		within = context{level: r.level, scopes: r.scopes, active: append(r.active, f), arguments: cmd.Words[1:]}
	} else {
		f = evaluated(cmd)
	}
	recurs := slices.Contains(r.active, f)
	if f == nil || r.parses || recurs || len(r.active) == maxCalls || r.spent+len(f.body) > maxCalled {
		return
	}
	f.called = true
	r.Spend(len(f.body))
	first, outer := len(r.script.Commands), r.context
	r.context = within
	r.Enter(r.Pos)
	inner := r.derive(f.body, cmd.Offset)
	inner.origin = f.at
	r.openScope()
	inner.list(false)
	inner.readDocuments()
	r.closeScope(false)
	r.Depth--
	cmd.Runs = r.commandsFrom(first)
	r.context = outer
}

// evaluated returns the text that eval or trap runs, or nil if that is not known or doesn't mention a request.
func evaluated(cmd *script.Command) *function {
	words := cmd.Words[min(1, len(cmd.Words)):]
	switch cmd.CommandName() {
	case "eval":
	case "trap":
		words = words[:min(1, len(words))]
	default:
		return nil
	}
	text, ok := literals(words)
	if !ok || !paste.Mentions(text) {
		return nil
	}
	return &function{body: text, at: -1}
}

// argument returns the value of $1 to $9. Inside a function call it is known, and empty if the call has no such
// argument; elsewhere it is unknown.
func (r *Reader) argument(name string) (value script.Word, known bool) {
	if len(r.active) == 0 || len(name) != 1 || name[0] < '1' || name[0] > '9' {
		return nil, false
	}
	i := int(name[0] - '1')
	if slices.ContainsFunc(r.arguments[:min(i+1, len(r.arguments))], holdsArguments) { // "$@" of the script: any number
		return nil, false
	}
	if i < len(r.arguments) {
		return r.arguments[i], true
	}
	return script.Word{}, true
}

func holdsArguments(w script.Word) bool {
	return slices.ContainsFunc(w, func(p script.Part) bool { return p.Kind == script.Arguments })
}

// allArguments adds the arguments of "$@" starting at from, each as a field, and reports whether they are known.
func (r *Reader) allArguments(f *Fields, from int) bool {
	if len(r.active) == 0 {
		return false
	}
	r.fieldsOf(f, r.arguments[min(from-1, len(r.arguments)):])
	return true
}

// replaceCalls replaces each function call by the commands of the function, which inherit from the call.
func (s *State) replaceCalls() {
	dropped := map[*script.Command]bool{}
	for _, f := range s.defined {
		if f.called {
			for _, cmd := range f.own {
				dropped[cmd] = true
			}
		}
	}
	// Feeders are parts of the list, which must keep its elements.
	s.script.Commands = slices.DeleteFunc(slices.Clone(s.script.Commands), func(cmd *script.Command) bool {
		s.Budget.Parts(len(cmd.Runs))
		for _, run := range cmd.Runs {
			inherit(run, cmd)
		}
		return dropped[cmd] || cmd.Runs != nil
	})
}

// inherit applies the input and output of a call to a command of the function. The first request also gets the comment
// above the call, which is more specific than a comment inside the function.
func inherit(c, call *script.Command) {
	if c.Stdin.Kind == script.Terminal {
		c.Stdin = call.Stdin
	}
	c.Sources = append(c.Sources, call)
	c.PipesInto = cmp.Or(c.PipesInto, call.PipesInto)
	for _, red := range call.Redirects {
		if red.FD == 1 {
			c.Redirects = append(c.Redirects, red)
		}
	}
	if name := c.CommandName(); strings.HasSuffix(name, "curl") || len(c.Runs) > 0 {
		c.Comment, call.Comment = cmp.Or(call.Comment, c.Comment), ""
	}
}
