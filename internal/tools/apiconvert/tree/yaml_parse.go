package tree

import (
	"strings"

	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// yamlParser makes the nodes of YAML as people and tools write it: block and
// flow collections, all kinds of scalar, comments, anchors and aliases. What is
// unusual it declines, and what is broken: tags, directives, several documents,
// explicit and empty keys, keys of several lines, tabs and other line breaks
// than LF and CR LF outside of scalars, pairs in flow sequences, values that
// are left out in flow. The library reads that, and says what is wrong with it.
// What is not declined the library reads as the same nodes (FuzzYAMLParser).
//
// It goes over the text once, but for the first key of each mapping and a
// scalar that is no key, whose line is looked at twice.
type yamlParser struct {
	text     string
	budget   *budget.Budget
	at       int  // here something begins that is not read yet
	line     int  // where the line begins
	fresh    bool // nothing of the line was read but blanks; or the text ends
	depth    int
	declined bool
	stopped  int                  // where it was declined
	comment  int                  // the line of the first comment, 0 for none
	anchors  map[string]*yamlNode // of nodes that were read
	nodes    []yamlNode           // a block that nodes are cut from
	made     int
	buffer   []byte // of the scalar that is read
}

// yamlNode is a node of a YAML text: what it says, not yet what it means.
type yamlNode struct {
	kind  yamlKind
	plain bool   // a scalar that means what it looks like; others are strings
	merge bool   // the key <<
	open  bool   // an alias of it is being expanded
	at    int32  // where it begins, in bytes
	count int32  // how many nodes it has: a mapping's keys and values in turn
	text  string // of a scalar
	first *yamlNode
	next  *yamlNode // behind it in the same parent
	alias *yamlNode // what an alias stands for
}

type yamlKind uint8

const (
	yamlScalar yamlKind = iota
	yamlSequence
	yamlMapping
	yamlAlias
)

// add makes node the next of n's, for which last is the place, and returns the
// place for the one behind it.
func (n *yamlNode) add(last **yamlNode, node *yamlNode) **yamlNode {
	*last = node
	n.count++
	return &node.next
}

// parseUsualYAML returns the root of the only document of a text and the line of
// the first comment, 0 for none. A text that is declined has no root; stopped is
// then where reading it ended, before which nothing is broken.
func parseUsualYAML(text string, b *budget.Budget) (root *yamlNode, comment, stopped int) {
	if !usualText(text) {
		return nil, 0, 0
	}
	p := yamlParser{text: text, budget: b, fresh: true}
	if p.skip(); p.isMarker() {
		marker := p.text[p.at]
		p.at += len("---")
		if p.next(); marker != '-' || !p.fresh {
			return nil, 0, 0
		}
	}
	// A scalar alone, or a flow collection, is no description.
	if p.atDash() || p.atKey() {
		root = p.block(-1)
	}
	switch {
	case p.declined:
		return nil, 0, p.stopped
	case root == nil || p.at < len(text):
		return nil, 0, p.at
	}
	return root, p.comment, len(text)
}

// decline gives up: nothing more is read.
func (p *yamlParser) decline() {
	if !p.declined {
		p.declined, p.stopped = true, p.at
	}
	p.at = len(p.text)
}

func (p *yamlParser) node(kind yamlKind) *yamlNode {
	if len(p.nodes) == cap(p.nodes) {
		p.nodes = make([]yamlNode, 0, min(block, 16+p.made))
		p.budget.Ask()
	}
	p.made++
	p.nodes = append(p.nodes, yamlNode{kind: kind, at: int32(p.at)})
	return &p.nodes[len(p.nodes)-1]
}

// peek is the byte that is i behind the place, 0 behind the end.
func (p *yamlParser) peek(i int) byte {
	if p.at+i < len(p.text) {
		return p.text[p.at+i]
	}
	return 0
}

// ends reports whether a byte ends a token, as blanks and line ends do.
func ends(c byte) bool { return c <= ' ' }

// column is where the line has what comes next, -1 at the end of the text.
func (p *yamlParser) column() int {
	if p.at == len(p.text) {
		return -1
	}
	return p.at - p.line
}

// skip goes to what comes next, over blanks, comments and line ends.
func (p *yamlParser) skip() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\r':
			p.at++
		case '\n':
			p.newline()
		case '#':
			if p.at > p.line && p.text[p.at-1] != ' ' {
				p.decline()
				return
			}
			p.skipComment()
		default:
			return
		}
	}
}

