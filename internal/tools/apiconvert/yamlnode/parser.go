package yamlnode

import (
	"strings"

	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// parser parses YAML as people and tools commonly write it: block and flow collections, all kinds of scalar, and
// comments. It declines invalid YAML and rare constructs: anchors, tags, directives, several documents, explicit and
// empty keys, keys of several lines, tabs and line breaks other than LF and CR LF outside of scalars, pairs in flow
// sequences, omitted values in flow mappings, and block scalars with an indentation or a comment in their first line.
// The library then parses the document and reports errors. For what parser accepts, the library returns the same nodes
// (FuzzParser), except for two rules of YAML 1.1: it takes NEL, LS and PS for line breaks, and a question mark for the
// end of a plain scalar in a flow collection. Since YAML 1.2 (sections 5.4 and 7.3.3) they are ordinary characters there.
//
// It reads the text once, except for the line of the first key of each mapping and of a scalar that is not a key, which
// it reads twice.
type parser struct {
	text     string
	budget   *budget.Budget
	at       int  // offset of the next token
	line     int  // offset where the line begins
	fresh    bool // only blanks of the line were read, or the text ends
	depth    int
	declined bool
	stopped  int // offset where it was declined
	comments Comments
	counted  int    // offset after the last comment that was counted
	nodes    []Node // a block that nodes are cut from
	made     int
	buffer   []byte // of the scalar being read
}

// parseCommon returns the root of the only document and its comments. For a declined document, root is nil and stopped is
// the offset where parsing ended; everything before it is valid.
func parseCommon(text string, b *budget.Budget) (root *Node, comments Comments, stopped int) {
	if !isCommon(text) {
		return nil, comments, 0
	}
	p := parser{text: text, budget: b, fresh: true}
	if p.skip(); p.isMarker() {
		marker := p.text[p.at]
		p.at += len("---")
		if p.next(); marker != '-' || !p.fresh {
			return nil, comments, 0
		}
	}
	// A single scalar or a flow collection is not an OpenAPI document.
	if p.atDash() || p.atKey() {
		root = p.block(-1)
	}
	switch {
	case p.declined:
		return nil, comments, p.stopped
	case root == nil || p.at < len(text):
		return nil, comments, p.at
	}
	return root, p.comments, len(text)
}

// decline gives up and moves to the end of the text.
func (p *parser) decline() {
	if !p.declined {
		p.declined, p.stopped = true, p.at
	}
	p.at = len(p.text)
}

func (p *parser) node(kind Kind) *Node {
	if len(p.nodes) == cap(p.nodes) {
		p.nodes = make([]Node, 0, min(512, 16+p.made))
		p.budget.Check()
	}
	p.made++
	p.nodes = append(p.nodes, Node{Kind: kind, At: int32(p.at)})
	return &p.nodes[len(p.nodes)-1]
}

// peek returns the byte i bytes ahead, or 0 after the end.
func (p *parser) peek(i int) byte {
	if p.at+i < len(p.text) {
		return p.text[p.at+i]
	}
	return 0
}

// ends reports whether a byte ends a token: blanks and line ends do.
func ends(c byte) bool { return c <= ' ' }

// column returns the column of the next token, or -1 at the end of the text.
func (p *parser) column() int {
	if p.at == len(p.text) {
		return -1
	}
	return p.at - p.line
}

// skip moves to the next token, over blanks, comments and line ends.
func (p *parser) skip() {
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

// skipComment moves to the end of the comment's line.
func (p *parser) skipComment() {
	if p.comments.Count == 0 {
		p.comments.Line = lineOf(p.text, p.at)
	}
	if p.at >= p.counted {
		p.comments.Count++
	}
	p.toLineEnd()
	p.counted = max(p.counted, p.at)
}

func (p *parser) newline() {
	p.at++
	p.line, p.fresh = p.at, true
}

func (p *parser) toLineEnd() {
	if n := strings.IndexByte(p.text[p.at:], '\n'); n >= 0 {
		p.at += n
	} else {
		p.at = len(p.text)
	}
}

// next moves to the next token after a node. It declines document markers.
func (p *parser) next() {
	p.fresh = p.at == p.line
	if p.skip(); p.isMarker() {
		p.decline()
	}
	p.fresh = p.fresh || p.at == len(p.text)
}

// isMarker reports whether the line begins with a document marker.
func (p *parser) isMarker() bool {
	return p.at == p.line && ends(p.peek(3)) &&
		(strings.HasPrefix(p.text[p.at:], "---") || strings.HasPrefix(p.text[p.at:], "..."))
}

func (p *parser) atDash() bool { return p.peek(0) == '-' && ends(p.peek(1)) }

// atKey reports whether a key begins here, with its colon on the same line.
func (p *parser) atKey() bool {
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

// block parses a node where a block collection may begin. Its lines are indented by more than indent.
func (p *parser) block(indent int) *Node {
	switch {
	case p.atDash():
		return p.sequence(p.column())
	case p.atKey():
		return p.mapping(p.column())
	}
	return p.inline(indent)
}

// enter counts the nesting and declines more than jsondoc.MaxDepth levels.
func (p *parser) enter() {
	if p.depth++; p.depth > jsondoc.MaxDepth {
		p.decline()
	}
}

// sequence parses the entries of a sequence that begin in a column.
func (p *parser) sequence(column int) *Node {
	n := p.node(Sequence)
	p.enter()
	for last := &n.First; p.column() == column && p.atDash(); {
		p.at++
		last = n.add(last, p.valueAfter(column, false))
		if !p.fresh {
			p.decline()
		}
	}
	p.depth--
	return n
}

// mapping parses the keys of a mapping that begin in a column, and their values.
func (p *parser) mapping(column int) *Node {
	n := p.node(Mapping)
	p.enter()
	for last := &n.First; p.column() == column; {
		last = n.add(last, p.key())
		last = n.add(last, p.valueAfter(column, true))
		if !p.fresh {
			p.decline()
		}
	}
	p.depth--
	return n
}

// valueAfter parses the node after a dash or a key's colon: on the same line, or on the next lines and further to
// the right than column. The entries of a sequence that is a key's value may also begin in column.
func (p *parser) valueAfter(column int, key bool) *Node {
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
	n := p.node(Scalar)
	n.At, n.Plain = int32(none), true
	return n
}

// maxKey is the length of the longest key accepted here, in bytes. The library accepts 1,024 characters.
const maxKey = 1000

// key reads a key and its colon.
func (p *parser) key() *Node {
	n := p.node(Scalar)
	line := p.line
	switch c := p.peek(0); {
	case c == '"' || c == '\'':
		n.Text = p.quoted()
	case p.beginsPlain():
		end, stop := p.segment(false)
		n.Text, n.Plain = p.text[p.at:end], true
		p.at = stop
	default:
		p.decline()
	}
	if p.colon(n, line); !ends(p.peek(0)) {
		p.decline()
	}
	return n
}

// colon moves over the colon after a key that begins on a line.
func (p *parser) colon(key *Node, line int) {
	key.Merge = key.Plain && key.Text == "<<"
	for p.peek(0) == ' ' {
		p.at++
	}
	if key.Kind != Scalar || p.peek(0) != ':' || p.line != line || p.at-int(key.At) > maxKey {
		p.decline()
		return
	}
	p.at++
}

// inline parses a node that can't be a block collection, and moves to the next token.
func (p *parser) inline(indent int) *Node {
	n := p.leaf(indent, false)
	p.next()
	return n
}

// leaf parses a scalar or a flow collection, perhaps within one.
func (p *parser) leaf(indent int, inFlow bool) *Node {
	n := p.node(Scalar)
	switch c := p.peek(0); {
	case c == '"' || c == '\'':
		n.Text = p.quoted()
	case (c == '|' || c == '>') && !inFlow:
		n.Text = p.blockScalar(indent)
	case c == '[' || c == '{':
		p.flow(n)
	case p.beginsPlain():
		n.Text, n.Plain = p.plain(indent, inFlow), true
	default:
		p.decline()
	}
	return n
}

// flow parses a flow collection. Its lines may have any indentation.
func (p *parser) flow(n *Node) {
	p.enter()
	n.Kind = Sequence
	closing := byte(']')
	if p.peek(0) == '{' {
		n.Kind, closing = Mapping, '}'
	}
	p.at++
	p.next()
	for last := &n.First; !p.declined && p.peek(0) != closing; {
		if n.Kind == Mapping {
			last = n.add(last, p.flowKey())
		}
		last = n.add(last, p.leaf(-1, true))
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

// flowKey parses a key in a flow mapping and moves to its value.
func (p *parser) flowKey() *Node {
	line := p.line
	n := p.leaf(-1, true)
	p.colon(n, line)
	p.next()
	return n
}
