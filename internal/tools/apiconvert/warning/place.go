package warning

import (
	"encoding/binary"
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
}

// Command returns the place of a curl command, with its 1-based number and the line that it begins at.
func Command(number, line int) *ScriptPlace {
	return &ScriptPlace{number: int32(number), line: int32(line)}
}

// Line returns the place of a line that isn't part of a curl command.
func Line(line int) *ScriptPlace { return &ScriptPlace{line: int32(line)} }

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

// within returns the part of its command that p is: "" for the whole command, otherwise, for example, ", operation 2,
// URL 3".
func (p *ScriptPlace) within() string {
	if p.parent == nil {
		return ""
	}
	return p.parent.within() + ", " + p.noun + " " + strconv.Itoa(int(p.number))
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

// part is a place that is shown, or a range of consecutive commands or parts of a command.
type part struct {
	command, last  int32  // the first and last command; 0 if none
	line, lastLine int32  // 0 in a document
	within         string // the part of the command that contains the units
	unit           string // "operation" or "URL"; "" for whole commands
	nth, lastNth   int32  // the first and last unit
	document       *document
	id             int      // of the value
	names          []string // on the path to the value
	request        string   // the request's name in a collection
}

// written reports whether the place is in the written document.
func (p *part) written() bool { return p.document != nil && p.document.written }

func (g *group) at(at Place, d *document) {
	if p, is := at.(*ScriptPlace); is {
		g.command(p.command(), p)
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

// command adds a place in shell source: the command c, or the part p of it. A command includes its parts.
func (g *group) command(c, p *ScriptPlace) {
	add := part{command: c.number, last: c.number, line: c.line, lastLine: c.line}
	if p != c {
		add.within, add.unit, add.nth, add.lastNth = p.parent.within(), p.noun, p.number, p.number
	}
	for i := range g.parts {
		o := &g.parts[i]
		switch {
		case o.unit == "" && o.command <= c.number && c.number <= o.last && (c.number > 0 || o.line == c.line):
			return
		case o.unit != add.unit || o.within != add.within:
		case add.unit != "" && o.command == c.number && o.lastNth+1 == add.nth:
			o.lastNth = add.nth
			return
		case add.unit == "" && o.command > 0 && o.last+1 == c.number:
			o.last, o.lastLine = c.number, c.line
			return
		}
	}
	if add.unit == "" {
		g.parts = slices.DeleteFunc(g.parts, func(o part) bool { return o.unit != "" && o.command == c.number })
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
	case p.line == 0 && p.written() && len(p.names) == 0:
		return "the output"
	case p.line == 0 && p.written():
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