// skipComment goes to the end of the comment's line.
func (p *yamlParser) skipComment() {
	if p.comment == 0 {
		p.comment = lineOf(p.text, p.at)
	}
	p.toLineEnd()
}

func (p *yamlParser) newline() {
	p.at++
	p.line, p.fresh = p.at, true
}

func (p *yamlParser) toLineEnd() {
	if n := strings.IndexByte(p.text[p.at:], '\n'); n >= 0 {
		p.at += n
	} else {
		p.at = len(p.text)
	}
}

// next skips behind something that was read. Markers of documents it declines.
func (p *yamlParser) next() {
	p.fresh = p.at == p.line
	if p.skip(); p.isMarker() {
		p.decline()
	}
	p.fresh = p.fresh || p.at == len(p.text)
}

// isMarker reports whether the line begins with the marker of a document.
func (p *yamlParser) isMarker() bool {
	return p.at == p.line && ends(p.peek(3)) &&
		(strings.HasPrefix(p.text[p.at:], "---") || strings.HasPrefix(p.text[p.at:], "..."))
}

func (p *yamlParser) atDash() bool { return p.peek(0) == '-' && ends(p.peek(1)) }

// atKey reports whether a key stands here, with its colon in the same line.
func (p *yamlParser) atKey() bool {
	var end int
	switch c := p.peek(0); {
	case c == '"' || c == '\'':
		if end = p.quotedEnd(); end < 0 {
			return false
		}
		for end < len(p.text) && p.text[end] == ' ' {
			end++
		}
	case p.beginsPlain():
		_, end = p.segment(false)
	default:
		return false
	}
	return end < len(p.text) && p.text[end] == ':' && (end+1 == len(p.text) || ends(p.text[end+1]))
}

// block reads a node where a block collection may begin. Everything of it is
// indented by more than indent.
func (p *yamlParser) block(indent int) *yamlNode {
	switch {
	case p.atDash():
		return p.sequence(p.column())
	case p.atKey():
		return p.mapping(p.column())
	}
	return p.inline(indent)
}

// enter counts the levels and declines what nobody writes.
func (p *yamlParser) enter() {
	if p.depth++; p.depth > jsondoc.MaxDepth {
		p.decline()
	}
}

// sequence reads the entries that stand in a column.
func (p *yamlParser) sequence(column int) *yamlNode {
	n := p.node(yamlSequence)
	p.enter()
	for last := &n.first; p.column() == column && p.atDash(); {
		p.at++
		last = n.add(last, p.behind(column, false))
		if !p.fresh {
			p.decline()
		}
	}
	p.depth--
	return n
}

// mapping reads the keys that stand in a column and their values.
func (p *yamlParser) mapping(column int) *yamlNode {
	n := p.node(yamlMapping)
	p.enter()
	for last := &n.first; p.column() == column; {
		last = n.add(last, p.key())
		last = n.add(last, p.behind(column, true))
		if !p.fresh {
			p.decline()
		}
	}
	p.depth--
	return n
}

// behind reads what stands behind a dash or a key's colon in a column: in the
// same line, or in the next ones and further to the right. The entries of a
// sequence that is a key's value may stand in its column.
func (p *yamlParser) behind(column int, key bool) *yamlNode {
	none := p.at
	p.next()
	switch at := p.column(); {
	case !p.fresh && key:
		return p.inline(column)
	case !p.fresh, at > column:
		return p.block(column)
	case key && at == column && p.atDash():
		return p.sequence(column)
	}
	n := p.node(yamlScalar)
	n.at, n.plain = int32(none), true
	return n
}

// maxKey is how long a key may be that is read here, in bytes. The library
// takes 1,024 characters.
const maxKey = 1000

