package tree

import (
	"slices"
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// NewNull returns null.
func NewNull() *Value { return &Value{kind: Null, offset: -1} }

// NewBool returns true or false.
func NewBool(b bool) *Value {
	if b {
		return &Value{kind: True, offset: -1}
	}
	return &Value{kind: False, offset: -1}
}

// NewString returns a string; content must be valid UTF-8.
func NewString(content string) *Value {
	return &Value{kind: String, offset: -1, text: content}
}

// NewNumber returns the number with these digits, which must be a JSON number
// (RFC 8259, section 6): take them from another Value, or use NewInt.
func NewNumber(lexeme string) *Value {
	return &Value{kind: Number, offset: -1, text: lexeme}
}

// NewInt returns an integer.
func NewInt(n int) *Value { return NewNumber(strconv.Itoa(n)) }

// NewArray returns an array of the elements, which it takes over.
func NewArray(elements ...*Value) *Value {
	return newBoxed(Array, box{values: elements})
}

// NewObject returns an object without members. It is allocated in one piece
// with its box and room for its first members: most have few.
func NewObject() *Value {
	whole := &struct {
		value  Value
		box    box
		names  [fewMembers]string
		values [fewMembers]*Value
	}{value: Value{kind: Object, offset: -1}}
	whole.box.names, whole.box.values = whole.names[:0], whole.values[:0]
	whole.value.box = &whole.box
	return &whole.value
}

// NewObjectFor returns an object without members that has room for n.
func NewObjectFor(n int) *Value {
	return newBoxed(Object, box{names: make([]string, 0, n), values: make([]*Value, 0, n)})
}

// newBoxed allocates an array or object in one piece with its box.
func newBoxed(kind Kind, b box) *Value {
	whole := &struct {
		value Value
		box   box
	}{Value{kind: kind, offset: -1}, b}
	whole.value.box = &whole.box
	return &whole.value
}

// fewMembers is how many members an object has room for at first.
const fewMembers = 4

// must panics when v is of another kind: that is a mistake in the caller,
// never in the input.
func (v *Value) must(kind Kind) *box {
	if v.Kind() != kind {
		panic("tree: a value of another kind is changed")
	}
	return v.box
}

// own makes the names the box's alone, so that they can be changed in place.
func (b *box) own() {
	if b.kept {
		b.names, b.kept = slices.Clone(b.names), false
	}
}

// Set gives an Object's member a value: in its place if the name is there, as
// the last member otherwise. It returns v, so that calls can be chained.
func (v *Value) Set(name string, value *Value) *Value {
	b := v.must(Object)
	if i := b.find(name); i >= 0 {
		b.values[i] = value
		return v
	}
	return v.Add(name, value)
}

// Add gives an Object a last member, whose name it must not have yet: it does
// not look. It returns v, so that calls can be chained.
func (v *Value) Add(name string, value *Value) *Value {
	b := v.must(Object)
	b.names = append(b.names, name)
	b.values = append(b.values, value)
	if b.index != nil {
		b.index[name] = len(b.names) - 1
	}
	return v
}

// Insert puts a new member at position i, 0 being the first. A member of the
// name is removed first. It is linear in v's members.
func (v *Value) Insert(i int, name string, value *Value) {
	b := v.must(Object)
	v.Delete(name)
	b.own()
	i = min(i, len(b.names))
	b.names = slices.Insert(b.names, i, name)
	b.values = slices.Insert(b.values, i, value)
	b.moved()
}

// Position returns where an Object's member stands, 0 being the first, -1
// when it has none of the name.
func (v *Value) Position(name string) int {
	if v.Kind() != Object {
		return -1
	}
	return v.box.find(name)
}

// Delete removes an Object's member and returns its value, nil when there was
// none. It is linear in v's members: to remove many, use Keep.
func (v *Value) Delete(name string) *Value {
	b := v.must(Object)
	i := b.find(name)
	if i < 0 {
		return nil
	}
	removed := b.values[i]
	b.own()
	b.names = slices.Delete(b.names, i, i+1)
	b.values = slices.Delete(b.values, i, i+1)
	b.moved()
	return removed
}

// Keep removes every member of an Object for which keep is false.
func (v *Value) Keep(keep func(name string, value *Value) bool) {
	b := v.must(Object)
	n := 0
	for i, name := range b.names {
		if !keep(name, b.values[i]) {
			b.own()
			continue
		}
		if n < i {
			b.names[n], b.values[n] = name, b.values[i]
		}
		n++
	}
	if n == len(b.names) {
		return
	}
	clear(b.names[n:])
	clear(b.values[n:])
	b.names, b.values = b.names[:n], b.values[:n]
	b.moved()
}

// Rename gives an Object's member another name in the same place. It does
// nothing and returns false when there is no such member or the new name is
// taken.
func (v *Value) Rename(name, to string) bool {
	b := v.must(Object)
	i := b.find(name)
	if i < 0 || name != to && b.find(to) >= 0 {
		return false
	}
	b.own()
	b.names[i] = to
	if b.index != nil {
		delete(b.index, name)
		b.index[to] = i
	}
	return true
}

// Append adds elements to the end of an Array.
func (v *Value) Append(elements ...*Value) *Value {
	b := v.must(Array)
	b.values = append(b.values, elements...)
	return v
}

// KeepElements removes every element of an Array for which keep is false.
func (v *Value) KeepElements(keep func(element *Value) bool) {
	b := v.must(Array)
	b.values = slices.DeleteFunc(b.values, func(e *Value) bool { return !keep(e) })
}

// Become makes v, in its place in its parent, the value that with is. with
// must not be used afterwards. It is how a value is wrapped or unwrapped:
// inner := v.Take(); v.Become(NewObject().Set("not", inner)).
func (v *Value) Become(with *Value) { *v = *with }

// Take returns what v is as a new value and leaves null in its place.
func (v *Value) Take() *Value {
	taken := *v
	*v = Value{kind: Null, offset: v.offset}
	return &taken
}

// Budget is how many values may still be made for one purpose: what is beyond
// it is left out and told, where the conversion as a whole can go on. Cloning
// and expanding spend it, and pay for it from the budget of the conversion.
type Budget struct {
	left int
	all  *budget.Budget
}

// NewBudget allows n values, paid from all.
func NewBudget(n int, all *budget.Budget) *Budget { return &Budget{n, all} }

// NodesFor is how many values may be made for one purpose in a conversion:
// MaxNodes, and more where the output may be larger than a request's.
func NodesFor(all *budget.Budget) int {
	return max(MaxNodes, all.Output()/charactersPerNode)
}

// charactersPerNode is what a value takes at least in a laid out text.
const charactersPerNode = 8

// Pay pays for n parts that are none of the values.
func (b *Budget) Pay(n int) { b.all.Parts(n) }

// Equal is v.Equal(w), paid by the values that are compared.
func (b *Budget) Equal(v, w *Value) bool { return v.equal(w, b.all) }

// Spend takes n values from the budget and reports whether there were as many.
// Once it has failed it always fails.
func (b *Budget) Spend(n int) bool {
	b.all.Parts(n)
	b.left -= n
	if b.left < 0 {
		b.left = -1
		return false
	}
	return true
}

// Left is how many values may still be made.
func (b *Budget) Left() int { return max(b.left, 0) }

// Clone returns a copy of v that shares nothing that can change. It returns
// nil when v has more values than the budget has left, or v is nil.
func (v *Value) Clone(budget *Budget) *Value {
	if v == nil || !budget.Spend(1) {
		return nil
	}
	budget.all.Bytes(len(v.text))
	copied := *v
	if v.box == nil {
		return &copied
	}
	copied.box = &box{
		names:  slices.Clone(v.box.names),
		values: make([]*Value, len(v.box.values)),
	}
	for i, value := range v.box.values {
		if v.kind == Object {
			budget.all.Bytes(len(v.box.names[i]))
		}
		c := value.Clone(budget)
		if c == nil {
			return nil
		}
		copied.box.values[i] = c
	}
	return &copied
}
