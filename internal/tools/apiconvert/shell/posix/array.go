package posix

import (
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

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
