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
		switch c := p.byteAt(p.pos); {
		case c == '+' && p.byteAt(p.pos+1) != '=':
			p.pos++
			p.psSpace()
			v = p.concatenated(v, p.primary())
		case c == ',':
			v = p.listed(v)
		case c == '-' && isNameStart(p.byteAt(p.pos+1)):
			p.pos++
			operator := strings.ToLower(p.bareName())
			p.pos += len(operator)
			p.psSpace()
			right := p.primary()
			for p.psBlanks(); operator == "f" && p.byteAt(p.pos) == ','; p.psBlanks() {
				right = p.listed(right)
			}
			if operator == "f" {
				v = p.formatted(v, right)
			} else {
				v = psValue{kind: psUnknown}
			}
		default:
			return v
		}
	}
}

// listed reads , and the value behind it into a list.
func (p *psReader) listed(v psValue) psValue {
	p.pos++
	p.psSpace()
	list := []psValue{v}
	if v.kind == psList {
		list = v.list[:len(v.list):len(v.list)]
		p.spend(16 * len(list))
	}
	return psValue{kind: psList, list: append(list, p.primary())}
}

// primary reads one value and the members and calls behind it.
func (p *psReader) primary() psValue {
	p.enter(p.pos)
	defer func() { p.depth-- }()
	v := p.operand()
	for p.pos < p.limit {
		switch c := p.text[p.pos]; {
		case c == '.' && isNameStart(p.byteAt(p.pos+1)):
			p.pos++
			v = p.memberOrCall(v)
		case c == ':' && p.byteAt(p.pos+1) == ':':
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
	for p.pos < p.limit && isNameByte(p.text[p.pos]) {
		p.pos++
	}
	name := p.text[start:p.pos]
	if p.byteAt(p.pos) != '(' {
		return p.member(v, name)
	}
	return p.invoke(v, name, p.arguments())
}

// arguments reads the values in the parentheses at the cursor.
func (p *psReader) arguments() []psValue {
	open := p.pos
	p.pos++
	var all []psValue
	for p.psSpace(); p.pos < p.limit && p.text[p.pos] != ')'; p.psSpace() {
		before := p.pos
		v := p.expression()
		if v.kind == psList && len(all) == 0 && p.text[before] != '(' {
			all = v.list
		} else {
			all = append(all, v)
		}
		if p.pos == before {
			p.pos++
		}
	}
	p.closing(')', open)
	return all
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
		return psValue{kind: psText, word: p.quotedText()}
	case c == '@':
		return p.atSign()
	case c == '(':
		p.pos++
		return p.parenthesized(open)
	case c == '$' && p.byteAt(p.pos+1) == '(':
		p.pos += 2
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
		return p.numeral()
	case isNameStart(c):
		return p.element(psValue{}, false)
	}
	return psValue{kind: psUnknown}
}

// numeral reads a number.
func (p *psReader) numeral() psValue {
	start := p.pos
	for p.pos < p.limit && (isNameByte(p.text[p.pos]) || strings.IndexByte("+-.", p.text[p.pos]) >= 0) {
		p.pos++
	}
	if p.pos == start {
		p.pos++
	}
	return psValue{kind: psRaw, word: literalWord(p.text[start:p.pos])}
}

// typed reads [type], which casts the value behind it or has static members.
func (p *psReader) typed() psValue {
	open := p.pos
	end := strings.IndexByte(p.text[p.pos:min(p.limit, p.pos+maxType)], ']')
	if end < 0 {
		p.skipBrackets()
		return psValue{kind: psUnknown}
	}
	name := p.text[p.pos+1 : p.pos+end]
	p.pos += end + 1
	for p.byteAt(p.pos) == ']' {
		p.pos++
	}
	if p.byteAt(p.pos) == ':' {
		return psValue{kind: psType, word: literalWord(name)}
	}
	p.psBlanks()
	if p.pos == p.limit || strings.IndexByte("\r\n;|)}],", p.text[p.pos]) >= 0 {
		return psValue{kind: psType, word: literalWord(name)}
	}
	p.enter(open)
	v := p.operand()
	p.depth--
	if text, ok := v.word.Literal(); ok && v.kind == psRaw && strings.EqualFold(name, "char") {
		if n, err := strconv.ParseInt(text, 0, 32); err == nil && n > 0 && n <= 0xFFFF {
			return psValue{kind: psChar, unit: int(n)}
		}
	}
	return v
}

// parenthesized reads the statements up to the ) that ends them; their value is
// the last one's.
func (p *psReader) parenthesized(open int) psValue {
	v := psValue{kind: psUnknown}
	for p.psSpace(); p.pos < p.limit && p.text[p.pos] != ')'; p.psSpace() {
		if p.text[p.pos] == ';' {
			p.pos++
			continue
		}
		before := p.pos
		if !p.psAssignment() {
			v = p.pipeline()
		}
		if p.pos == before {
			p.pos++
		}
	}
	p.closing(')', open)
	return v
}

// atSign reads a here-string, a table or a list.
func (p *psReader) atSign() psValue {
	open := p.pos
	switch p.byteAt(p.pos + 1) {
	case '\'', '"':
		return psValue{kind: psText, word: p.hereString()}
	case '{':
		p.pos += 2
		return p.tableLiteral(open)
	case '(':
		p.pos += 2
		var list []psValue
		for p.psSpace(); p.pos < p.limit && p.text[p.pos] != ')'; p.psSpace() {
			if strings.IndexByte(";,", p.text[p.pos]) >= 0 {
				p.pos++
				continue
			}
			before := p.pos
			if v := p.pipeline(); v.kind == psList {
				list = append(list, v.list...)
			} else {
				list = append(list, v)
			}
			if p.pos == before {
				p.pos++
			}
		}
		p.closing(')', open)
		return psValue{kind: psList, list: list}
	}
	p.pos++
	return psValue{kind: psUnknown}
}

// tableLiteral reads the members of @{ … }.
func (p *psReader) tableLiteral(open int) psValue {
	t := &psTable{}
	for p.psSpace(); p.pos < p.limit && p.text[p.pos] != '}'; p.psSpace() {
		if p.text[p.pos] == ';' {
			p.pos++
			continue
		}
		p.budget.Parts(wordParts)
		before := p.pos
		var name string
		if isNameByte(p.text[p.pos]) {
			name = p.bareName()
			p.pos += len(name)
		} else {
			name, _ = p.textOf(p.primary()).Literal()
		}
		p.psSpace()
		if p.byteAt(p.pos) == '=' {
			p.pos++
			p.psSpace()
			t.set(name, p.pipeline())
		}
		if p.pos == before {
			p.pos++
		}
	}
	p.closing('}', open)
	return psValue{kind: psTableKind, table: t}
}

// bareArgument reads an argument of a command: a value, or text with variables
// and quoted stretches up to a blank.
func (p *psReader) bareArgument() psValue {
	start := p.pos
	t := psString{fields: fields{whole: true}}
	single := psValue{kind: psText}
	for pieces := 0; p.pos < p.limit && !p.endsArgument(start); pieces++ {
		c := p.text[p.pos]
		value := strings.IndexByte("'\"$", c) >= 0 || pieces == 0 && strings.IndexByte("@[(", c) >= 0
		switch {
		case value && p.startsValue():
			v := psValue{}
			if pieces == 0 {
				v = p.primary()
			} else {
				v = p.operand()
			}
			if pieces == 0 && p.endsArgument(start) {
				return v
			}
			p.add(&t, v)
		case c == '`':
			p.backtick(&t)
		case c == '(' && p.behindParenthesis() > 0:
			end := p.behindParenthesis()
			t.plain(p.text[p.pos:end])
			p.pos = end
		default:
			if c == '&' {
				p.note(AmpersandKept)
			}
			from := p.pos
			_, size := utf8.DecodeRuneInString(p.text[p.pos:p.limit])
			p.pos += size
			for p.pos < p.limit && !endsBare[p.text[p.pos]] {
				p.pos++
			}
			t.plain(p.text[from:p.pos])
		}
	}
	single.word = t.end()
	return single
}

var endsBare = bytesOf(" \t\r\n;|)}&<>'\"$(`,")

// behindParenthesis returns the offset behind the short text in parentheses at
// the cursor, as in OData's Users(1), 0 when there is none.
func (p *psReader) behindParenthesis() int {
	end := strings.IndexAny(p.text[p.pos:min(p.limit, p.pos+maxType)], ") \t\r\n")
	if end < 0 || p.text[p.pos+end] != ')' {
		return 0
	}
	return p.pos + end + 1
}

// startsValue reports whether the $, quote or bracket at the cursor begins a
// value; a lone $ or [ is text.
func (p *psReader) startsValue() bool {
	next := p.byteAt(p.pos + 1)
	switch p.text[p.pos] {
	case '$':
		return isNameStart(next) || next == '{' || next == '('
	case '[':
		return isNameStart(next)
	case '@':
		return strings.IndexByte("{('\"", next) >= 0 && next != 0
	}
	return true
}

// endsArgument reports whether the byte at the cursor ends an argument that
// began at start.
func (p *psReader) endsArgument(start int) bool {
	if p.pos >= p.limit {
		return true
	}
	switch c := p.text[p.pos]; {
	case isBlank(c), p.newlineAt(p.pos) > 0, c == ';', c == '|', c == ')', c == '}', c == '>':
		return true
	case c == '(': // as in New-Object Type(…); in an address it is text
		return p.pos > start && !strings.Contains(p.text[max(start, p.pos-maxType):p.pos], "/")
	case c == '`':
		return p.psContinuation() > 0
	case c == '&':
		return p.ampersandEnd(start) == p.pos
	}
	return false
}
