package warning

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// fixed is a string from our source code. The type is unexported, so outside this package only an untyped constant
// converts to it.
type fixed string

// Place is where something was lost or changed: a *tree.Value of the document, or a *ScriptPlace. A nil Place is the
// whole source.
type Place interface {
	// ID is the number of a value among those of its document, and -1 in a script.
	ID() int
}

// ScriptPlace is a command or another line of a script, or a part of a command. A nil ScriptPlace is the whole script.
type ScriptPlace struct {
	parent *ScriptPlace
	noun   string // of a part
	number int32  // of the command or part, 1-based; 0 for another line
	line   int32  // 1-based; 0 for a part
	last   int32  // the last of several lines, or 0
}

// Command returns the place of a curl command, with its 1-based number and the line that it begins at.
func Command(number, line int) *ScriptPlace {
	return &ScriptPlace{number: int32(number), line: int32(line)}
}

// Line returns the place of a line that isn't part of a curl command; line 0 is the whole script.
func Line(line int) *ScriptPlace {
	if line == 0 {
		return nil
	}
	return &ScriptPlace{line: int32(line)}
}

// Lines returns the place of the lines from first to last that aren't part of curl commands.
func Lines(first, last int) *ScriptPlace { return &ScriptPlace{line: int32(first), last: int32(last)} }

// Nth returns one of several parts of a command, counted from 1, such as an operation or a URL.
func (p *ScriptPlace) Nth(noun fixed, n int) *ScriptPlace {
	return &ScriptPlace{parent: p, noun: string(noun), number: int32(n)}
}

// ID returns -1.
func (p *ScriptPlace) ID() int { return -1 }

// command returns the command or line that p is or is part of.
func (p *ScriptPlace) command() *ScriptPlace {
	for p.parent != nil {
		p = p.parent
	}
	return p
}

// text returns the place: "command 1, line 3, operation 2", for example.
func (p *ScriptPlace) text() string {
	if p.parent == nil {
		return fmt.Sprintf("command %d, line %d", p.number, p.line)
	}
	return fmt.Sprintf("%s, %s %d", p.parent.text(), p.noun, p.number)
}

// follows reports whether p is the command or the part after q.
func (p *ScriptPlace) follows(q *ScriptPlace) bool {
	return p.noun == q.noun && q.number > 0 && p.number == q.number+1 && same(p.parent, q.parent)
}

func same(p, q *ScriptPlace) bool {
	return p == q || p != nil && q != nil && p.noun == q.noun && p.number == q.number && p.line == q.line && same(p.parent, q.parent)
}

// InScript reports whether a place is in a script.
func InScript(at Place) bool {
	_, is := at.(*ScriptPlace)
	return is
}

// isNone reports whether at is the whole source.
func isNone(at Place) bool {
	switch at := at.(type) {
	case *ScriptPlace:
		return at == nil
	case nil:
		return true
	}
	return at.ID() < 0
}

// hash writes what distinguishes a place from others.
func hash(h *maphash.Hash, at Place) {
	if p, is := at.(*ScriptPlace); is {
		for ; p != nil; p = p.parent {
			h.WriteString(p.noun)
			h.Write(binary.NativeEndian.AppendUint32(binary.NativeEndian.AppendUint32(nil, uint32(p.number)), uint32(p.line)))
		}
	} else if !isNone(at) {
		h.Write(binary.NativeEndian.AppendUint32(nil, uint32(at.ID())))
	}
}

// Limits on what is shown, in bytes: maxName for a name on its own, maxStep for a name in a pointer (paths of Azure
// resources exceed 150 bytes), and maxPointer for a pointer. A pointer ends before a name that exceeds either limit.
const (
	maxName    = 120
	maxStep    = 300
	maxPointer = 400
)

// cut replaces the rest of a pointer or name that is cut off.
const cut = "…"

