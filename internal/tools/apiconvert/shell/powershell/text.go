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

// quoted reads '…' or "…".
func (p *reader) quoted() value {
	open, quote := p.Pos, p.Text[p.Pos]
	p.Pos++
	v := p.interpolate(quote)
	if p.ByteAt(p.Pos) != quote {
		p.Fail(open, unclosed)
	}
	p.Pos++
	return v
}

var (
	singleEnd = expression.Lazy(`\n(?:>> ?)?[ \t]*'@`)
	doubleEnd = expression.Lazy(`\n(?:>> ?)?[ \t]*"@`)
	continued = expression.Lazy(`\n>> ?`)
)

// hereString reads @' … '@ or @" … "@. The last line end is not part of the string. A terminal shows >> before its lines.
func (p *reader) hereString() (v value) {
	open, from, closing := p.Pos, p.LineEnd(p.Pos), doubleEnd
	single := p.Text[open+1] == '\''
	if single {
		closing = singleEnd
	}
	end := closing().FindStringIndex(p.Text[from:p.Limit])
	if end == nil {
		p.Fail(open, unclosed)
	}
	content := p.Text[from : from+end[0]]
	if p.Session {
		content = continued().ReplaceAllString(content, "\n")
	}
	content = strings.TrimPrefix(content, "\n")
	p.Pos = from + end[1]
	p.Budget.Text(len(content))
	if single {
		return literal(content)
	}
	outer := p.Reader
	p.Reader = outer.Derive(content, open)
	p.Cur = outer.Cur
	v = p.interpolate(0)
	p.Reader = outer
	return v
}

// escapes maps the character after a backtick to the string for both.
var escapes = map[byte]string{
	'n': "\n", 'r': "\r", 't': "\t", 'a': "\a", 'b': "\b", 'f': "\f", 'v': "\v", 'e': "\x1b", '0': "",
}

// plainIn holds, for each quote, the bytes that are literal.
var plainIn = map[byte]script.ByteSet{
	'\'': script.Except("'"), '"': script.Except("\"`$"), 0: script.Except("`$"),
}

// interpolate reads a string up to its quote or, if quote is 0, up to the limit. Single-quoted strings have no escapes.
func (p *reader) interpolate(quote byte) value {
	var f posix.Fields
	plain := plainIn[quote]
	for p.Pos < p.Limit {
		start := p.Pos
		if p.Pos = p.Span(start, &plain); p.Pos > start {
			f.Text(p.Text[start:p.Pos])
		}
		switch c := p.ByteAt(p.Pos); {
		case p.Pos == p.Limit:
		case c == quote && p.ByteAt(p.Pos+1) == quote:
			f.Text(string(rune(quote)))
			p.Pos += 2
		case c == quote:
			return value{kind: text, word: f.Word()}
		case c == '`':
			p.backtick(&f)
		default:
			p.add(&f, p.dollar())
		}
	}
	return value{kind: text, word: f.Word()}
}

var codePoint = expression.Lazy(`^u\{([0-9A-Fa-f]{1,6})\}`)

func (p *reader) backtick(f *posix.Fields) {
	p.Pos++
	if p.Pos == p.Limit {
		return
	}
	if m := p.Match(codePoint()); m != nil {
		n, _ := strconv.ParseInt(m[1], 16, 32)
		f.Text(string(rune(n)))
		return
	}
	control, ok := escapes[p.Text[p.Pos]]
	_, size := utf8.DecodeRuneInString(p.Text[p.Pos:p.Limit])
	if !ok {
		control = p.Text[p.Pos : p.Pos+size]
	}
	f.Text(control)
	p.Pos += size
}

// units matches the UTF-16 code units that browsers write for what is not ASCII.
var (
	units = expression.Lazy(`^(?:\$\(\[char\]\d{1,5}\))+`)
	unit  = expression.Lazy(`\d+`)
)

// dollar reads an expansion in a string. A lone $ is literal. $(…) may only contain a variable with its properties.
func (p *reader) dollar() value {
	at := p.Pos
	if n := p.Ahead(units()); n > 0 {
		var codes []uint16
		for _, digits := range unit().FindAllString(p.Text[at:at+n], -1) {
			code, _ := strconv.ParseUint(digits, 10, 16)
			codes = append(codes, uint16(code))
		}
		p.Pos += n
		return literal(string(utf16.Decode(codes)))
	}
	if p.ByteAt(at+1) == '(' {
		p.Pos++
		v := p.parenthesized()
		v.at = at
		return v
	}
	if m := p.Match(variable()); m != nil {
		v := p.valueOf(unscoped(m[1]))
		v.at = at
		return v
	}
	p.Pos++
	return literal("$")
}
