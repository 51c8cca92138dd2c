package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// expression reads values joined by operators.
func (p *psReader) expression() psValue {
	v := p.primary()
	for {
		p.psBlanks()
		switch c, next := p.byteAt(p.pos), p.byteAt(p.pos+1); {
		case c == next && (c == '+' || c == '-'): // $i++
			p.pos += 2
			v = psValue{}
		case c == '+' && next != '=':
			p.pos++
			p.psSpace()
			v = p.concatenated(v, p.primary())
		case c == ',':
			v = p.listed(v, p.primary)
		case c == '-' && isNameStart(next):
			p.pos++
			operator := strings.ToLower(p.bareName())
			p.pos += len(operator)
			p.psSpace()
			right := p.primary()
			if operator != "f" {
				v = psValue{}
				continue
			}
			for p.psBlanks(); p.byteAt(p.pos) == ','; p.psBlanks() {
				right = p.listed(right, p.primary)
			}
			v = p.formatted(v, right)
		default:
			return v
		}
	}
}

// listed reads , and the value behind it into a list.
func (p *psReader) listed(v psValue, read func() psValue) psValue {
	p.pos++
	p.psSpace()
	list := []psValue{v}
	if v.kind == psList {
		list = v.list[:len(v.list):len(v.list)]
		p.spend(16 * len(list))
	}
	return psValue{kind: psList, list: append(list, read())}
}

// primary reads one value and the members and calls behind it.
func (p *psReader) primary() psValue {
	p.enter(p.pos)
	defer func() { p.depth-- }()
	v := p.operand()
	for p.pos < p.limit {
		switch c, next := p.text[p.pos], p.byteAt(p.pos+1); {
		case c == '.' && isNameStart(next):
			p.pos++
			v = p.memberOrCall(v)
		case c == ':' && next == ':':
			p.pos += 2
			v = p.memberOrCall(v)
		case c == '[' && v.kind != psType:
			p.pos++
			p.psSpace()
			key, _ := p.textOf(p.expression()).Literal()
			p.closing(']', p.pos)
			v = p.member(v, key)
		default:
			return v
		}
	}
	return v
}

func (p *psReader) memberOrCall(v psValue) psValue {
	start := p.pos
	p.pos = p.span(p.pos, &nameBytes)
	name := p.text[start:p.pos]
	if p.byteAt(p.pos) == '(' {
		return p.invoke(v, name, p.arguments())
	}
	return p.member(v, name)
}

// arguments reads the values in the parentheses at the cursor.
func (p *psReader) arguments() (all []psValue) {
	open := p.pos
	p.pos++
	p.each(open, ')', "", func() {
		bracket := p.text[p.pos] == '('
		v := p.expression()
		if v.kind == psList && len(all) == 0 && !bracket {
			all = v.list
		} else {
			all = append(all, v)
		}
	})
	return all
}

// each reads items up to the bracket that ends what began at open. Separators
// between them are stepped over.
func (p *psReader) each(open int, end byte, separators string, item func()) {
	for p.psSpace(); p.pos < p.limit && p.text[p.pos] != end; p.psSpace() {
		if strings.IndexByte(separators, p.text[p.pos]) >= 0 {
			p.pos++
		} else {
			p.advance(item)
		}
	}
	p.closing(end, open)
}

// closing reads the bracket that ends what began at open.
func (p *psReader) closing(c byte, open int) {
	p.psSpace()
	if p.byteAt(p.pos) != c {
		p.psUnclosed(open)
	}
	p.pos++
}

func (p *psReader) operand() psValue {
	open := p.pos
	switch c := p.byteAt(p.pos); {
	case c == '\'' || c == '"':
		return p.quotedText()
	case c == '@':
		return p.atSign()
	case c == '(', c == '$' && p.byteAt(p.pos+1) == '(':
		p.pos += strings.IndexByte(p.text[p.pos:], '(') + 1
		return p.parenthesized(open)
	case c == '$':
		if name := p.variableName(); name != "" {
			return p.valueOf(name)
		}
		p.pos++
	case c == '[':
		return p.typed()
	case c == '{':
		p.skipBrackets()
	case c == '-' || c == '.' || c >= '0' && c <= '9':
		p.pos = p.span(p.pos, &numeralBytes)
		return psValue{kind: psRaw, word: literalWord(p.text[open:p.pos])}
	case isNameStart(c):
		return p.element(psValue{}, false)
	}
	return psValue{}
}

