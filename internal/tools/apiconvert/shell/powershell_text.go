package shell

import (
	"strings"
	"unicode/utf8"
)

// quotedText reads '…' or "…".
func (p *psReader) quotedText() Word {
	open := p.pos
	p.pos++
	if p.text[open] == '"' {
		t := psString{fields: fields{whole: true}}
		p.interpolate(&t, '"')
		if p.byteAt(p.pos) != '"' {
			p.psUnclosed(open)
		}
		p.pos++
		return t.end()
	}
	var text strings.Builder
	for {
		n := strings.IndexByte(p.text[p.pos:p.limit], '\'')
		if n < 0 {
			p.psUnclosed(open)
		}
		text.WriteString(p.text[p.pos : p.pos+n])
		p.pos += n + 1
		if p.byteAt(p.pos) != '\'' {
			return literalWord(strings.ReplaceAll(text.String(), "\r\n", "\n"))
		}
		text.WriteByte('\'')
		p.pos++
	}
}

// hereString reads @' … '@ or @" … "@, whose last line end is no text.
func (p *psReader) hereString() Word {
	open, quote := p.pos, p.text[p.pos+1]
	start := p.lineEnd(p.pos)
	start += p.newlineAt(start)
	var body strings.Builder
	for i := start; i < p.limit; {
		i = p.skipMore(i)
		end := p.lineEnd(i)
		line := strings.TrimLeft(p.text[i:end], " \t")
		if len(line) > 1 && line[0] == quote && line[1] == '@' {
			p.pos = end - len(line) + 2
			return p.hereText(strings.TrimSuffix(body.String(), "\n"), open, quote)
		}
		body.WriteString(p.text[i:end])
		body.WriteByte('\n')
		if i = end + p.newlineAt(end); i == end {
			break
		}
	}
	p.psUnclosed(open)
	return nil
}

// hereText works out the text of a here-string that began at open.
func (p *psReader) hereText(body string, open int, quote byte) Word {
	p.budget.Text(len(body))
	if quote == '\'' {
		return literalWord(body)
	}
	outer := p.reader
	inner := outer.derive(body, open)
	inner.cur, p.reader = outer.cur, inner
	t := psString{fields: fields{whole: true}}
	p.interpolate(&t, 0)
	p.reader = outer
	return t.end()
}

// psEscapes are the characters that a ` makes of others.
var psEscapes = map[byte]string{
	'n': "\n", 'r': "\r", 't': "\t", 'a': "\a", 'b': "\b", 'f': "\f", 'v': "\v", 'e': "\x1b", '0': "",
}

// interpolate reads the text of a double-quoted string up to the quote, or,
// with 0, to the limit.
func (p *psReader) interpolate(t *psString, quote byte) {
	for p.pos < p.limit {
		switch c := p.text[p.pos]; {
		case c == quote && p.byteAt(p.pos+1) == quote:
			t.plain(string([]byte{quote}))
			p.pos += 2
		case c == quote && c != 0:
			return
		case c == '`':
			p.backtick(t)
		case c == '$':
			p.psDollar(t)
		case c == '\r' && p.newlineAt(p.pos) > 0:
			p.pos++
		default:
			start := p.pos
			for p.pos < p.limit && p.text[p.pos] != quote && strings.IndexByte("`$\r", p.text[p.pos]) < 0 {
				p.pos++
			}
			if p.pos == start { // a CR alone
				p.pos++
			}
			t.plain(p.text[start:p.pos])
		}
	}
}

// backtick reads an escape.
func (p *psReader) backtick(t *psString) {
	p.pos++
	if n := p.newlineAt(p.pos); n > 0 {
		t.plain("\n")
		p.pos += n
		return
	}
	if p.pos == p.limit {
		return
	}
	c := p.text[p.pos]
	if c == 'u' && p.byteAt(p.pos+1) == '{' {
		if n, digits := number(p.text[p.pos+2:p.limit], 16, 6); digits > 0 && p.byteAt(p.pos+2+digits) == '}' {
			t.plain(string(rune(n)))
			p.pos += digits + 3
			return
		}
	}
	if control, ok := psEscapes[c]; ok {
		t.plain(control)
		p.pos++
		return
	}
	_, size := utf8.DecodeRuneInString(p.text[p.pos:p.limit])
	t.plain(p.text[p.pos : p.pos+size])
	p.pos += size
}

// psDollar reads what a $ begins in a text.
func (p *psReader) psDollar(t *psString) {
	if p.byteAt(p.pos+1) == '(' {
		open := p.pos
		p.pos += 2
		p.enter(open)
		p.add(t, p.parenthesized(open))
		p.depth--
		return
	}
	if name := p.variableName(); name != "" {
		p.add(t, p.valueOf(name))
		return
	}
	t.plain("$")
	p.pos++
}
