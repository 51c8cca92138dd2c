package posix

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

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
