package warning

import (
	"slices"
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// outline records the arrays and objects of a document and their member names before the document is rewritten in
// place. A value keeps its source offset when it moves, so its original place can be found later.
type outline struct {
	budget   *budget.Budget
	nodes    []node          // each before its descendants
	byOffset map[int32]int32 // the first node at each offset; built on first use
}

// node is an array or object of the source.
type node struct {
	offset, parent, position int32
	count                    int32    // members or elements
	end                      int32    // index after its descendants
	names                    []string // member names of an object; nil for an array
}

const none = -1

// nodeBytes approximates the budget cost of visiting a value, in bytes.
const nodeBytes = 16

// outlineOf returns the outline of a document that was just parsed.
func outlineOf(root *tree.Value, b *budget.Budget) *outline {
	o := &outline{budget: b, nodes: make([]node, 0, containers(root))}
	o.add(root, none, 0)
	return o
}

// containers counts the arrays and objects in a value, including itself.
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

// inner returns the node at a position of another, or none if the value there is neither an array nor an object.
func (o *outline) inner(id int32, position int) int32 {
	for inner := id + 1; inner < o.nodes[id].end; inner = o.nodes[inner].end {
		if int(o.nodes[inner].position) == position {
			return inner
		}
	}
	return none
}

// find returns the node that v was in the source, or none. Values that come from a YAML alias share the anchor's
// offset; find then prefers the one that parent has under name, and otherwise returns the first.
func (o *outline) find(v *tree.Value, parent int32, name string) int32 {
	if v.Offset() < 0 {
		return none
	}
	if o.byOffset == nil {
		o.byOffset = make(map[int32]int32, len(o.nodes))
		for id, n := range slices.Backward(o.nodes) {
			o.byOffset[n.offset] = int32(id)
		}
	}
	first, known := o.byOffset[int32(v.Offset())]
	if !known {
		return none
	}
	if position, ok := o.position(parent, name); ok {
		if id := o.inner(parent, position); id != none && o.nodes[id].offset == int32(v.Offset()) {
			return id
		}
	}
	return first
}

// position returns the position of a member or element within a node.
func (o *outline) position(id int32, name string) (int, bool) {
	n := &o.nodes[id]
	if n.names != nil {
		i := slices.Index(n.names, name)
		return i, i >= 0
	}
	i, err := strconv.Atoi(name)
	return i, err == nil && i >= 0 && i < int(n.count)
}

// names returns the path from the root to a node.
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

// document resolves places.
type document struct {
	root   *tree.Value // in its current state
	source *outline    // nil for a written document
}

// locate returns the names on the path to a place. The path is that of the source up to the deepest part that existed
// there.
func (d *document) locate(at *Place) []string {
	if d.source == nil {
		return d.written(at)
	}
	// Walk to the place in the document as it is now, and remember the last array or object on the way that is also in
	// the source. It may have moved.
	v, id := d.root, int32(0) // the root stays the root after rewriting
	var rest []string         // the names below that node
	for _, s := range at.steps() {
		name, value := s.of(v)
		rest, v = append(rest, name), value
		if value.Kind() != tree.Object && value.Kind() != tree.Array {
			continue
		}
		if found := d.source.find(value, id, name); found != none {
			id, rest = found, nil
		}
	}
	if len(d.source.nodes) == 0 {
		return rest
	}
	// The path of that node in the source, and of the names below it that the source has there.
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

// written returns the names on the path to a place in a written document, as far as it exists.
func (d *document) written(at *Place) (names []string) {
	v := d.root
	for _, s := range at.steps() {
		name, value := s.of(v)
		if d.root != nil && value == nil {
			break
		}
		names, v = append(names, name), value
	}
	return names
}

// swaggerSections maps the sections of components to those of the root of Swagger 2.0.
var swaggerSections = map[string]string{
	"schemas": "definitions", "securitySchemes": "securityDefinitions", "responses": "responses", "parameters": "parameters",
}

// inOutput returns the path in the written document of what was at a path before it was rewritten, as far as it still
// exists.
func (d *document) inOutput(names []string) []string {
	if len(names) > 1 && names[0] == "components" && !d.root.Has("components") && swaggerSections[names[1]] != "" {
		names = append([]string{swaggerSections[names[1]]}, names[2:]...)
	}
	v := d.root
	for i, name := range names {
		position, err := strconv.Atoi(name)
		if v.Kind() == tree.Array && err == nil && position < v.Len() {
			v = v.Element(position)
		} else if v = v.Get(name); v == nil {
			return names[:i]
		}
	}
	return names
}

// requestName returns the name of the Postman request that contains a place, or "".
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
