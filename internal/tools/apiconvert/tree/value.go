// Package tree holds a JSON or YAML document as an ordered tree that can be
// looked up, changed in place and written back: object members keep their
// order, numbers their digits.
//
// Words, as in RFC 8259: an object has members, each a name and a value; an
// array has elements. A document is a text that was read and its root value.
//
// Everything here is bounded for every input: at most MaxNodes values and
// jsondoc.MaxDepth levels come out of a reader, aliases and merge keys of
// YAML are paid for as what they expand to, and looking up, resolving a
// reference and writing are linear in what they touch.
//
// A Value may be read by one goroutine at a time only: lookups keep an index.
package tree

import (
	"iter"
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// Kind says what a Value is.
type Kind uint8

// The kinds. Missing is the kind of a nil *Value, which is what every lookup
// returns that finds nothing, and on which every method can be called.
const (
	Missing Kind = iota
	Null
	False
	True
	Number
	String
	Array
	Object
)

// Value is a JSON value. A value has one parent at most: to use a value in a
// second place, Clone it. The methods that change a value panic when it is of
// another kind than they need; the methods that read never do.
type Value struct {
	kind   Kind
	offset int32
	text   string // a String's content, a Number's lexeme
	box    *box   // set for arrays and objects
}

// box is what only arrays and objects need, apart so that scalars stay small.
type box struct {
	names    []string // an object's, parallel to values
	values   []*Value
	index    map[string]int
	searched int32 // members looked at while there is no index
	kept     bool  // names are not only the box's
}

// Kind returns the kind of v.
func (v *Value) Kind() Kind {
	if v == nil {
		return Missing
	}
	return v.kind
}

// Offset is the byte offset in the document's text where v begins, -1 for a
// value that was not read from it. A value that a YAML alias or merge key
// brought stands where the alias stands.
func (v *Value) Offset() int {
	if v == nil {
		return -1
	}
	return int(v.offset)
}

// Text returns a String's content, "" for every other kind.
func (v *Value) Text() string {
	if v.Kind() != String {
		return ""
	}
	return v.text
}

// Scalar returns a String's content, a Number's digits as they were written,
// or "true" or "false". It is for members that should be strings and often
// are not: an unquoted version, a default port. ok is false for null, arrays,
// objects and a missing value.
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

// Bool reports whether v is true; everything else is false.
func (v *Value) Bool() bool { return v.Kind() == True }

// Len is the number of members or elements, 0 for what has none.
func (v *Value) Len() int {
	if v == nil || v.box == nil {
		return 0
	}
	return len(v.box.values)
}

// Elements returns an Array's elements, nil for every other kind. The slice
// is v's own and must not be changed.
func (v *Value) Elements() []*Value {
	if v.Kind() != Array {
		return nil
	}
	return v.box.values
}

// Members yields an Object's members in order, nothing for every other kind.
// While it runs, v may be changed only by changing the values it yields.
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

// Names returns an Object's member names in order, nil for every other kind.
// The slice is v's own and must not be changed.
func (v *Value) Names() []string {
	if v.Kind() != Object {
		return nil
	}
	return v.box.names
}

// Values returns an Object's members' values or an Array's elements, nil for
// every other kind. The slice is v's own and must not be changed.
func (v *Value) Values() []*Value {
	if v == nil || v.box == nil {
		return nil
	}
	return v.box.values
}

// KeptNames returns Names that stay as they are when v is changed.
func (v *Value) KeptNames() []string {
	names := v.Names()
	if names != nil {
		v.box.kept = true
	}
	return names
}

// Get returns the value of an Object's member, nil when there is none or v is
// not an Object. Lookups may be chained without looking at what they return:
// doc.Get("info").Get("title").Text().
func (v *Value) Get(name string) *Value {
	if v.Kind() != Object {
		return nil
	}
	if i := v.box.find(name); i >= 0 {
		return v.box.values[i]
	}
	return nil
}

// Has reports whether an Object has a member of the name.
func (v *Value) Has(name string) bool {
	return v.Kind() == Object && v.box.find(name) >= 0
}

// Element returns the element at index i of an Array, nil when there is none.
func (v *Value) Element(i int) *Value {
	if v.Kind() != Array || i < 0 || i >= len(v.box.values) {
		return nil
	}
	return v.box.values[i]
}

// An object is indexed once its members have been gone through patience times
// in searches: most objects are small, or searched a few times only.
const (
	patience    = 8
	fewToSearch = 16
)

// find returns the position of the member, -1 if there is none.
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
		b.index = make(map[string]int, len(b.names))
		for i, name := range b.names {
			b.index[name] = i
		}
	}
	if i, ok := b.index[name]; ok {
		return i
	}
	return -1
}

// moved drops the index after members have changed their positions. The
// search before the next index costs a small part of what building one costs,
// so changes and lookups in turn do not build one each.
func (b *box) moved() { b.index, b.searched = nil, 0 }

// Equal reports whether v and w are the same JSON value: the order of members
// does not matter, numbers are compared by their digits as written.
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
			other := w.box.values[i] // most often in the same order
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
