package warning

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// maxParts is how many places of one warning are shown.
const maxParts = 5

// part is a place that is shown, or commands that follow each other.
type part struct {
	command, last  int32  // the numbers of the first and the last command, 0 for none
	line, lastLine int32  // 0 in a document
	within         string // which part of the command
	names          []string
	written        bool // of the document that is written
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
		g.parts = append(g.parts, part{names: names, written: written})
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

// where writes the places.
func (g *group) where(clean func(string) string) string {
	texts := make([]string, len(g.parts))
	for i := range g.parts {
		texts[i] = g.parts[i].text(clean)
	}
	return strings.Join(texts, ", ") + andMore(g.more)
}

func (p *part) text(clean func(string) string) string {
	switch {
	case p.line == 0 && p.written:
		return pointer(p.names, clean) + " in the output"
	case p.line == 0 && len(p.names) == 0:
		return "the whole document"
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
	for _, c := range name {
		if !unicode.IsPrint(c) {
			return false
		}
	}
	return true
}
