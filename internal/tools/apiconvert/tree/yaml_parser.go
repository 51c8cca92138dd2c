package tree

import "strings"

// peek returns the byte i bytes ahead, or 0 after the end.
func (p *parser) peek(i int) byte {
	if p.at+i < len(p.text) {
		return p.text[p.at+i]
	}
	return 0
}

// ends reports whether a byte ends a token: blanks and line ends do.
func ends(c byte) bool { return c <= ' ' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// column returns the column of the next token, or -1 at the end of the text.
func (p *parser) column() int {
	if p.at == len(p.text) {
		return -1
	}
	return p.at - p.line
}

// next moves to the next token after a node or an indicator, over blanks, comments and line ends. A document marker ends
// the text.
func (p *parser) next() {
	p.fresh = p.at == p.line
	if p.skip(); p.atMarker() {
		p.text = p.text[:p.at]
	}
	p.fresh = p.fresh || p.at == len(p.text)
}

func (p *parser) skip() {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ' ', c == '\r', c == '\t' && (!p.fresh || p.flows > 0):
			p.at++
		case c == '\n':
			p.newline()
		case c == '#' && (p.at == p.line || isBlank(p.text[p.at-1])):
			p.skipComment()
		default:
			return
		}
	}
}

// blank moves over blanks on the same line.
func (p *parser) blank() {
	for isBlank(p.peek(0)) {
		p.at++
	}
}

