package powershell

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// hereString reads @' … '@ or @" … "@. The last line end is not part of the string.
func (p *reader) hereString() value {
	open, from, limit := p.Pos, p.LineEnd(p.Pos), p.Limit
	quote := p.Text[open+1 : open+2]
	content, _, closed := strings.Cut(p.Text[from:limit], "\n"+quote+"@")
	if !closed {
		p.Fail(open, unclosed)
	}
	p.Budget.Text(len(content))
	v, end := literal(strings.TrimPrefix(content, "\n")), from+len(content)
	if quote == `"` {
		p.Pos, p.Limit = min(from+1, end), end
		v = p.interpolate(document)
		p.Limit = limit
	}
	p.Pos = end + len("\n\"@")
	return v
}

// What interpolate reads, in addition to strings with a quote.
const (
	document byte = 0   // a here-string
	bare     byte = ' ' // an argument without quotes, which contains quoted stretches
)

// plainIn holds the bytes that are literal.
var plainIn = map[byte]script.ByteSet{
	'\'': script.Except("'"), '"': script.Except("\"`$"), document: script.Except("`$"),
	bare: script.Except(" \t\n;|)}&<>'\"$(`,"),
}

// interpolate reads a string up to and including its quote, or a here-string or an argument up to its end.
func (p *reader) interpolate(quote byte) value {
	var f posix.Fields
	open, plain := p.Pos-1, plainIn[quote]
	for p.Pos < p.Limit {
		start := p.Pos
		p.Pos = p.Span(start, &plain)
		f.Text(p.Text[start:p.Pos])
		switch c := p.ByteAt(p.Pos); {
		case quote == bare && p.endsArgument():
			return value{kind: text, word: f.Word()}
		case p.Pos == p.Limit:
		case quote == bare && (c == '\'' || c == '"'):
			p.Pos++
			p.add(&f, p.interpolate(c))
		case c == '`':
			p.backtick(&f)
		case c == '$':
			p.add(&f, p.dollar())
		case c != quote:
			p.Fail(p.Pos, rejectedExpression)
		case p.ByteAt(p.Pos+1) == quote:
			f.Text(p.Text[p.Pos : p.Pos+1])
			p.Pos += 2
		default:
			p.Pos++
			return value{kind: text, word: f.Word()}
		}
	}
	if quote == '\'' || quote == '"' {
		p.Fail(open, unclosed)
	}
	return value{kind: text, word: f.Word()}
}

// escapes are the strings for a backtick and a character that is not literal after it.
var escapes = map[string]string{"n": "\n", "r": "\r", "t": "\t"}

// backtick reads the first byte of an escape. Control characters without a use in requests and code points are rejected.
func (p *reader) backtick(f *posix.Fields) {
	p.Pos++
	next := p.Text[p.Pos:min(p.Pos+1, p.Limit)]
	if strings.Contains("0abefuv", next) {
		p.Fail(p.Pos, rejectedExpression)
	}
	f.Text(cmp.Or(escapes[next], next))
	p.Pos += len(next)
}

// unit matches a UTF-16 code unit that browsers write for what is not ASCII.
var unit = expression.Lazy(`^\$\(\[char\](\d{1,5})\)`)

// dollar reads a variable or code units in a string. A lone $ is literal.
func (p *reader) dollar() value {
	at := p.Pos
	var codes []uint16
	for m := p.Match(unit()); m != nil; m = p.Match(unit()) {
		code, _ := strconv.ParseUint(m[1], 10, 16)
		codes = append(codes, uint16(code))
	}
	if codes != nil {
		return literal(string(utf16.Decode(codes)))
	}
	if v, ok := p.variable(); ok {
		return v
	}
	if p.Pos++; p.ByteAt(p.Pos) == '(' {
		p.Fail(at, rejectedExpression)
	}
	return literal("$")
}
