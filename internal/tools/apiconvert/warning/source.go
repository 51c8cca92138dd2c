package warning

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// document is a document with the paths that its values had before it was rewritten in place. A value keeps its ID
// when it moves, so its original path can be found later.
type document struct {
	root    *tree.Value // in its current state
	nodes   []node      // by ID; nil if nothing changes the document
	written bool        // it is the output
}

// node is a value as it was read.
type node struct {
	name             string // of an object's member
	parent, position int32  // the root has no parent, only elements have a position
}

const none = -1

// nodeBytes approximates the budget cost of visiting a value, in bytes.
const nodeBytes = 16

// outline returns the nodes of a document that nothing has changed yet.
func outline(doc *tree.Document, b *budget.Budget) []node {
	nodes := make([]node, doc.Values())
	var add func(v *tree.Value)
	add = func(v *tree.Value) {
		if v.Kind() != tree.Array && v.Kind() != tree.Object {
			return
		}
		b.Pass(nodeBytes * (1 + v.Len()))
		id := int32(v.ID())
		for name, value := range v.Members() {
			nodes[value.ID()] = node{name, id, none}
			add(value)
		}
		for i, value := range v.Elements() {
			nodes[value.ID()] = node{"", id, int32(i)}
			add(value)
		}
	}
	nodes[doc.Root.ID()] = node{"", none, none}
	add(doc.Root)
	return nodes
}

// path returns the IDs of the values on the path to a value, from the root.
func (d *document) path(id int) (ids []int) {
	for ; id >= 0; id = int(d.nodes[id].parent) {
		ids = append(ids, id)
	}
	slices.Reverse(ids)
	return ids
}

// names returns the names on the path to a value.
func (d *document) names(id int) (names []string) {
	if d.nodes == nil {
		return d.unchanged(id)
	}
	for _, id := range d.path(id)[1:] {
		n := &d.nodes[id]
		if n.position >= 0 {
			names = append(names, strconv.Itoa(int(n.position)))
		} else {
			names = append(names, n.name)
		}
	}
	if d.written {
		return d.inOutput(names)
	}
	return names
}

// unchanged returns the names on the path to a value of a document that nothing has changed: IDs ascend in it.
func (d *document) unchanged(id int) (names []string) {
	for v := d.root; v.ID() != id; {
		i, found := find(v.Values(), id)
		if !found {
			i--
		}
		if i < 0 {
			break
		}
		name := strconv.Itoa(i)
		if v.Kind() == tree.Object {
			name = v.Names()[i]
		}
		names, v = append(names, name), new(tree.Records).Parse(v.Values()[i], nil)
	}
	return names
}

// find returns the position of the value with an ID among values with ascending IDs, or where it would be.
func find(values []*tree.Value, id int) (position int, found bool) {
	return slices.BinarySearchFunc(values, id, func(v *tree.Value, id int) int { return cmp.Compare(v.ID(), id) })
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

// requestName returns the name of the Postman request that contains a value, or "".
func (d *document) requestName(id int) (name string) {
	if d.written || d.nodes == nil || !d.root.Has("item") {
		return ""
	}
	v := d.root
	for _, id := range d.path(id)[1:] {
		if n := &d.nodes[id]; n.position < 0 {
			v = v.Get(n.name)
		} else {
			// Elements are only removed, so the IDs of the others ascend.
			i, _ := find(v.Elements(), id)
			v = v.Element(i)
		}
		if v.ID() != id {
			break
		}
		if v.Has("request") {
			name = v.Get("name").Text()
		}
	}
	return name
}
