package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// quotedText reads '…' or "…".
func (p *psReader) quotedText() psValue {
	open, quote := p.pos, p.text[p.pos]
	var t psString
	p.pos++
	p.interpolate(&t, quote)
	if p.byteAt(p.pos) != quote {
		p.psUnclosed(open)
	}
	p.pos++
	return t.end()
}

// hereString reads @' … '@ or @" … "@, whose last line end is no text.
func (p *psReader) hereString() psValue {
	open, quote := p.pos, p.text[p.pos+1]
	var body strings.Builder
	for end := p.lineEnd(p.pos); end < p.limit; {
		start := p.skipMore(end + p.newlineAt(end))
		end = p.lineEnd(start)
		line := strings.TrimLeft(p.text[start:end], " \t")
		if len(line) > 1 && line[0] == quote && line[1] == '@' {
			p.pos = end - len(line) + 2
			return p.hereText(strings.TrimSuffix(body.String(), "\n"), open, quote)
		}
		body.WriteString(p.text[start:end])
		body.WriteByte('\n')
	}
	p.psUnclosed(open)
	return psValue{}
}

// hereText works out the text of a here-string that began at open.
func (p *psReader) hereText(body string, open int, quote byte) psValue {
	p.budget.Text(len(body))
	if quote == '\'' {
		return psLiteral(body)
	}
	outer := p.reader
	inner := outer.derive(body, open)
	inner.cur, p.reader = outer.cur, inner
	var t psString
	p.interpolate(&t, 0)
	p.reader = outer
	return t.end()
}

// psEscapes are the characters that a ` makes of others.
var psEscapes = map[byte]string{
	'n': "\n", 'r': "\r", 't': "\t", 'a': "\a", 'b': "\b", 'f': "\f", 'v': "\v", 'e': "\x1b", '0': "",
}

// interpolate reads the text of a string up to its quote, or, with 0, to the
// limit. Single quotes know no escapes.
func (p *psReader) interpolate(t *psString, quote byte) {
	plain := func(c byte) bool {
		return c != quote && c != '\r' && (quote == '\'' || c != '`' && c != '$')
	}
	for p.pos < p.limit {
		switch c := p.text[p.pos]; {
		case c == quote && p.byteAt(p.pos+1) == quote:
			t.plain(string([]byte{quote}))
			p.pos += 2
		case c == quote && c != 0:
			return
		case c == '`' && quote != '\'':
			p.backtick(t)
		case c == '$' && quote != '\'':
			p.psDollar(t)
		case c == '\r' && p.newlineAt(p.pos) > 0:
			p.pos++
		default: // a CR alone is text
			start := p.pos
			for p.pos++; p.pos < p.limit && plain(p.text[p.pos]); {
				p.pos++
			}
			t.plain(p.text[start:p.pos])
		}
	}
}

var psCodePoint = expression.Lazy(`^u\{([0-9A-Fa-f]{1,6})\}`)

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
	if m := p.match(psCodePoint()); m != nil {
		n, _ := strconv.ParseInt(m[1], 16, 32)
		t.plain(string(rune(n)))
		return
	}
	control, ok := psEscapes[p.text[p.pos]]
	_, size := utf8.DecodeRuneInString(p.text[p.pos:p.limit])
	if !ok {
		control = p.text[p.pos : p.pos+size]
	}
	t.plain(control)
	p.pos += size
}

// psDollar reads what a $ begins in a text.
func (p *psReader) psDollar(t *psString) {
	open := p.pos
	if p.byteAt(p.pos+1) == '(' {
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
