package tree

import (
	"iter"
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// Kind is the kind of a Value.
type Kind uint8

// The kinds. Missing is the kind of a nil *Value, which every lookup returns when it finds nothing. All methods
// accept a nil *Value.
const (
	Missing Kind = iota
	Null
	False
	True
	Number
	String
	Array
	Object
	Record // see ReadRecords
)

// Value is a JSON value. A value has at most one parent: to use it a second time, Clone it. Methods that change
// a value panic when it is not of the kind they need; methods that read never panic.
type Value struct {
	kind Kind
	id   int32  // see ID
	text string // a String's content, a Number's lexeme
	box  *box   // set for arrays and objects
}

// box holds what only arrays and objects need; it is separate to keep scalars small.
type box struct {
	names    []string // of an object, parallel to values
	values   []*Value
	index    map[string]int
	searched int32 // members compared while there is no index
}

// Kind returns the kind of v.
func (v *Value) Kind() Kind {
	if v == nil {
		return Missing
	}
	return v.kind
}

// ID returns the number of v among the values of the document, or -1 if v was not read from it. Values keep their ID
// when they move; a copy has the ID of the original.
func (v *Value) ID() int {
	if v == nil {
		return -1
	}
	return int(v.id)
}

// Near returns the member with a name if it was read from the document, and otherwise v: where a warning about the
// member belongs.
func (v *Value) Near(name string) *Value {
	if member := v.Get(name); member.ID() >= 0 {
		return member
	}
	return v
}

// Text returns a String's content, or "" for every other kind.
func (v *Value) Text() string {
	if v.Kind() != String {
		return ""
	}
	return v.text
}

// Texts returns the contents of an Array's elements, "" for those that are no strings, or a String's own content.
func (v *Value) Texts() (contents []string) {
	if v.Kind() == String {
		return []string{v.text}
	}
	for _, element := range v.Elements() {
		contents = append(contents, element.Text())
	}
	return contents
}

// Scalar returns a String's content, a Number's digits as written, or "true" or "false". Use it for members
// that should be strings and often are not, such as an unquoted version or a default port. ok is false for
// null, arrays, objects and a missing value.
func (v *Value) Scalar() (text string, ok bool) {
	switch v.Kind() {
	case String, Number:
		return v.text, true
	case True:
		return "true", true
	case False:
		return "false", true
	}
	return "", false
}

// Bool reports whether v is true; it is false for every other value.
func (v *Value) Bool() bool { return v.Kind() == True }

// Len returns the number of members or elements, or 0 for every other kind.
func (v *Value) Len() int {
	if v == nil || v.box == nil {
		return 0
	}
	return len(v.box.values)
}

// Elements returns an Array's elements, or nil for every other kind. The slice belongs to v and must not be
// changed.
func (v *Value) Elements() []*Value {
	if v.Kind() != Array {
		return nil
	}
	return v.box.values
}

// Members yields an Object's members in order, and nothing for every other kind. While it runs, the only
// changes allowed are those to the yielded values.
func (v *Value) Members() iter.Seq2[string, *Value] {
	return func(yield func(string, *Value) bool) {
		if v.Kind() != Object {
			return
		}
		for i, name := range v.box.names {
			if !yield(name, v.box.values[i]) {
				return
			}
		}
	}
}

// Names returns an Object's member names in order, or nil for every other kind. The slice belongs to v and must
// not be changed.
func (v *Value) Names() []string {
	if v.Kind() != Object {
		return nil
	}
	return v.box.names
}

// Values returns the member values of an Object or the elements of an Array, and nil for every other kind. The
// slice belongs to v and must not be changed.
func (v *Value) Values() []*Value {
	if v == nil || v.box == nil {
		return nil
	}
	return v.box.values
}

// Get returns the value of an Object's member, or nil if there is none or v is not an Object. Lookups can be
// chained without checks: doc.Get("info").Get("title").Text().
func (v *Value) Get(name string) *Value {
	if v.Kind() != Object {
		return nil
	}
	if i := v.box.find(name); i >= 0 {
		return v.box.values[i]
	}
	return nil
}

// Has reports whether an Object has a member with the name.
func (v *Value) Has(name string) bool {
	return v.Kind() == Object && v.box.find(name) >= 0
}

// Element returns the element at index i of an Array, or nil if there is none.
func (v *Value) Element(i int) *Value {
	if v.Kind() != Array || i < 0 || i >= len(v.box.values) {
		return nil
	}
	return v.box.values[i]
}

// find builds an index after it has searched all members of an object patience times: most objects are small,
// or searched a few times only.
const (
	patience    = 8
	fewToSearch = 16
)

// find returns the position of a member, or -1 if there is none.
func (b *box) find(name string) int {
	if b.index == nil {
		if len(b.names) <= fewToSearch {
			return slices.Index(b.names, name)
		}
		if int(b.searched) < patience*len(b.names) {
			i := slices.Index(b.names, name)
			if i < 0 {
				b.searched += int32(len(b.names))
			} else {
				b.searched += int32(i)
			}
			return i
		}
		b.buildIndex()
	}
	if i, ok := b.index[name]; ok {
		return i
	}
	return -1
}

// buildIndex returns the position of the first name that repeats an earlier one, or -1.
func (b *box) buildIndex() (repeated int) {
	repeated = -1
	b.index = make(map[string]int, len(b.names))
	for i, name := range b.names {
		if _, twice := b.index[name]; twice && repeated < 0 {
			repeated = i
		}
		b.index[name] = i
	}
	return repeated
}

// repeated is like buildIndex, but a small object gets no index.
func (b *box) repeated() int {
	if len(b.names) > fewToSearch {
		return b.buildIndex()
	}
	for i, name := range b.names {
		if slices.Contains(b.names[:i], name) {
			return i
		}
	}
	return -1
}

// moved drops the index after members have changed their positions. The searches before the next index cost a
// small part of building one, so alternating changes and lookups don't build one each.
func (b *box) moved() { b.index, b.searched = nil, 0 }

// Equal reports whether v and w are the same JSON value. The order of members doesn't matter; numbers are equal
// if their digits as written are.
func (v *Value) Equal(w *Value) bool { return v.equal(w, nil) }

func (v *Value) equal(w *Value, paid *budget.Budget) bool {
	paid.Parts(1)
	if v == w {
		return true
	}
	if v.Kind() != w.Kind() || v == nil || v.text != w.text || v.Len() != w.Len() {
		return false
	}
	switch v.kind {
	case Array:
		for i, element := range v.box.values {
			if !element.equal(w.box.values[i], paid) {
				return false
			}
		}
	case Object:
		for i, name := range v.box.names {
			other := w.box.values[i] // usually in the same order
			if w.box.names[i] != name {
				if other = w.Get(name); other == nil {
					return false
				}
			}
			if !v.box.values[i].equal(other, paid) {
				return false
			}
		}
	}
	return true
}
