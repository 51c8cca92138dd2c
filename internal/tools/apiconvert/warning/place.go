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

// fixed is a text written in our source. The type is not exported, so that
// outside this package only an untyped constant converts to it.
type fixed string

// Place names a part of the source by the way to it: of a document the members
// and positions from its root on, of shell text the number of a command. A
// Place is a chain of its parents and costs one small allocation per step; what
// it says is looked up when a warning needs it. The nil Place is the whole
// source.
type Place struct {
	parent *Place
	name   string // "" for a position
	index  int32  // defined for a name that the format defines; of a command its number
	line   int32  // of a command, 1 for the first; 0 in a document
	block  *block // what the places in it are cut from
}

// Nowhere is the place, and every part of it, of what is gone over without
// telling anything.
var Nowhere = &Place{}

// block is what places are cut from: a document has many, of which few are told.
type block struct{ free []Place }

// Places are allocated by so many, by more where a source has more.
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

// defined is the index of a place whose name is all there is to know of it.
const defined = -1

// Field is the part of p under a name that the format defines.
func (p *Place) Field(name fixed) *Place {
	return p.child(string(name), defined)
}

// Index is the part of p at a position: an array's element, or an object's
// member while the object is gone over.
func (p *Place) Index(i int) *Place {
	return p.child("", i)
}

// Member is the part of p that is the member of an object, at a position while
// the object is gone over.
func (p *Place) Member(name string, position int) *Place {
	return p.child(name, position)
}

// Command is the curl command of a number, 1 for the first, that begins in a
// line of the text.
func Command(number, line int) *Place {
	return &Place{index: int32(number), line: int32(line)}
}

// Line is a line of a text that is no curl command's.
func Line(line int) *Place { return &Place{line: int32(line)} }

// Nth is one of several like parts of a command, 1 for the first: of its
// operations, its addresses.
func (p *Place) Nth(what fixed, n int) *Place {
	return p.child(string(what), n)
}

// steps are the places from the root to p.
func (p *Place) steps() []*Place {
	var steps []*Place
	for at := p; at != nil; at = at.parent {
		steps = append(steps, at)
	}
	slices.Reverse(steps)
	return steps
}

// command is the command that p is or is part of, nil in a document.
func (p *Place) command() *Place {
	for ; p != nil; p = p.parent {
		if p.line > 0 {
			return p
		}
	}
	return nil
}

// Shell reports whether p stands in shell text.
func (p *Place) Shell() bool { return p.command() != nil }

// within says which part of its command p is: "" for the whole, otherwise
// ", operation 2, address 3".
func (p *Place) within() string {
	if p.line > 0 {
		return ""
	}
	return p.parent.within() + ", " + p.name + " " + strconv.Itoa(int(p.index))
}

// hash tells different places apart.
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

// of returns what stands under p's last step in v, and its name or position.
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

// The bounds of what is shown, in bytes: of a name by itself; of one in a
// pointer, which ends before a longer one (paths of Azure's resources have 150
// and more); of a pointer, which ends before the name that would make it longer.
const (
	maxName    = 120
	maxStep    = 300
	maxPointer = 400
)

// cut stands for the rest of a pointer or a name that is not shown.
const cut = "…"

// pointer writes names as a JSON Pointer (RFC 6901). It ends with /… where a
// name is not shown: one that is too long, that clean would change because it
// holds a secret, or that does not print.
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

// maxParts is how many places of one name are shown.
const maxParts = maxThings

// part is a place that is shown, or commands that follow each other.
type part struct {
	command, last  int32  // the numbers of the first and the last command, 0 for none
	line, lastLine int32  // 0 in a document
	within         string // which part of the command
	names          []string
	request        string // the name of the request in a collection
	written        bool   // of the document that is written
}

// at adds a place to those of the warning.
func (g *group) at(p *Place, d *document) {
	if c := p.command(); c != nil {
		g.command(c, p.within())
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

func (g *group) command(c *Place, within string) {
	for i := range g.parts {
		o := &g.parts[i]
		switch {
		case o.within != within, c.index == 0 && o.line != c.line:
		case o.command <= c.index && c.index <= o.last:
			return
		case within == "" && o.last+1 == c.index:
			o.last, o.lastLine = c.index, c.line
			return
		}
	}
	if len(g.parts) == maxParts {
		g.more++
		return
	}
	g.parts = append(g.parts, part{command: c.index, last: c.index, line: c.line, lastLine: c.line, within: within})
}

// where writes the places, at most so many.
func (g *group) where(most int, clean func(string) string) string {
	texts := make([]string, max(0, min(most, len(g.parts))))
	for i := range texts {
		if slices.Contains(g.names, g.parts[i].request) {
			g.parts[i].request = ""
		}
		texts[i] = g.parts[i].text(clean)
	}
	return strings.Join(texts, ", ")
}

func (p *part) text(clean func(string) string) string {
	switch {
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
	return fmt.Sprintf("command %d, line %d%s", p.command, p.line, p.within)
}

// prints reports whether a name can stand in a line of text.
func prints(name string) bool {
	return !strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) })
}
