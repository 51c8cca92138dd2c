package powershell

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// expression reads values joined by operators.
func (p *psReader) expression() psValue {
	v := p.primary()
	for {
		p.psBlanks()
		switch c, next := p.ByteAt(p.Pos), p.ByteAt(p.Pos+1); {
		case c == next && (c == '+' || c == '-'): // $i++
			p.Pos += 2
			v = psValue{}
		case c == '+' && next != '=':
			p.Pos++
			p.psSpace()
			v = p.concatenated(v, p.primary())
		case c == ',':
			v = p.listed(v, p.primary)
		case c == '-' && script.IsNameStart(next):
			p.Pos++
			operator := strings.ToLower(p.bareName())
			p.Pos += len(operator)
			p.psSpace()
			right := p.primary()
			if operator != "f" {
				v = psValue{}
				continue
			}
			for p.psBlanks(); p.ByteAt(p.Pos) == ','; p.psBlanks() {
				right = p.listed(right, p.primary)
			}
			v = p.formatted(v, right)
		default:
			return v
		}
	}
}

// listed reads a comma and the value after it into a list.
func (p *psReader) listed(v psValue, read func() psValue) psValue {
	p.Pos++
	p.psSpace()
	list := []psValue{v}
	if v.kind == psList {
		list = v.list[:len(v.list):len(v.list)]
		p.Spend(16 * len(list))
	}
	return psValue{kind: psList, list: append(list, read())}
}

// primary reads a value with the member accesses and method calls after it.
func (p *psReader) primary() psValue {
	p.Enter(p.Pos)
	defer func() { p.Depth-- }()
	v := p.operand()
	for p.Pos < p.Limit {
		switch c, next := p.Text[p.Pos], p.ByteAt(p.Pos+1); {
		case c == '.' && script.IsNameStart(next):
			p.Pos++
			v = p.memberOrCall(v)
		case c == ':' && next == ':':
			p.Pos += 2
			v = p.memberOrCall(v)
		case c == '[' && v.kind != psType:
			p.Pos++
			p.psSpace()
			key, _ := p.textOf(p.expression()).Literal()
			p.closing(']', p.Pos)
			v = p.member(v, key)
		default:
			return v
		}
	}
	return v
}

func (p *psReader) memberOrCall(v psValue) psValue {
	start := p.Pos
	p.Pos = p.Span(p.Pos, &script.NameBytes)
	name := p.Text[start:p.Pos]
	if p.ByteAt(p.Pos) == '(' {
		return p.invoke(v, name, p.arguments())
	}
	return p.member(v, name)
}

// arguments reads the parenthesized values at the cursor.
func (p *psReader) arguments() (all []psValue) {
	open := p.Pos
	p.Pos++
	p.each(open, ')', "", func() {
		bracket := p.Text[p.Pos] == '('
		v := p.expression()
		if v.kind == psList && len(all) == 0 && !bracket {
			all = v.list
		} else {
			all = append(all, v)
		}
	})
	return all
}

// each reads items up to the bracket that closes the one at open, and skips separators between them.
func (p *psReader) each(open int, end byte, separators string, item func()) {
	for p.psSpace(); p.Pos < p.Limit && p.Text[p.Pos] != end; p.psSpace() {
		if strings.IndexByte(separators, p.Text[p.Pos]) >= 0 {
			p.Pos++
		} else {
			p.advance(item)
		}
	}
	p.closing(end, open)
}

// closing reads the bracket that closes the one at open.
func (p *psReader) closing(c byte, open int) {
	p.psSpace()
	if p.ByteAt(p.Pos) != c {
		p.psUnclosed(open)
	}
	p.Pos++
}

func (p *psReader) operand() psValue {
	open := p.Pos
	switch c := p.ByteAt(p.Pos); {
	case c == '\'' || c == '"':
		return p.quotedText()
	case c == '@':
		return p.atSign()
	case c == '(', c == '$' && p.ByteAt(p.Pos+1) == '(':
		p.Pos += strings.IndexByte(p.Text[p.Pos:], '(') + 1
		return p.parenthesized(open)
	case c == '$':
		if name := p.variableName(); name != "" {
			return p.valueOf(name)
		}
		p.Pos++
	case c == '[':
		return p.typed()
	case c == '{':
		p.skipBrackets(false)
	case c == '-' || c == '.' || c >= '0' && c <= '9':
		p.Pos = p.Span(p.Pos, &script.NumeralBytes)
		return psValue{kind: psRaw, word: script.LiteralWord(p.Text[open:p.Pos])}
	case script.IsNameStart(c):
		return p.element(psValue{}, false)
	}
	return psValue{}
}