// typed reads [type], which casts the value behind it or has static members.
func (p *psReader) typed() psValue {
	open := p.pos
	end := strings.IndexByte(p.text[p.pos:min(p.limit, p.pos+maxToken)], ']')
	if end < 0 {
		p.skipBrackets()
		return psValue{}
	}
	name := p.text[p.pos+1 : p.pos+end]
	for p.pos += end; p.byteAt(p.pos) == ']'; {
		p.pos++
	}
	static := p.byteAt(p.pos) == ':'
	if !static {
		p.psBlanks()
	}
	if static || p.pos == p.limit || strings.IndexByte("\r\n;|)}],", p.text[p.pos]) >= 0 {
		return psValue{kind: psType, word: literalWord(name)}
	}
	p.enter(open)
	v := p.operand()
	p.depth--
	if text, ok := v.word.Literal(); ok && v.kind == psRaw && strings.EqualFold(name, "char") {
		if n, err := strconv.ParseUint(text, 0, 16); err == nil && n > 0 {
			return psValue{kind: psChar, unit: int(n)}
		}
	}
	return v
}

// parenthesized reads the statements up to the ) that ends them; their value is
// the last one's.
func (p *psReader) parenthesized(open int) (v psValue) {
	p.each(open, ')', ";", func() {
		if !p.psAssignment() {
			v = p.pipeline()
		}
	})
	return v
}

// atSign reads a here-string, a table or a list.
func (p *psReader) atSign() psValue {
	open, next := p.pos, p.byteAt(p.pos+1)
	if next == '\'' || next == '"' {
		return p.hereString()
	}
	if p.pos++; next == '{' {
		p.pos++
		return p.tableLiteral(open)
	}
	if next != '(' {
		return psValue{}
	}
	p.pos++
	list := psValue{kind: psList}
	p.each(open, ')', ";,", func() {
		if v := p.pipeline(); v.kind == psList {
			list.list = append(list.list, v.list...)
		} else {
			list.list = append(list.list, v)
		}
	})
	return list
}

// tableLiteral reads the members of @{ … }.
func (p *psReader) tableLiteral(open int) psValue {
	v := newTable(psTableKind)
	p.each(open, '}', ";", func() {
		p.budget.Parts(wordParts)
		name := p.bareName()
		if p.pos += len(name); name == "" {
			name, _ = p.textOf(p.primary()).Literal()
		}
		p.psSpace()
		if p.byteAt(p.pos) == '=' {
			p.pos++
			p.psSpace()
			v.table.set(name, p.pipeline())
		}
	})
	return v
}

// bareArgument reads an argument of a command: a value, or text with variables
// and quoted stretches up to a blank.
func (p *psReader) bareArgument() psValue {
	start := p.pos
	var t psString
	for p.pos < p.limit && !p.endsArgument(start) {
		c, first := p.text[p.pos], p.pos == start
		switch {
		case p.startsValue(first):
			v := psValue{}
			if first {
				v = p.primary()
			} else {
				v = p.operand()
			}
			if first && p.endsArgument(start) {
				return v
			}
			p.add(&t, v)
		case c == '`':
			p.backtick(&t)
		case c == '(' && p.ahead(parentheses()) > 0:
			end := p.pos + p.ahead(parentheses())
			t.plain(p.text[p.pos:end])
			p.pos = end
		default:
			if c == '&' {
				p.note(AmpersandKept)
			}
			_, size := utf8.DecodeRuneInString(p.text[p.pos:p.limit])
			end := p.span(p.pos+size, &bareBytes)
			t.plain(p.text[p.pos:end])
			p.pos = end
		}
	}
	return t.end()
}

// startsValue reports whether a value begins at the cursor; a lone $ or [ is
// text, and brackets are where an argument has begun.
func (p *psReader) startsValue(first bool) bool {
	next := p.byteAt(p.pos + 1)
	switch p.text[p.pos] {
	case '\'', '"':
		return true
	case '$':
		return isNameStart(next) || next == '{' || next == '('
	case '(':
		return first
	case '[':
		return first && isNameStart(next)
	case '@':
		return first && next != 0 && strings.IndexByte("{('\"", next) >= 0
	}
	return false
}

// endsArgument reports whether the byte at the cursor ends an argument that
// began at start.
func (p *psReader) endsArgument(start int) bool {
	if p.pos >= p.limit {
		return true
	}
	switch c := p.text[p.pos]; {
	case strings.IndexByte(" \t;|)}>", c) >= 0, p.newlineAt(p.pos) > 0:
		return true
	case c == '(': // as in New-Object Type(…); in an address it is text
		return p.pos > start && !strings.Contains(p.text[max(start, p.pos-maxToken):p.pos], "/")
	case c == '`':
		return p.continued() > 0
	case c == '&':
		return p.ampersandEnd(start) == p.pos
	}
	return false
}
