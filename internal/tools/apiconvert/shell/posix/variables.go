package posix

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// A scope records the previous values of variables that a construct assigns. A subshell restores them at its end; after
// a branch, a loop or a function the variables are unknown, since the assignment may not have run.
type scope struct {
	names []string
	was   []script.Word     // nil if the variable was unknown
	by    []*script.Setting // nil if no single setting set it
}

// unknown is the value of a variable that can have any value.
var unknown script.Word

func (s *State) openScope() { s.scopes = append(s.scopes, scope{}) }

func (s *State) closeScope(restore bool) {
	last := s.scopes[len(s.scopes)-1]
	s.scopes = s.scopes[:len(s.scopes)-1]
	for i := len(last.names) - 1; i >= 0; i-- {
		name := last.names[i]
		s.forget(name)
		if restore && last.was[i] != nil {
			s.Vars[name] = last.was[i]
		}
		if restore && last.by[i] != nil {
			s.setBy[name] = last.by[i]
		}
	}
}

// set sets a variable; the value unknown makes it unknown.
func (s *State) set(name string, value script.Word) {
	if s.parses {
		return
	}
	if n := len(s.scopes); n > 0 {
		top := &s.scopes[n-1]
		top.names = append(top.names, name)
		top.was, top.by = append(top.was, s.Vars[name]), append(top.by, s.setBy[name])
	}
	if value == nil {
		s.forget(name)
		return
	}
	delete(s.setBy, name)
	s.Vars[name] = value
}

// recordSetting records that the current command sets a variable. The value of the variable is from this setting unless
// it may also be from an earlier one.
func (r *Reader) recordSetting(name string, isCertain bool) {
	if r.parses || r.Cur == nil {
		return
	}
	s := &script.Setting{Name: name, By: r.Cur}
	r.script.Settings = append(r.script.Settings, s)
	if isCertain {
		r.setBy[name] = s
	}
}

// recordLoop begins the words of a loop at the cursor, which it appends to words. The function that it returns records that
// they set the loop's variable, unless they only count.
func (r *Reader) recordLoop(name string, words *[]script.Word) func() {
	outer, head := r.Cur, &script.Command{Written: r.written(r.Pos), Offset: -1}
	if outer != nil {
		head.Offset = outer.Offset
	}
	r.Cur = head
	return func() {
		if slices.ContainsFunc((*words)[min(1, len(*words)):], spells) {
			r.recordSetting(name, true)
		} else {
			r.setBy[name] = &script.Setting{Name: name, By: head}
		}
		r.Cur = outer
		for _, n := range head.Notes {
			r.Note(n)
		}
	}
}

// spells reports whether a word of a loop is a literal other than a number, as in {1..5}.
func spells(w script.Word) bool {
	text, literal := w.Literal()
	return literal && strings.ContainsFunc(text, unicode.IsLetter)
}

// withoutUses returns a function that forgets the uses from now on, as in tests.
func (r *Reader) withoutUses() func() {
	if r.Cur == nil {
		return func() {}
	}
	cmd, n, m := r.Cur, len(r.Cur.Uses), len(r.Cur.Sources)
	return func() { cmd.Uses, cmd.Sources = cmd.Uses[:n], cmd.Sources[:m] }
}

// Use records that the current command has the value of a variable.
func (r *Reader) Use(name string) {
	if s := r.setBy[name]; s != nil && r.Cur != nil {
		r.Cur.Uses = append(r.Cur.Uses, s)
	}
}

func (s *State) forget(name string) {
	delete(s.Vars, name)
	delete(s.setBy, name)
	s.arrays[name] = nil
}