// typed reads [type], which casts the value after it or has static members.
func (p *psReader) typed() psValue {
	open := p.Pos
	end := strings.IndexByte(p.Text[p.Pos:min(p.Limit, p.Pos+script.MaxToken)], ']')
	if end < 0 {
		p.skipBrackets(false)
		return psValue{}
	}
	name := p.Text[p.Pos+1 : p.Pos+end]
	for p.Pos += end; p.ByteAt(p.Pos) == ']'; {
		p.Pos++
	}
	static := p.ByteAt(p.Pos) == ':'
	if !static {
		p.psBlanks()
	}
	if static || p.Pos == p.Limit || strings.IndexByte("\n;|)}],", p.Text[p.Pos]) >= 0 {
		return psValue{kind: psType, word: script.LiteralWord(name)}
	}
	p.Enter(open)
	v := p.operand()
	p.Depth--
	if text, ok := v.word.Literal(); ok && v.kind == psRaw && strings.EqualFold(name, "char") {
		if n, err := strconv.ParseUint(text, 0, 16); err == nil && n > 0 {
			return psValue{kind: psChar, unit: int(n)}
		}
	}
	return v
}

// parenthesized reads statements up to the closing parenthesis and returns the value of the last.
func (p *psReader) parenthesized(open int) (v psValue) {
	p.each(open, ')', ";", func() {
		if !p.psAssignment() {
			v = p.pipeline()
		}
	})
	return v
}

// atSign reads a here-string, a hash table or a list.
func (p *psReader) atSign() psValue {
	open, next := p.Pos, p.ByteAt(p.Pos+1)
	if next == '\'' || next == '"' {
		return p.hereString()
	}
	if p.Pos++; next == '{' {
		p.Pos++
		return p.tableLiteral(open)
	}
	if next != '(' {
		return psValue{}
	}
	p.Pos++
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

// tableLiteral reads the entries of @{ … }.
func (p *psReader) tableLiteral(open int) psValue {
	v := newTable(psTableKind)
	p.each(open, '}', ";", func() {
		p.Budget.Parts(posix.WordParts)
		name := p.bareName()
		if p.Pos += len(name); name == "" {
			name, _ = p.textOf(p.primary()).Literal()
		}
		p.psSpace()
		if p.ByteAt(p.Pos) == '=' {
			p.Pos++
			p.psSpace()
			v.table.set(name, p.pipeline())
		}
	})
	return v
}

// bareArgument reads an argument of a command: a value, or a bare string with variables and quoted stretches up to a
// blank.
func (p *psReader) bareArgument() psValue {
	start := p.Pos
	var t psString
	for p.Pos < p.Limit && !p.endsArgument(start) {
		c, first := p.Text[p.Pos], p.Pos == start
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
		case c == '(' && p.Ahead(posix.Parentheses()) > 0:
			end := p.Pos + p.Ahead(posix.Parentheses())
			t.plain(p.Text[p.Pos:end])
			p.Pos = end
		default:
			if c == '&' {
				p.Note(script.AmpersandKept)
			}
			_, size := utf8.DecodeRuneInString(p.Text[p.Pos:p.Limit])
			end := p.Span(p.Pos+size, &script.BareBytes)
			t.plain(p.Text[p.Pos:end])
			p.Pos = end
		}
	}
	return t.end()
}

// startsValue reports whether a value begins at the cursor. A lone $ or [ is literal, and so are brackets that don't
// begin the argument.
func (p *psReader) startsValue(first bool) bool {
	next := p.ByteAt(p.Pos + 1)
	switch p.Text[p.Pos] {
	case '\'', '"':
		return true
	case '$':
		return script.IsNameStart(next) || next == '{' || next == '('
	case '(':
		return first
	case '[':
		return first && script.IsNameStart(next)
	case '@':
		return first && next != 0 && strings.IndexByte("{('\"", next) >= 0
	}
	return false
}

// endsArgument reports whether the byte at the cursor ends the argument that began at start.
func (p *psReader) endsArgument(start int) bool {
	if p.Pos >= p.Limit {
		return true
	}
	switch c := p.Text[p.Pos]; {
	case strings.IndexByte(" \t\n;|)}>", c) >= 0:
		return true
	case c == '(': // as in New-Object Type(…); literal in a URL
		return p.Pos > start && !strings.Contains(p.Text[max(start, p.Pos-script.MaxToken):p.Pos], "/")
	case c == '`':
		return p.Continued() > 0
	case c == '&':
		return p.AmpersandEnd(start) == p.Pos
	}
	return false
}