// skipComment moves to the end of the comment's line.
func (p *parser) skipComment() {
	if p.comments.Count == 0 {
		p.comments.Line = 1 + strings.Count(p.text[:p.at], "\n")
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

// atMarker reports whether the line begins with a document marker.
func (p *parser) atMarker() bool {
	return p.at == p.line && ends(p.peek(len(marker))) &&
		(strings.HasPrefix(p.text[p.at:], marker) || strings.HasPrefix(p.text[p.at:], "..."))
}

// marker begins a document.
const marker = "---"

func (p *parser) atDash() bool { return p.peek(0) == '-' && ends(p.peek(1)) }

// atProperty reports whether an anchor or a tag begins here.
func (p *parser) atProperty() bool { return p.peek(0) == '&' || p.peek(0) == '!' }

// atKey reports whether a key begins here, with its colon on the same line, or an explicit key.
func (p *parser) atKey() bool {
	from := p.at
	defer func() { p.at = from }()
	for p.atProperty() {
		p.word()
		p.blank()
	}
	switch c := p.peek(0); {
	case c == '?' && ends(p.peek(1)):
		return p.at == from
	case c == '"' || c == '\'':
		if p.at = p.quotedEnd(); p.at < 0 {
			return false
		}
		if p.blank(); p.flows > 0 && p.peek(0) == ':' {
			return true
		}
	case c == '*':
		p.word()
		p.blank()
	case p.beginsPlain():
		_, p.at = p.segment()
	default:
		return false
	}
	return p.peek(0) == ':' && ends(p.peek(1))
}

// block parses a node where a block collection may begin. Its lines are indented by more than indent.
func (p *parser) block(indent int, of properties) *Value {
	switch {
	case p.atDash():
		return p.sequence(p.column())
	case p.atKey():
		return p.mapping(p.column())
	}
	return p.inline(indent, of)
}

// sequence parses the entries of a sequence that begin in a column.
func (p *parser) sequence(column int) *Value {
	c := p.enter(Array)
	for p.column() == column && p.atDash() {
		p.at++
		p.values = append(p.values, p.valueAfter(column, false))
		if !p.fresh {
			p.reject()
		}
	}
	return p.leave(c)
}

// mapping parses the keys of a mapping that begin in a column, and their values.
func (p *parser) mapping(column int) *Value {
	c := p.enter(Object)
	for p.column() == column {
		explicit := p.explicit()
		k := p.key(column, explicit)
		switch {
		case p.peek(0) == ':' && ends(p.peek(1)) && (!explicit || p.column() == column):
			p.at++
			p.member(&c, k, p.valueAfter(column, !explicit))
		case explicit:
			p.member(&c, k, p.scalar("", true, p.at))
		default:
			p.reject()
		}
		if !p.fresh {
			p.reject()
		}
	}
	return p.leave(c)
}

// valueAfter parses the node after a dash or a key's colon: on the same line, or on the next lines and further to
// the right than column. The entries of a sequence that is a key's value may also begin in column.
func (p *parser) valueAfter(column int, key bool) *Value {
	empty := p.at
	p.next()
	var of properties
	if p.atProperty() && p.column() > column && (key && !p.fresh || !p.atKey()) {
		of = p.properties()
	}
	var v *Value
	switch at := p.column(); {
	case !p.fresh && (key || of != properties{}):
		v = p.inline(column, of)
	case !p.fresh, at > column:
		v = p.block(column, of)
	case key && at == column && p.atDash():
		v = p.sequence(column)
	default:
		v = p.scalar("", of.resolves(true), empty)
	}
	return p.anchor(of, v)
}

// maxKey is the length of the longest key, in bytes (YAML 1.2.2, section 7.4, in characters).
const maxKey = 1024

// explicit moves over the question mark of an explicit key and reports whether there is one.
func (p *parser) explicit() bool {
	if p.peek(0) != '?' || !ends(p.peek(1)) {
		return false
	}
	p.at++
	p.next()
	return true
}

// key parses a name up to its colon. An explicit key may have several lines, indented by more than indent.
func (p *parser) key(indent int, explicit bool) (k key) {
	line := p.line
	of := p.properties()
	k.at = p.at
	switch c := p.peek(0); {
	case c == '"' || c == '\'':
		k.text = p.quoted()
	case c == '*':
		k.text = p.aliasName()
	case c == '[' || c == '{':
		p.notName()
	case explicit && (c == '|' || c == '>') && p.flows == 0:
		k.text = p.blockScalar(indent)
	case explicit && p.beginsPlain():
		k.text = p.plain(indent)
	case p.beginsPlain():
		end, stop := p.segment()
		k.text, k.merge = p.text[p.at:end], p.text[p.at:end] == "<<"
		p.at = stop
	default:
		p.reject()
	}
	if !explicit && (p.line != line || p.at-k.at > maxKey) {
		p.reject()
	}
	if of.name != "" {
		p.anchor(of, p.scalar(k.text, false, k.at))
	}
	if p.blank(); explicit {
		p.next()
	}
	return k
}

// inline parses a node that can't be a block collection, and moves to the next token.
func (p *parser) inline(indent int, of properties) *Value {
	v := p.leaf(indent, of)
	p.next()
	return v
}

// leaf parses a scalar, an alias or a flow collection, perhaps within one.
func (p *parser) leaf(indent int, of properties) *Value {
	text, plain, at := "", false, p.at
	switch c := p.peek(0); {
	case c == '"' || c == '\'':
		text = p.quoted()
	case (c == '|' || c == '>') && p.flows == 0:
		text = p.blockScalar(indent)
	case c == '[':
		return p.flow(Array, ']')
	case c == '{':
		return p.flow(Object, '}')
	case c == '*' && of == properties{}:
		return p.copy(p.aliased(), at)
	case p.beginsPlain():
		text, plain = p.plain(indent), true
	default:
		p.reject()
	}
	return p.scalar(text, of.resolves(plain), at)
}

// flow parses a flow collection. Its lines may have any indentation.
func (p *parser) flow(kind Kind, closing byte) *Value {
	c := p.enter(kind)
	p.flows++
	p.at++
	p.next()
	for p.failure == nil && p.peek(0) != closing {
		switch {
		case kind == Object:
			p.flowMember(&c, closing)
		case p.atKey():
			pair := p.enter(Object)
			p.flowMember(&pair, closing)
			p.values = append(p.values, p.leave(pair))
		default:
			p.values = append(p.values, p.element(closing, false))
		}
		p.next()
		if c := p.peek(0); c == ',' {
			p.at++
			p.next()
		} else if c != closing {
			p.reject()
		}
	}
	p.flows--
	if p.failure == nil {
		p.at++
	}
	return p.leave(c)
}

// flowMember parses a key in a flow collection and its value, which may be omitted.
func (p *parser) flowMember(c *collection, closing byte) {
	k := p.key(-1, p.explicit())
	if p.peek(0) != ':' {
		p.member(c, k, p.scalar("", true, p.at))
		return
	}
	p.at++
	p.next()
	p.member(c, k, p.element(closing, true))
}

// element parses an element of a flow collection or the value of a key, which may be omitted.
func (p *parser) element(closing byte, omitted bool) *Value {
	of := p.properties()
	if c := p.peek(0); (omitted || of != properties{}) && (c == ',' || c == closing) {
		return p.anchor(of, p.scalar("", of.resolves(true), p.at))
	}
	return p.anchor(of, p.leaf(-1, of))
}
