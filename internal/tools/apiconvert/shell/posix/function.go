package posix

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// function is one that the script defines (XCU 2.9.5). When it may send requests,
// each call reads its body again, with the arguments of the call, and what was
// read where it is defined is then no command of its own.
type function struct {
	body   string
	own    []*script.Command // as they stand in the definition, $1 and all
	name   string
	sends  bool // it may send a request …
	asked  int  // … while so many functions were defined
	called bool
	active bool // its body is being read: a call in it is not read again
}

// What is not read again, as if it called nothing: a body inside so many others,
// and what would take more than this part of MaxExpansion.
const (
	maxCalls     = 16
	maxCalled    = MaxExpansion / 2
	maxFunctions = 200
)

// define keeps the function whose body has just been closed.
func (r *Reader) define(f *frame) {
	if f.name == "" || len(r.defined) == maxFunctions || r.Pos < f.body {
		return
	}
	if r.functions == nil {
		r.functions = map[string]*function{}
	}
	made := &function{name: f.name, body: r.Text[f.body:r.Pos], own: slices.Clone(r.script.Commands[f.first:])}
	r.functions[f.name] = made
	r.defined = append(r.defined, made)
}

// sends reports whether a function may send a request: it mentions one, or a
// function that does. What was found is true as long as no other is defined.
func (r *Reader) sends(f *function) bool {
	if f.asked == len(r.defined) {
		return f.sends
	}
	f.asked, f.sends = len(r.defined), false
	reached := []*function{f}
	for i := 0; i < len(reached) && !f.sends; i++ {
		body := reached[i].body
		f.sends = paste.Mentions(body)
		for _, other := range r.defined {
			r.Budget.Pass(len(body))
			if !slices.Contains(reached, other) && strings.Contains(body, other.name) {
				reached = append(reached, other)
			}
		}
	}
	return f.sends
}

// call reads the body of the function that a command calls, if it calls one.
func (r *Reader) call(cmd *script.Command) {
	f := r.functions[cmd.CommandName()]
	if f == nil || r.parsed != nil || f.active || len(r.active) == maxCalls || r.spent+len(f.body) > maxCalled || !r.sends(f) {
		return
	}
	f.active, f.called = true, true
	r.active = append(r.active, f)
	r.Spend(len(f.body))
	comment, apart, arguments := r.Comment, r.apart, r.arguments
	r.Comment, r.apart, r.arguments = "", "", cmd.Words[1:]
	if r.arguments == nil {
		r.arguments = []script.Word{}
	}
	first := len(r.script.Commands)
	inner := r.Derive(f.body, cmd.Offset)
	r.openScope()
	inner.list(outermost)
	inner.readDocuments()
	r.closeScope(false)
	cmd.Runs = slices.Clone(r.script.Commands[first:])
	r.Comment, r.apart, r.arguments = comment, apart, arguments
	r.active = r.active[:len(r.active)-1]
	f.active = false
}

// argument is $1 and so on in a function that is called: empty when the call
// gives no such argument, not known elsewhere.
func (r *Reader) argument(name string) (value script.Word, known bool) {
	if r.arguments == nil || len(name) != 1 || name[0] < '1' || name[0] > '9' {
		return nil, false
	}
	if i := int(name[0] - '1'); i < len(r.arguments) {
		return r.arguments[i], true
	}
	return script.Word{}, true
}

// allArguments adds "$@" from a number on, each a field of its own, and reports
// whether they are known.
func (r *Reader) allArguments(f *Fields, from int) bool {
	if r.arguments == nil {
		return false
	}
	r.fieldsOf(f, r.arguments[min(from-1, len(r.arguments)):])
	return true
}

// settleCalls puts the commands of functions in the place of their calls, with
// what the calls say of all of them.
func (s *State) settleCalls() {
	if len(s.defined) == 0 {
		return
	}
	dropped := map[*script.Command]bool{}
	for _, f := range s.defined {
		if f.called {
			for _, cmd := range f.own {
				dropped[cmd] = true
			}
		}
	}
	for _, cmd := range s.script.Commands {
		dropped[cmd] = dropped[cmd] || cmd.Runs != nil
		s.Budget.Parts(len(cmd.Runs))
		for _, run := range cmd.Runs {
			inherit(run, cmd)
		}
	}
	places := make([]int, len(s.script.Commands)) // where each stands afterwards
	kept := s.script.Commands[:0:0]
	for i, cmd := range s.script.Commands {
		if places[i] = script.FedByCompound; !dropped[cmd] {
			places[i] = len(kept)
			kept = append(kept, cmd)
		}
		if cmd.Feeder >= 0 {
			cmd.Feeder = places[cmd.Feeder]
		}
	}
	s.script.Commands = kept
}

// inherit gives a command of a function what its call has: where input comes from
// and output goes to, and, once, the comment above it, which says more than one
// inside the function.
func inherit(c, call *script.Command) {
	if c.Stdin.Kind == script.Terminal {
		c.Stdin = call.Stdin
	}
	if c.PipesInto == "" {
		c.PipesInto = call.PipesInto
	}
	for _, red := range call.Redirects {
		if red.FD == 1 {
			c.Redirects = append(c.Redirects, red)
		}
	}
	if name := c.CommandName(); strings.HasSuffix(name, "curl") || len(c.Runs) > 0 {
		if call.Comment != "" {
			c.Comment, call.Comment = call.Comment, ""
		}
		if call.Apart != "" {
			c.Apart, call.Apart = call.Apart, ""
		}
	}
}