// Assign evaluates an assignment (XCU 2.9.1). The output of a command stays NAME; a longer value keeps what is known around
// it. A value with other variables is evaluated with their current values.
func (r *Reader) Assign(a script.Assignment) {
	name, appending := strings.CutSuffix(a.Name, "+")
	value := script.Word{}
	if appending {
		old, known := r.Vars[name]
		if !known {
			r.recordSetting(name, false)
			return
		}
		r.Use(name)
		r.Spend(Weight(old))
		value = append(value, old...)
	}
	for i, p := range a.Value {
		known, ok := r.Vars[p.Text]
		switch {
		case p.Kind == script.Literal:
			value = append(value, p)
		case p.Kind == script.Variable && ok:
			r.Use(p.Text)
			r.Spend(Weight(known))
			r.Expanded(p.Text, known, i > 0 && strings.HasSuffix(a.Value[i-1].Text, "/") && beginsURL(value[0]))
			value = append(value, known...)
		case p.Kind == script.Variable && p.Text != name && script.IsNameStart(p.Text[0]):
			value = append(value, p)
		case p.Kind == script.Variable && p.HasDefault && len(a.Value) == 1:
			// NAME=${NAME:-default} and NAME=${1:-default} stay NAME.
			value = script.Word{{Kind: script.Variable, Text: name, Default: p.Default, HasDefault: true}}
		case p.Kind == script.CommandSubstitution && len(a.Value) == 1 && !appending && p.Text[0] == '$':
			value = script.Word{{Kind: script.Variable, Text: name, Default: "{{" + p.Text + "}}", HasDefault: true}}
		case p.Kind == script.CommandSubstitution && len(a.Value) == 1 && !appending && !ok:
			value = script.Word{{Kind: script.CommandSubstitution, Text: name, JSON: p.JSON, Output: p.Output, File: p.File}}
		case p.Kind == script.CommandSubstitution || p.Output != nil:
			value = append(value, p)
		default:
			r.set(name, unknown)
			r.recordSetting(name, true)
			return
		}
	}
	if r.Lists.doubtful {
		value = unknown
	}
	r.set(name, value)
	if len(a.Value) > 0 {
		r.recordSetting(name, !r.Lists.doubtful)
	}
}

// unknownWeight is the cost of an unknown part, which later becomes a separate variable. About 8,000 are allowed.
const unknownWeight = 512

// Expanded records that a variable was replaced by its value, and whether it follows a slash.
func (r *Reader) Expanded(name string, value script.Word, afterSlash bool) {
	if !script.IsNameStart(name[0]) {
		return // $1: the name has no meaning
	}
	text, literal := value.Literal()
	if !literal || text == "" {
		return
	}
	e := script.Expanded{Name: name, Value: text}
	if afterSlash {
		r.script.Filled = append(r.script.Filled, script.Filled{Expanded: e, Offset: cmp.Or(r.Cur, &script.Command{Offset: -1}).Offset})
	}
	if !r.expanded[e] {
		r.expanded[e] = true
		r.script.Expanded = append(r.script.Expanded, e)
	}
}

// Weight returns the cost of using a value: its bytes and its parts.
func Weight(w script.Word) int {
	n := 0
	for _, p := range w {
		n += 16 + len(p.Text)
	}
	return n
}

// AssignmentIn splits a word NAME=value.
func AssignmentIn(w script.Word) (script.Assignment, bool) {
	if len(w) == 0 || w[0].Kind != script.Literal {
		return script.Assignment{}, false
	}
	name, rest, ok := strings.Cut(w[0].Text, "=")
	if !ok || script.NameLength(name) != len(name) || name == "" {
		return script.Assignment{}, false
	}
	return script.Assignment{Name: name, Value: append(script.LiteralWord(rest), w[1:]...)}, true
}

// defaultText returns the text of a default, with the defaults of its own variables. ok is false if one has none.
func defaultText(w script.Word) (text string, ok bool) {
	var b strings.Builder
	for _, p := range w {
		switch {
		case p.Kind == script.Literal:
			b.WriteString(p.Text)
		case p.Kind == script.Variable && p.Default != "":
			b.WriteString(p.Default)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// Name returns the name at i, or "" if there isn't one.
func (r *Reader) Name(i int) string {
	return r.Text[i : i+script.NameLength(r.Text[i:r.Limit])]
}

// trim returns a value without a literal prefix or suffix; ok is false for operators that do something else, and for
// patterns.
func trim(op, value, affix string) (trimmed string, ok bool) {
	switch {
	case strings.ContainsAny(affix, `*?[\`):
	case op == "#" || op == "##":
		return strings.TrimPrefix(value, affix), true
	case op == "%" || op == "%%":
		return strings.TrimSuffix(value, affix), true
	}
	return "", false
}
