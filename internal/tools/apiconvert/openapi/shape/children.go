package shape

import (
	"iter"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Child is a value within an object of a known kind: the value of a property, or an element or entry of a property
// that is a list or map.
type Child struct {
	Value *tree.Value
	Kind  Kind

	// The property: its name and its description, nil if the kind doesn't define it or the
	// value isn't what it should be.
	Property *tree.Value
	Name     string
	Member   *Member

	Entry int    // the position of the value in the property, or -1 for the property itself
	Key   string // the name of an entry of a map
}

// Children yields the children of v, an object of kind k, in order. The only changes allowed meanwhile are those to
// the yielded values.
func (k Kind) Children(v *tree.Value) iter.Seq[Child] {
	return func(yield func(Child) bool) {
		s := k.Shape()
		for name, value := range v.Members() {
			c := Child{Value: value, Property: value, Name: name, Member: s.member(name), Entry: -1}
			if c.Member != nil {
				c.Kind = c.Member.Of
			}
			if !c.each(func(c Child) bool {
				if !c.fits() {
					c.Kind, c.Member = Anything, nil
				}
				return yield(c)
			}) {
				return
			}
		}
	}
}

// fits reports whether the value may be one of its kind, at least for authors: a string often replaces an object.
func (c Child) fits() bool {
	switch {
	case c.Kind == Anything:
		return true
	case c.Member.In != One && c.Entry < 0:
		return false
	}
	return c.Value.Kind() != tree.Array && (c.Value.Kind() != tree.Object || !c.Kind.Leaf())
}

// each yields c, or its elements or entries.
func (c Child) each(yield func(Child) bool) bool {
	isSchema := c.Kind == SchemaOrFlag || c.Kind == SchemaList
	if isSchema {
		c.Kind = Schema
	}
	switch {
	case isSchema && c.Property.Kind() == tree.Array, c.Property.Kind() == tree.Array && c.Member != nil && c.Member.In == List:
		for c.Entry, c.Value = range c.Property.Elements() {
			if !yield(c) {
				return false
			}
		}
	case c.Property.Kind() == tree.Object && c.Member != nil && c.Member.In == Named:
		c.Entry = 0
		for c.Key, c.Value = range c.Property.Members() {
			if !yield(c) {
				return false
			}
			c.Entry++
		}
	default:
		return yield(c)
	}
	return true
}
