package powershell

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// quotedText reads '…' or "…".
func (p *psReader) quotedText() psValue {
	open, quote := p.Pos, p.Text[p.Pos]
	var t psString
	p.Pos++
	if p.interpolate(&t, quote); p.ByteAt(p.Pos) != quote {
		p.psUnclosed(open)
	}
	p.Pos++
	return t.end()
}

// hereString reads @' … '@ or @" … "@. The last line end is not part of the string.
func (p *psReader) hereString() psValue {
	open, quote := p.Pos, p.Text[p.Pos+1]
	var body strings.Builder
	for end := p.LineEnd(p.Pos); end < p.Limit; {
		start := p.skipMore(p.AfterNewline(end))
		end = p.LineEnd(start)
		line := strings.TrimLeft(p.Text[start:end], " \t")
		if len(line) > 1 && line[0] == quote && line[1] == '@' {
			p.Pos = end - len(line) + 2
			return p.hereText(strings.TrimSuffix(body.String(), "\n"), open, quote)
		}
		body.WriteString(p.Text[start:end])
		body.WriteByte('\n')
	}
	p.psUnclosed(open)
	return psValue{}
}

// hereText evaluates the contents of the here-string that began at open.
func (p *psReader) hereText(body string, open int, quote byte) psValue {
	p.Budget.Text(len(body))
	if quote == '\'' {
		return psLiteral(body)
	}
	outer := p.Reader
	inner := outer.Derive(body, open)
	inner.Cur, p.Reader = outer.Cur, inner
	var t psString
	p.interpolate(&t, 0)
	p.Reader = outer
	return t.end()
}

// psEscapes maps the character after a backtick to the string for both.
var psEscapes = map[byte]string{
	'n': "\n", 'r': "\r", 't': "\t", 'a': "\a", 'b': "\b", 'f': "\f", 'v': "\v", 'e': "\x1b", '0': "",
}

// plainIn holds, for each quote, the bytes that are literal.
var plainIn = map[byte]script.ByteSet{
	'\'': script.Except("'"), '"': script.Except("\"`$"), 0: script.Except("`$"),
}

// interpolate reads a string up to its quote or, if quote is 0, up to the limit. Single-quoted strings have no escapes.
func (p *psReader) interpolate(t *psString, quote byte) {
	plain := plainIn[quote]
	for p.Pos < p.Limit {
		start := p.Pos
		if p.Pos = p.Span(start, &plain); p.Pos > start {
			t.plain(p.Text[start:p.Pos])
		}
		switch c := p.ByteAt(p.Pos); {
		case c == quote && quote != 0 && p.ByteAt(p.Pos+1) == quote:
			t.plain(p.Text[p.Pos : p.Pos+1])
			p.Pos += 2
		case c == quote && quote != 0:
			return
		case c == '`':
			p.backtick(t)
		case c == '$':
			p.psDollar(t)
		}
	}
}

var psCodePoint = expression.Lazy(`^u\{([0-9A-Fa-f]{1,6})\}`)

func (p *psReader) backtick(t *psString) {
	p.Pos++
	if p.Pos == p.Limit {
		return
	}
	if m := p.Match(psCodePoint()); m != nil {
		n, _ := strconv.ParseInt(m[1], 16, 32)
		t.plain(string(rune(n)))
		return
	}
	control, ok := psEscapes[p.Text[p.Pos]]
	_, size := utf8.DecodeRuneInString(p.Text[p.Pos:p.Limit])
	if !ok {
		control = p.Text[p.Pos : p.Pos+size]
	}
	t.plain(control)
	p.Pos += size
}

func (p *psReader) psDollar(t *psString) {
	open := p.Pos
	if p.ByteAt(p.Pos+1) == '(' {
		p.Pos += 2
		p.Enter(open)
		p.add(t, p.parenthesized(open))
		p.Depth--
		return
	}
	if name := p.variableName(); name != "" {
		p.add(t, p.valueOf(name))
		return
	}
	t.plain("$")
	p.Pos++
}
