package warning

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// fixed is a string from our source code. The type is unexported, so outside this package only an untyped constant
// converts to it.
type fixed string

// Place locates a part of the source: in a document by the members and positions from its root, in shell source by
// the number of a command. A Place is a linked list of its parents that costs one small allocation per step; it is
// resolved when a warning needs it. The nil Place is the whole source.
type Place struct {
	parent *Place
	name   string // "" for a position
	index  int32  // defined if the name alone identifies the place; the number of a command
	line   int32  // 1-based line of a command or other shell source; 0 in a document
	block  *block // block that child places are allocated from
}

// Nowhere discards warnings: it and its children are the places in a part that is processed without warnings.
var Nowhere = &Place{}

// block allocates places in batches: a document has many, and few appear in warnings.
type block struct{ free []Place }

// The smallest and largest number of places in a batch.
const (
	fewPlaces  = 2
	manyPlaces = 128
)

func (p *Place) child(name string, index int) *Place {
	if p == Nowhere {
		return p
	}
	var b *block
	if p != nil {
		b = p.block
	}
	if b == nil {
		b = &block{}
	}
	if len(b.free) == cap(b.free) {
		b.free = make([]Place, 0, min(manyPlaces, max(fewPlaces, 2*cap(b.free))))
	}
	b.free = append(b.free, Place{parent: p, name: name, index: int32(index), block: b})
	return &b.free[len(b.free)-1]
}

// defined is the index of a place that is identified by its name alone.
const defined = -1

// Field returns the part of p with a name that the format defines.
func (p *Place) Field(name fixed) *Place {
	return p.child(string(name), defined)
}

// Index returns the part of p at a position: an array element, or an object member during iteration.
func (p *Place) Index(i int) *Place {
	return p.child("", i)
}

// Member returns the part of p that is an object member, at its position during iteration.
func (p *Place) Member(name string, position int) *Place {
	return p.child(name, position)
}

// Command returns the place of a curl command, with its 1-based number and the line that it begins at.
func Command(number, line int) *Place {
	return &Place{index: int32(number), line: int32(line)}
}

// Line returns the place of a line that isn't part of a curl command.
func Line(line int) *Place { return &Place{line: int32(line)} }

// Nth returns one of several parts of a command, counted from 1, such as an operation or a URL.
func (p *Place) Nth(noun fixed, n int) *Place {
	return p.child(string(noun), n)
}

// steps returns the places from the root to p.
func (p *Place) steps() []*Place {
	var steps []*Place
	for at := p; at != nil; at = at.parent {
		steps = append(steps, at)
	}
	slices.Reverse(steps)
	return steps
}

// command returns the command that p is or is part of, or nil in a document.
func (p *Place) command() *Place {
	for ; p != nil; p = p.parent {
		if p.line > 0 {
			return p
		}
	}
	return nil
}

// Shell reports whether p is in shell source.
func (p *Place) Shell() bool { return p.command() != nil }

// within returns the part of its command that p is: "" for the whole command, otherwise, for example, ", operation 2,
// URL 3".
func (p *Place) within() string {
	if p.line > 0 {
		return ""
	}
	return p.parent.within() + ", " + p.name + " " + strconv.Itoa(int(p.index))
}

func (p *Place) hash(h *maphash.Hash) {
	for ; p != nil; p = p.parent {
		h.WriteString(p.name)
		for n := uint64(p.index); ; n >>= 8 {
			h.WriteByte(byte(n))
			if n < 256 {
				break
			}
		}
		h.WriteByte('/')
	}
}

