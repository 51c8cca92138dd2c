package tree

import (
	"slices"
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// NewNull returns null.
func NewNull() *Value { return &Value{kind: Null, id: -1} }

// NewBool returns true or false.
func NewBool(b bool) *Value {
	if b {
		return &Value{kind: True, id: -1}
	}
	return &Value{kind: False, id: -1}
}

// NewString returns a string; content must be valid UTF-8.
func NewString(content string) *Value {
	return &Value{kind: String, id: -1, text: content}
}

// NewNumber returns the number with these digits, which must be a JSON number (RFC 8259, section 6): take them
// from another Value, or use NewInt.
func NewNumber(lexeme string) *Value {
	return &Value{kind: Number, id: -1, text: lexeme}
}

// NewInt returns an integer.
func NewInt(n int) *Value { return NewNumber(strconv.Itoa(n)) }

// NewArray returns an array that takes ownership of the elements.
func NewArray(elements ...*Value) *Value {
	return newBoxed(Array, box{values: elements})
}

// NewStrings returns an array of strings.
func NewStrings(contents []string) *Value {
	list := NewArray()
	for _, content := range contents {
		list.Append(NewString(content))
	}
	return list
}

// NewObject returns an object without members. It allocates the object, its box and room for its first members
// in one piece: most objects have few.
func NewObject() *Value {
	object := &struct {
		value  Value
		box    box
		names  [fewMembers]string
		values [fewMembers]*Value
	}{value: Value{kind: Object, id: -1}}
	object.box.names, object.box.values = object.names[:0], object.values[:0]
	object.value.box = &object.box
	return &object.value
}

// NewObjectFor returns an object without members that has room for n.
func NewObjectFor(n int) *Value {
	return newBoxed(Object, box{names: make([]string, 0, n), values: make([]*Value, 0, n)})
}

// newBoxed allocates an array or object in one piece with its box.
func newBoxed(kind Kind, b box) *Value {
	object := &struct {
		value Value
		box   box
	}{Value{kind: kind, id: -1}, b}
	object.value.box = &object.box
	return &object.value
}

// fewMembers is the initial capacity of an object.
const fewMembers = 4

// must panics when v is of another kind, which is a bug in the caller.
func (v *Value) must(kind Kind) *box {
	if v.Kind() != kind {
		panic("tree: a value of another kind is changed")
	}
	return v.box
}

// Set sets an Object's member. An existing member keeps its position; a new one is added at the end. It returns
// v, so that calls can be chained.
func (v *Value) Set(name string, value *Value) *Value {
	b := v.must(Object)
	if i := b.find(name); i >= 0 {
		b.values[i] = value
		return v
	}
	return v.Add(name, value)
}

// Add appends a member to an Object. The caller guarantees that the name is new: Add doesn't check. It returns
// v, so that calls can be chained.
func (v *Value) Add(name string, value *Value) *Value {
	b := v.must(Object)
	b.names = append(b.names, name)
	b.values = append(b.values, value)
	if b.index != nil {
		b.index[name] = len(b.names) - 1
	}
	return v
}

// Insert inserts a member at position i, counted from 0, after removing any member with that name. It takes
// time linear in the number of members.
func (v *Value) Insert(i int, name string, value *Value) {
	b := v.must(Object)
	v.Delete(name)
	i = min(i, len(b.names))
	b.names = slices.Insert(b.names, i, name)
	b.values = slices.Insert(b.values, i, value)
	b.moved()
}

// Position returns the position of an Object's member, counted from 0, or -1 if there is no such member.
func (v *Value) Position(name string) int {
	if v.Kind() != Object {
		return -1
	}
	return v.box.find(name)
}

// Delete removes an Object's member and returns its value, or nil if there was none. It takes time linear in
// the number of members: to remove many, use Keep.
func (v *Value) Delete(name string) *Value {
	b := v.must(Object)
	i := b.find(name)
	if i < 0 {
		return nil
	}
	removed := b.values[i]
	b.names = slices.Delete(b.names, i, i+1)
	b.values = slices.Delete(b.values, i, i+1)
	b.moved()
	return removed
}

// Keep removes the members of an Object or the elements of an Array for which keep returns false. Elements have no
// name. Nothing is removed until keep has been called for each of them, so keep may look up any.
func (v *Value) Keep(keep func(i int, name string, value *Value) bool) {
	var drop []bool
	for i, value := range v.Values() {
		name := ""
		if v.kind == Object {
			name = v.box.names[i]
		}
		if keep(i, name, value) {
			continue
		}
		if drop == nil {
			drop = make([]bool, v.Len())
		}
		drop[i] = true
	}
	if drop == nil {
		return
	}
	b := v.box
	b.values = without(b.values, drop)
	if v.kind == Object {
		b.names = without(b.names, drop)
		b.moved()
	}
}

// without removes the dropped elements of a list.
func without[T any](list []T, drop []bool) []T {
	i := -1
	return slices.DeleteFunc(list, func(T) bool { i++; return drop[i] })
}

// Rename renames an Object's member, which keeps its position. It does nothing and returns false when there is
// no such member or the new name is taken.
func (v *Value) Rename(name, to string) bool {
	b := v.must(Object)
	i := b.find(name)
	if i < 0 || name != to && b.find(to) >= 0 {
		return false
	}
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

// Become replaces v, in its parent, with the value of with, which must not be used afterwards. It serves to
// wrap or unwrap a value: inner := v.Take(); v.Become(NewObject().Set("not", inner)). A value that was not read gets
// the ID of v.
func (v *Value) Become(with *Value) { *v = *with.From(&Value{id: v.id}) }

// From gives v the ID of source unless v was read, so that warnings about it name what it came from. It returns v.
func (v *Value) From(source *Value) *Value {
	if v.id < 0 {
		v.id = int32(source.ID())
	}
	return v
}

// Take returns the value of v as a new Value and leaves null in its position.
func (v *Value) Take() *Value {
	taken := *v
	*v = Value{kind: Null, id: v.id}
	return &taken
}

// Quota limits the number of values made for one purpose, and charges the budget of the conversion for them. Unlike
// a budget, it doesn't end the conversion: callers drop what exceeds it, with a warning.
type Quota struct {
	left int
	all  *budget.Budget
}

// NewQuota returns a Quota of n values that also charges all.
func NewQuota(n int, all *budget.Budget) *Quota { return &Quota{n, all} }

// NodesFor returns how many values a conversion may make for one purpose: MaxNodes, or more where the output
// may be larger than that of a request.
func NodesFor(all *budget.Budget) int {
	return max(MaxNodes, all.Output()/charactersPerNode)
}

// charactersPerNode is the least that a value takes in indented output.
const charactersPerNode = 8

// Pay charges the conversion for n parts that are not values.
func (q *Quota) Pay(n int) { q.all.Parts(n) }

// Equal is like v.Equal(w), but charges the conversion for the values compared.
func (q *Quota) Equal(v, w *Value) bool { return v.equal(w, q.all) }

// Spend takes n values from the quota and reports whether it had enough. Once Spend has returned false, it
// always does.
func (q *Quota) Spend(n int) bool {
	q.all.Parts(n)
	q.left -= n
	if q.left < 0 {
		q.left = -1
		return false
	}
	return true
}

// Left returns how many values may still be made.
func (q *Quota) Left() int { return max(q.left, 0) }

// Clone returns a deep copy of v. It returns nil when v has more values than the quota has left, or v is nil.
func (v *Value) Clone(quota *Quota) *Value {
	if v == nil || !quota.Spend(1) {
		return nil
	}
	quota.all.Bytes(len(v.text))
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
			quota.all.Bytes(len(v.box.names[i]))
		}
		c := value.Clone(quota)
		if c == nil {
			return nil
		}
		copied.box.values[i] = c
	}
	return &copied
}

// SetText sets a member of an object to a string unless it is empty, and returns the object.
func (v *Value) SetText(name, text string) *Value {
	if text != "" {
		v.Set(name, NewString(text))
	}
	return v
}
