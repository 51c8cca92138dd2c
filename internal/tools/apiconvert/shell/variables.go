package shell

import "strings"

// A scope remembers what variables were before a construct whose assignments
// may not outlive it: a subshell gives the old values back; behind a branch,
// a loop or a function nobody knows whether the assignment was made.
type scope struct {
	names []string
	was   []Word // nil when the variable was not known
}

// unknown is the value of a variable that may have any.
var unknown Word

func (s *state) openScope() { s.scopes = append(s.scopes, scope{}) }

func (s *state) closeScope(restore bool) {
	last := s.scopes[len(s.scopes)-1]
	s.scopes = s.scopes[:len(s.scopes)-1]
	for i := len(last.names) - 1; i >= 0; i-- {
		if restore && last.was[i] != nil {
			s.vars[last.names[i]] = last.was[i]
		} else {
			s.forget(last.names[i])
		}
	}
}

// set gives a variable a value; unknown makes it so.
func (s *state) set(name string, value Word) {
	if s.parsed != nil {
		return
	}
	if n := len(s.scopes); n > 0 {
		was := s.vars[name]
		s.scopes[n-1].names = append(s.scopes[n-1].names, name)
		s.scopes[n-1].was = append(s.scopes[n-1].was, was)
	}
	if value == nil {
		s.forget(name)
		return
	}
	s.vars[name] = value
}

func (s *state) forget(name string) {
	delete(s.vars, name)
	delete(s.arrays, name)
}

// assign carries out an assignment (XCU 2.9.1). A value that holds the output
// of a command is not known; one that holds other variables is worked out
// with what they are now.
func (r *reader) assign(a Assignment) {
	name, appending := strings.CutSuffix(a.Name, "+")
	value := Word{}
	if appending {
		old, known := r.vars[name]
		if !known {
			return
		}
		r.spend(weight(old))
		value = append(value, old...)
	}
	for _, p := range a.Value {
		known, ok := r.vars[p.Text]
		switch {
		case p.Kind == Literal:
			value = append(value, p)
		case p.Kind == Variable && ok:
			r.spend(weight(known))
			r.expanded(p.Text, known)
			value = append(value, known...)
		case p.Kind == Variable && p.Text != name && isNameStart(p.Text[0]):
			value = append(value, p)
		case p.Kind == Variable && p.HasDefault && len(a.Value) == 1:
			// NAME=${NAME:-default} and NAME=${1:-default} stay NAME.
			value = Word{{Kind: Variable, Text: name, Default: p.Default, HasDefault: true}}
		default:
			r.set(name, unknown)
			return
		}
	}
	if r.lists.doubtful {
		value = unknown
	}
	r.set(name, value)
}

// unknownWeight is what a part that is not known costs: each becomes a variable
// of its own further on. About 8,000 are allowed.
const unknownWeight = 512

// expanded remembers that a variable's value stands where its name stood.
func (r *reader) expanded(name string, value Word) {
	if !isNameStart(name[0]) {
		return // $1: its name says nothing
	}
	text, literal := value.Literal()
	if e := (Expanded{name, text}); literal && text != "" && !r.told[e] {
		r.told[e] = true
		r.script.Expanded = append(r.script.Expanded, e)
	}
}

// weight is what a value costs where it is used: its bytes and its parts.
func weight(w Word) int {
	n := 0
	for _, p := range w {
		n += 16 + len(p.Text)
	}
	return n
}

// builtin carries out the built-in commands that change variables.
func (r *reader) builtin(words []Word) {
	name, _ := words[0].Literal()
	switch name {
	case "export", "readonly", "local", "declare", "typeset":
		for _, w := range words[1:] {
			if a, ok := assignmentIn(w); ok {
				r.assign(a)
			}
		}
	case "shift":
		r.arguments = r.arguments[min(1, len(r.arguments)):]
	case "unset", "read", "getopts", "mapfile", "readarray":
		for _, w := range words[1:] {
			if text, ok := w.Literal(); ok {
				r.set(text, unknown)
			}
		}
	}
}

// assignmentIn splits a word NAME=value.
func assignmentIn(w Word) (Assignment, bool) {
	if len(w) == 0 || w[0].Kind != Literal {
		return Assignment{}, false
	}
	name, rest, ok := strings.Cut(w[0].Text, "=")
	if !ok || nameLength(name) != len(name) || name == "" {
		return Assignment{}, false
	}
	value := Word{}
	if rest != "" {
		value = append(value, Part{Kind: Literal, Text: rest})
	}
	return Assignment{Name: name, Value: append(value, w[1:]...)}, true
}

// nameLength returns how many bytes of text form a name (XBD 3.216).
func nameLength(text string) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !isNameStart(c) && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
}

func isNameStart(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// name returns the name at i, "" when there is none.
func (r *reader) name(i int) string {
	return r.text[i : i+nameLength(r.text[i:r.limit])]
}