// key reads a key and its colon.
func (p *yamlParser) key() *yamlNode {
	n := p.node(yamlScalar)
	line := p.line
	switch c := p.peek(0); {
	case c == '"' || c == '\'':
		n.text = p.quoted()
	case p.beginsPlain():
		end, stop := p.segment(false)
		n.text, n.plain = p.text[p.at:end], true
		p.at = stop
	default:
		p.decline()
	}
	n.merge = n.plain && n.text == "<<"
	for p.peek(0) == ' ' {
		p.at++
	}
	if p.peek(0) != ':' || !ends(p.peek(1)) || p.line != line || p.at-int(n.at) > maxKey {
		p.decline()
		return n
	}
	p.at++
	return n
}

// inline reads a node that no block collection can be, and goes to what comes
// next.
func (p *yamlParser) inline(indent int) *yamlNode {
	n := p.node(yamlScalar)
	switch c := p.peek(0); {
	case c == '"' || c == '\'':
		n.text = p.quoted()
	case c == '|' || c == '>':
		n.text = p.blockScalar(indent)
	case c == '[' || c == '{':
		p.flow(n)
	case c == '*':
		p.alias(n)
	case c == '&':
		return p.anchored(indent)
	case p.beginsPlain():
		n.text, n.plain = p.plain(indent, false), true
	default:
		p.decline()
	}
	p.next()
	return n
}

// anchored reads a node behind an anchor, which is where it begins.
func (p *yamlParser) anchored(indent int) *yamlNode {
	at := p.at
	name := p.anchorName()
	if p.anchors == nil {
		p.anchors = map[string]*yamlNode{}
	}
	delete(p.anchors, name) // an alias within the node is of itself
	p.next()
	if c := p.peek(0); c == '&' || c == '*' || p.column() <= indent || !p.fresh && (p.atDash() || p.atKey()) {
		p.decline() // nothing stands behind it, or it is a key's
	}
	n := p.block(indent)
	n.at = int32(at)
	p.anchors[name] = n
	return n
}

func (p *yamlParser) alias(n *yamlNode) {
	n.kind = yamlAlias
	if n.alias = p.anchors[p.anchorName()]; n.alias == nil {
		p.decline()
	}
}

// anchorName reads the name of an anchor or alias.
func (p *yamlParser) anchorName() string {
	p.at++
	from := p.at
	for c := p.peek(0); c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-'; c = p.peek(0) {
		p.at++
	}
	name := p.text[from:p.at]
	if c := p.peek(0); name == "" || !ends(c) && c != ',' && c != ']' && c != '}' {
		p.decline()
	}
	return name
}

// flow reads a flow collection. Of its lines no indentation is asked.
func (p *yamlParser) flow(n *yamlNode) {
	p.enter()
	n.kind = yamlSequence
	closing := byte(']')
	if p.peek(0) == '{' {
		n.kind, closing = yamlMapping, '}'
	}
	p.at++
	p.next()
	for last := &n.first; !p.declined && p.peek(0) != closing; {
		if n.kind == yamlMapping {
			last = n.add(last, p.flowKey())
		}
		last = n.add(last, p.flowNode())
		p.next()
		if c := p.peek(0); c == ',' {
			p.at++
			p.next()
		} else if c != closing {
			p.decline()
		}
	}
	p.depth--
	if !p.declined {
		p.at++
	}
}

// flowKey reads a key in a flow mapping and goes to its value.
func (p *yamlParser) flowKey() *yamlNode {
	line := p.line
	n := p.flowNode()
	n.merge = n.plain && n.text == "<<"
	for p.peek(0) == ' ' {
		p.at++
	}
	if n.kind != yamlScalar || p.peek(0) != ':' || p.line != line || p.at-int(n.at) > maxKey {
		p.decline()
		return n
	}
	p.at++
	p.next()
	return n
}

// flowNode reads a node in a flow collection.
func (p *yamlParser) flowNode() *yamlNode {
	n := p.node(yamlScalar)
	switch c := p.peek(0); {
	case c == '"' || c == '\'':
		n.text = p.quoted()
	case c == '[' || c == '{':
		p.flow(n)
	case c == '*':
		p.alias(n)
	case p.beginsPlain():
		n.text, n.plain = p.plain(-1, true), true
	default:
		p.decline()
	}
	return n
}