// of resolves the last step of p in v. It returns the name or position and the value.
func (p *Place) of(v *tree.Value) (name string, value *tree.Value) {
	switch {
	case p.name != "":
		return p.name, v.Get(p.name)
	case v.Kind() == tree.Array:
		return strconv.Itoa(int(p.index)), v.Element(int(p.index))
	case p.index >= 0 && int(p.index) < v.Len():
		name = v.Names()[p.index]
		return name, v.Get(name)
	}
	return strconv.Itoa(int(p.index)), nil
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

// part is a place that is shown, or a range of consecutive commands or parts of a command.
type part struct {
	command, last  int32  // the first and last command; 0 if none
	line, lastLine int32  // 0 in a document
	within         string // the part of the command that contains the units
	unit           string // "operation" or "URL"; "" for whole commands
	nth, lastNth   int32  // the first and last unit
	names          []string
	request        string // the request's name in a collection
	written        bool   // in the written document
}

func (g *group) at(p *Place, d *document) {
	if c := p.command(); c != nil {
		g.command(c, p)
		return
	}
	if len(g.parts) == maxParts {
		g.more++
		return
	}
	names := d.locate(p)
	written := d.root != nil && d.source == nil
	if !slices.ContainsFunc(g.parts, func(o part) bool { return o.written == written && slices.Equal(o.names, names) }) {
		g.parts = append(g.parts, part{names: names, request: d.requestName(p), written: written})
	}
}

// inOutput updates the places in a written document to where they are now.
func (g *group) inOutput(d *document) {
	for i := range g.parts {
		if p := &g.parts[i]; p.written {
			p.names = d.inOutput(p.names)
		}
	}
	g.parts = slices.CompactFunc(g.parts, func(a, b part) bool { return a.written && b.written && slices.Equal(a.names, b.names) })
}

// command adds a place in shell source: the command c, or the part p of it. A command includes its parts.
func (g *group) command(c, p *Place) {
	add := part{command: c.index, last: c.index, line: c.line, lastLine: c.line}
	if p != c {
		add.within, add.unit, add.nth, add.lastNth = p.parent.within(), p.name, p.index, p.index
	}
	for i := range g.parts {
		o := &g.parts[i]
		switch {
		case o.unit == "" && o.command <= c.index && c.index <= o.last && (c.index > 0 || o.line == c.line):
			return
		case o.unit != add.unit || o.within != add.within:
		case add.unit != "" && o.command == c.index && o.lastNth+1 == add.nth:
			o.lastNth = add.nth
			return
		case add.unit == "" && o.command > 0 && o.last+1 == c.index:
			o.last, o.lastLine = c.index, c.line
			return
		}
	}
	if add.unit == "" {
		g.parts = slices.DeleteFunc(g.parts, func(o part) bool { return o.unit != "" && o.command == c.index })
	}
	if len(g.parts) == maxParts {
		g.more++
		return
	}
	g.parts = append(g.parts, add)
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
	if len(texts) > 0 && g.parts[0].line > 0 {
		return strings.Join(texts, "; ")
	}
	return strings.Join(texts, ", ")
}

func (p *part) text(clean func(string) string) string {
	switch {
	case p.line == 0 && p.written && len(p.names) == 0:
		return "the output"
	case p.line == 0 && p.written:
		return pointer(p.names, clean) + " in the output"
	case p.line == 0 && len(p.names) == 0:
		return "the whole document"
	case p.line == 0 && p.request != "":
		return pointer(p.names, clean) + " (" + list([]string{p.request}, clean) + ")"
	case p.line == 0:
		return pointer(p.names, clean)
	case p.command == 0:
		return fmt.Sprintf("line %d", p.line)
	case p.last > p.command:
		return fmt.Sprintf("commands %d to %d, lines %d to %d", p.command, p.last, p.line, p.lastLine)
	}
	text := fmt.Sprintf("command %d, line %d%s", p.command, p.line, p.within)
	switch {
	case p.lastNth > p.nth:
		text += fmt.Sprintf(", %ss %d to %d", p.unit, p.nth, p.lastNth)
	case p.unit != "":
		text += fmt.Sprintf(", %s %d", p.unit, p.nth)
	}
	return text
}

// prints reports whether a name is printable on one line.
func prints(name string) bool {
	return !strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) })
}
