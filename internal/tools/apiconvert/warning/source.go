package warning

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// outline remembers which containers a document had and under which names,
// before it is rewritten in place. What the rewriting moves keeps its offset in
// the source's text, so that its first place can be told later.
type outline struct {
	budget   *budget.Budget
	nodes    []node  // each before those in it
	byOffset []int32 // of nodes, made when it is first needed
}

// node is an array or object of the source.
type node struct {
	offset, parent, position int32
	count                    int32    // of members or elements
	end                      int32    // behind the nodes in it
	names                    []string // of an object's members, nil for an array
}

const none = -1

// nodeBytes is about what going over a value takes, told in bytes of text.
const nodeBytes = 16

// outlineOf goes over a document that was read just now.
func outlineOf(root *tree.Value, b *budget.Budget) *outline {
	o := &outline{budget: b, nodes: make([]node, 0, containers(root))}
	o.add(root, none, 0)
	return o
}

// containers counts the arrays and objects that a value is and holds.
func containers(v *tree.Value) int {
	if v.Kind() != tree.Array && v.Kind() != tree.Object {
		return 0
	}
	n := 1
	for _, value := range v.Values() {
		n += containers(value)
	}
	return n
}

func (o *outline) add(v *tree.Value, parent, position int32) {
	if v.Kind() != tree.Array && v.Kind() != tree.Object {
		return
	}
	o.budget.Pass(nodeBytes * (1 + v.Len()))
	id := int32(len(o.nodes))
	o.nodes = append(o.nodes, node{
		offset: int32(v.Offset()), parent: parent, position: position, count: int32(v.Len()), names: v.KeptNames(),
	})
	for i, value := range v.Values() {
		o.add(value, id, int32(i))
	}
	o.nodes[id].end = int32(len(o.nodes))
}

// inner is the node that stands at a position of another, none when that is
// neither an array nor an object.
func (o *outline) inner(id int32, position int) int32 {
	for inner := id + 1; inner < o.nodes[id].end; inner = o.nodes[inner].end {
		if int(o.nodes[inner].position) == position {
			return inner
		}
	}
	return none
}

// find returns the node that v was, none when it was not in the source. Values
// that an alias brought all stand where the alias does: of those it is the one
// that parent has under the name, or the first.
func (o *outline) find(v *tree.Value, parent int32, name string) int32 {
	if v.Offset() < 0 {
		return none
	}
	if o.byOffset == nil {
		o.byOffset = make([]int32, len(o.nodes))
		for i := range o.byOffset {
			o.byOffset[i] = int32(i)
		}
		slices.SortStableFunc(o.byOffset, func(a, b int32) int { return cmp.Compare(o.nodes[a].offset, o.nodes[b].offset) })
	}
	at, ok := slices.BinarySearchFunc(o.byOffset, int32(v.Offset()), func(id, offset int32) int {
		return cmp.Compare(o.nodes[id].offset, offset)
	})
	if !ok {
		return none
	}
	if position, ok := o.position(parent, name); ok {
		if id := o.inner(parent, position); id != none && o.nodes[id].offset == int32(v.Offset()) {
			return id
		}
	}
	return o.byOffset[at]
}

// position is where a node has a member of the name, or an element.
func (o *outline) position(id int32, name string) (int, bool) {
	n := &o.nodes[id]
	if n.names != nil {
		i := slices.Index(n.names, name)
		return i, i >= 0
	}
	i, err := strconv.Atoi(name)
	return i, err == nil && i >= 0 && i < int(n.count)
}

// names are the names on the way from the root to a node.
func (o *outline) names(id int32) []string {
	var names []string
	for o.nodes[id].parent != none {
		n := &o.nodes[id]
		if parent := &o.nodes[n.parent]; parent.names != nil {
			names = append(names, parent.names[n.position])
		} else {
			names = append(names, strconv.Itoa(int(n.position)))
		}
		id = n.parent
	}
	slices.Reverse(names)
	return names
}

// document is what places are looked up in.
type document struct {
	root   *tree.Value // as it is now
	source *outline    // nil for a document that is written
}

// locate returns the names on the way to a place: in the source, as deep as it
// had what the place names.
func (d *document) locate(at *Place) []string {
	steps := at.steps()
	v, id := d.root, int32(0) // the root is the root, whatever has become of it
	var rest []string         // behind the node
	for _, s := range steps {
		name, value := s.of(v)
		if d.source == nil && d.root != nil && value == nil {
			break
		}
		rest, v = append(rest, name), value
		if d.source == nil || value.Kind() != tree.Object && value.Kind() != tree.Array {
			continue
		}
		if found := d.source.find(value, id, name); found != none {
			id, rest = found, nil
		}
	}
	if d.source == nil || len(d.source.nodes) == 0 {
		return rest
	}
	names := d.source.names(id)
	for _, name := range rest {
		i, ok := d.source.position(id, name)
		if !ok {
			break
		}
		names = append(names, name)
		if id = d.source.inner(id, i); id == none {
			break
		}
	}
	return names
}

// requestName returns the name of the request of a Postman collection that a
// place is in, "" if there is none.
func (d *document) requestName(at *Place) (name string) {
	if d.source == nil || !d.root.Has("item") {
		return ""
	}
	v := d.root
	for _, s := range at.steps() {
		if _, v = s.of(v); v.Has("request") {
			name = v.Get("name").Text()
		}
	}
	return name
}
