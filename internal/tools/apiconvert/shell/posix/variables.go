package posix

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
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

// array is a bash array with known keys, in the order in which they are set. The keys of an indexed array are numbers.
type array struct {
	keys   []string
	values map[string]script.Word
}

func (a *array) set(key string, value script.Word) {
	if _, known := a.values[key]; !known {
		a.keys = append(a.keys, key)
	}
	a.values[key] = value
}

// all returns the values, or the keys as words.
func (a *array) all(keys bool) []script.Word {
	words := make([]script.Word, len(a.keys))
	for i, key := range a.keys {
		if words[i] = a.values[key]; keys {
			words[i] = script.LiteralWord(key)
		}
	}
	return words
}

// keyed matches the key of an element in NAME=([key]=value).
var keyed = expression.Lazy(`^\[([^][]{1,62})\]=`)

// add adds a word of NAME=(…): a value, or [key]=value.
func (a *array) add(w script.Word) {
	if len(w) > 0 && w[0].Kind == script.Literal {
		if m := keyed().FindStringSubmatch(w[0].Text); m != nil {
			a.set(m[1], slices.Concat(script.LiteralWord(w[0].Text[len(m[0]):]), w[1:]))
			return
		}
	}
	a.set(strconv.Itoa(len(a.keys)), w)
}

// array reads the words of NAME=(…).
func (r *Reader) array(name string) {
	r.Pos++
	name, appending := strings.CutSuffix(name, "+")
	a := r.arrays[name]
	if a == nil || !appending {
		a = &array{values: map[string]script.Word{}}
	} else {
		r.Use(name)
	}
	for r.ToCommand() && r.Text[r.Pos] != ')' {
		start := r.Pos
		more, _ := r.wordFields()
		r.nameToken("", name)
		if r.Pos == start {
			r.Pos++
		}
		for _, w := range more {
			if r.runs() {
				a.add(w)
			}
		}
	}
	if r.ByteAt(r.Pos) == ')' {
		r.Pos++
	}
	r.Comment = "" // a comment inside the array describes its words
	if r.runs() {
		r.forget(name)
		r.arrays[name] = a
		r.recordSetting(name, true)
	}
}

// elementHead matches the beginning of NAME[key]=value.
var elementHead = expression.Lazy(`^(\w+)\[([^][]{1,62})\]=`)

// assignElement reads NAME[key]=value and reports whether there is one.
func (r *Reader) assignElement() bool {
	m := r.Match(elementHead())
	if m == nil {
		return false
	}
	value := r.unsplitWord()
	r.Use(m[1])
	a, known := r.arrays[m[1]]
	if !known {
		a = &array{values: map[string]script.Word{}}
	}
	switch key, _, ok := r.key(m[2]); {
	case !r.runs():
	case a == nil || !ok:
		r.forget(m[1])
		r.recordSetting(m[1], false)
	default:
		a.set(key, value)
		r.arrays[m[1]] = a
		r.recordSetting(m[1], true)
	}
	return true
}

// key returns the key that an index consists of: a string, or a variable with a known value or default.
func (r *Reader) key(index string) (key string, isDefault, ok bool) {
	index = strings.Trim(index, `"'`)
	name, isVariable := strings.CutPrefix(index, "$")
	name = strings.Trim(name, "{}")
	if isVariable {
		r.Use(name)
	}
	value, known := r.known(name)
	switch literal, isLiteral := value.Literal(); {
	case !isVariable:
		return index, false, !strings.ContainsAny(index, "$`")
	case known && isLiteral:
		return literal, false, true
	case known && len(value) == 1 && value[0].HasDefault:
		return value[0].Default, true, true
	}
	return "", false, false
}

// element adds ${name[index]}, or ${!name[@]} if keys is set. All elements are separate fields.
func (r *Reader) element(f *Fields, p script.Part, index string, keys, inQuotes bool) {
	r.Use(p.Text)
	a := r.arrays[p.Text]
	if index == "@" || index == "*" {
		if a != nil {
			r.fieldsOf(f, a.all(keys))
			return
		}
		p.Kind = script.Arguments
		r.unsupported(f, p, script.ArgumentsUnknown, inQuotes)
		return
	}
	key, isDefault, ok := r.key(index)
	if r.parses || keys || !ok {
		r.unsupported(f, p, script.ExpansionUnknown, inQuotes)
		return
	}
	var value script.Word
	if a != nil {
		value, ok = a.values[key]
	}
	literal, isLiteral := value.Literal()
	switch {
	case a != nil && ok && !isDefault:
		r.Spend(Weight(value))
		r.Expanded(p.Text, value, f.AfterSlash())
		f.Value(value, inQuotes)
	case a != nil && ok && isLiteral:
		f.Part(script.Part{Kind: script.Variable, Text: p.Text, Default: literal, HasDefault: true, Quoted: inQuotes})
	default:
		p.Text = elementName(p.Text, key)
		r.unsupported(f, p, script.ExpansionUnknown, inQuotes)
	}
}

// elementName returns the variable for an element whose value is unknown. PARTS_1 is another unknown value.
func elementName(array, key string) string {
	name := array + "_" + key
	if key != "" && key[0] <= '9' {
		name = array + "_item_" + key
	}
	if script.NameLength(name) < len(name) {
		return array
	}
	return name
}