// pointer returns names as a JSON Pointer (RFC 6901). It ends with /… before a name that is too long, contains a
// secret (clean changes it) or isn't printable.
func pointer(names []string, clean func(string) string) string {
	var b strings.Builder
	for _, name := range names {
		if len(name) > maxStep || b.Len()+len(name) > maxPointer || !prints(name) || clean != nil && clean(name) != name {
			return b.String() + "/" + cut
		}
		b.WriteString("/" + tree.EscapePointer(name))
	}
	return b.String()
}

// maxParts is how many places are shown for a name.
const maxParts = maxThings

// part is a place that is shown: a value, or consecutive commands or parts of a command.
type part struct {
	first, last *ScriptPlace // nil in a document
	document    *document
	id          int      // of the value
	names       []string // on the path to the value
	request     string   // the request's name in a collection
}

// written reports whether the place is in the written document.
func (p *part) written() bool { return p.document != nil && p.document.written }

func (g *group) at(at Place, d *document) {
	if p, is := at.(*ScriptPlace); is {
		g.script(p)
		return
	}
	if len(g.parts) == maxParts {
		g.more++
		return
	}
	if d == nil {
		return
	}
	g.parts = append(g.parts, part{document: d, id: at.ID(), request: d.requestName(at.ID())})
}

// resolve finds the names on the paths to the places in documents.
func (g *group) resolve() {
	for i := range g.parts {
		if p := &g.parts[i]; p.document != nil {
			p.names = p.document.names(p.id)
		}
	}
	g.parts = slices.CompactFunc(g.parts, func(a, b part) bool {
		return a.written() && b.written() && slices.Equal(a.names, b.names)
	})
}

// script adds a place in a script. A command includes its parts.
func (g *group) script(p *ScriptPlace) {
	c := p.command()
	for i := range g.parts {
		switch o := &g.parts[i]; {
		case o.first.parent == nil && o.first.number <= c.number && c.number <= o.last.number && (c.number > 0 || o.first.line == c.line):
			return
		case p.follows(o.last):
			o.last = p
			return
		}
	}
	if p == c {
		g.parts = slices.DeleteFunc(g.parts, func(o part) bool { return o.first.parent != nil && o.first.command().number == c.number })
	}
	if len(g.parts) == maxParts {
		g.more++
		return
	}
	g.parts = append(g.parts, part{first: p, last: p})
}

// where returns the places as a list, limited to most.
func (g *group) where(most int, clean func(string) string) string {
	texts := make([]string, max(0, min(most, len(g.parts))))
	for i := range texts {
		if slices.Contains(g.names, g.parts[i].request) {
			g.parts[i].request = ""
		}
		texts[i] = g.parts[i].text(clean)
	}
	if len(texts) > 0 && g.parts[0].first != nil {
		return strings.Join(texts, "; ")
	}
	return strings.Join(texts, ", ")
}

func (p *part) text(clean func(string) string) string {
	switch {
	case p.first != nil && p.first.number == 0 && p.first.last > p.first.line:
		return fmt.Sprintf("lines %d to %d", p.first.line, p.first.last)
	case p.first != nil && p.first.number == 0:
		return fmt.Sprintf("line %d", p.first.line)
	case p.first != nil && p.first == p.last:
		return p.first.text()
	case p.first != nil && p.first.parent == nil:
		return fmt.Sprintf("commands %d to %d, lines %d to %d", p.first.number, p.last.number, p.first.line, p.last.line)
	case p.first != nil:
		return fmt.Sprintf("%s, %ss %d to %d", p.first.parent.text(), p.first.noun, p.first.number, p.last.number)
	case p.written() && len(p.names) == 0:
		return "the output"
	case p.written():
		return pointer(p.names, clean) + " in the output"
	case len(p.names) == 0:
		return "the whole document"
	case p.request != "":
		return pointer(p.names, clean) + " (" + list([]string{p.request}, clean) + ")"
	}
	return pointer(p.names, clean)
}

// prints reports whether a name is printable on one line.
func prints(name string) bool {
	return !strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) })
}

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
