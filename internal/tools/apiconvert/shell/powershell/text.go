package powershell

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// quotedText reads '…' or "…".
func (p *psReader) quotedText() psValue {
	open, quote := p.Pos, p.Text[p.Pos]
	p.Pos++
	v := p.interpolate(quote)
	if p.ByteAt(p.Pos) != quote {
		p.psUnclosed(open)
	}
	p.Pos++
	return v
}

// hereString reads @' … '@ or @" … "@. The last line end is not part of the string.
func (p *psReader) hereString() (v psValue) {
	open, quote := p.Pos, p.Text[p.Pos+1]
	var body strings.Builder
	for end := p.LineEnd(p.Pos); end < p.Limit; {
		start := p.skipMore(p.AfterNewline(end))
		end = p.LineEnd(start)
		line := strings.TrimLeft(p.Text[start:end], " \t")
		if len(line) > 1 && line[0] == quote && line[1] == '@' {
			p.Pos = end - len(line) + 2
			text := strings.TrimSuffix(body.String(), "\n")
			p.Budget.Text(len(text))
			if quote == '\'' {
				return psLiteral(text)
			}
			outer := p.Reader
			inner := outer.Derive(text, open)
			inner.Cur, p.Reader = outer.Cur, inner
			v = p.interpolate(0)
			p.Reader = outer
			return v
		}
		body.WriteString(p.Text[start:end])
		body.WriteByte('\n')
	}
	p.psUnclosed(open)
	return v
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
// A string with an unknown value is unknown.
func (p *psReader) interpolate(quote byte) psValue {
	var f posix.Fields
	plain, unknown := plainIn[quote], psValue{at: -1}
	for p.Pos < p.Limit {
		start := p.Pos
		if p.Pos = p.Span(start, &plain); p.Pos > start {
			f.Text(p.Text[start:p.Pos])
		}
		switch c := p.ByteAt(p.Pos); {
		case c == quote && quote != 0 && p.ByteAt(p.Pos+1) == quote:
			f.Text(p.Text[p.Pos : p.Pos+1])
			p.Pos += 2
			continue
		case c == '`' && p.Pos < p.Limit:
			p.backtick(&f)
			continue
		case c == '$' && p.Pos < p.Limit:
			if v := p.dollar(); v.kind > psExpression && v.table == nil {
				p.add(&f, v)
			} else if unknown.at < 0 {
				unknown = psValue{kind: psExpression, at: start}
			}
			continue
		}
		break
	}
	if unknown.at >= 0 {
		return unknown
	}
	return psValue{kind: psText, word: f.Word()}
}

var psCodePoint = expression.Lazy(`^u\{([0-9A-Fa-f]{1,6})\}`)

func (p *psReader) backtick(f *posix.Fields) {
	p.Pos++
	if p.Pos == p.Limit {
		return
	}
	if m := p.Match(psCodePoint()); m != nil {
		n, _ := strconv.ParseInt(m[1], 16, 32)
		f.Text(string(rune(n)))
		return
	}
	control, ok := psEscapes[p.Text[p.Pos]]
	_, size := utf8.DecodeRuneInString(p.Text[p.Pos:p.Limit])
	if !ok {
		control = p.Text[p.Pos : p.Pos+size]
	}
	f.Text(control)
	p.Pos += size
}

// psUnits matches the UTF-16 code units that browsers write for what is not ASCII.
var (
	psUnits = expression.Lazy(`^(?:\$\(\[char\]\d{1,5}\))+`)
	psUnit  = expression.Lazy(`\d+`)
)

// dollar reads an expansion in a string. A lone $ is literal.
func (p *psReader) dollar() psValue {
	if n := p.Ahead(psUnits()); n > 0 {
		var units []uint16
		for _, digits := range psUnit().FindAllString(p.Text[p.Pos:p.Pos+n], -1) {
			unit, _ := strconv.ParseUint(digits, 10, 16)
			units = append(units, uint16(unit))
		}
		p.Pos += n
		return psLiteral(string(utf16.Decode(units)))
	}
	if p.ByteAt(p.Pos+1) == '(' {
		return p.operand()
	}
	if name := p.variableName(); name != "" {
		return p.valueOf(name)
	}
	p.Pos++
	return psLiteral("$")
}
