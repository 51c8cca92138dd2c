package powershell

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// value is a PowerShell value.
type value struct {
	kind  kind
	at    int
	word  script.Word // of a text or a raw
	table *table      // of a list, a hash or a session
}

type kind uint8

const (
	response kind = iota // a request that contains it is rejected
	text
	raw // a number, or $true, $false, $null, in JSON notation
	list
	hash
	session // a WebRequestSession: its user agent and its cookies
)

// table is a hash table, in insertion order, or a list, whose fields have no names.
type table struct{ fields []field }

type field struct {
	name  string
	value value
}

// entry returns the entry with a name, which is case-insensitive, and adds it if it doesn't exist. It searches only the
// first 200 entries, more than a request has.
func (t *table) entry(name string) *value {
	same := func(known field) bool { return strings.EqualFold(known.name, name) }
	i := slices.IndexFunc(t.fields[:min(len(t.fields), 200)], same)
	if i < 0 {
		i = len(t.fields)
		t.fields = append(t.fields, field{name: name})
	}
	return &t.fields[i].value
}

func literal(s string) value { return value{kind: text, word: script.LiteralWord(s)} }

// is reports whether a value is a constant.
func (v value) is(constant string) bool { return v.kind == raw && script.IsLiteral(v.word, constant) }

// textOf returns a value as a word, and rejects one that has none.
func (p *reader) textOf(v value) script.Word {
	switch {
	case v.kind == raw:
		if written, ok := constants[v.word[0].Text]; ok {
			return script.LiteralWord(written)
		}
	case v.kind != text:
		p.Fail(v.at, rejectedValue)
	}
	return v.word
}

// constants are the strings that $true, $false and $null become.
var constants = map[string]string{"true": "True", "false": "False", "null": ""}

// add appends a value to a string.
func (p *reader) add(f *posix.Fields, v value) {
	w := p.textOf(v)
	p.Spend(posix.Weight(w))
	f.Value(w, true)
}

// variable reads a variable and returns its value, or the variable itself if the script doesn't set it. ok reports
// whether there is one.
func (p *reader) variable() (v value, ok bool) {
	at := p.Pos
	m := p.Match(variableName())
	if m == nil {
		return v, false
	}
	name := strings.Trim(m[1], "{}")
	lower := strings.ToLower(name)
	_, constant := constants[lower]
	v, known := p.values[lower]
	switch name = name[strings.IndexByte(name, ':')+1:]; {
	case constant:
		v = value{kind: raw, word: script.LiteralWord(lower)}
	case !known:
		v = value{kind: text, word: script.Word{{Kind: script.Variable, Text: name, Quoted: true}}}
	case v.kind == text:
		p.Spend(posix.Weight(v.word))
		p.Expanded(name, v.word, true)
	}
	v.at = at
	return v, true
}

var (
	// wrapper matches what changes nothing in the value after it: the type of a table, and what browsers write around a
	// body that is not ASCII.
	wrapper   = expression.Lazy(`^\[(?:(?i:ordered|pscustomobject)\]@|(?:System\.)?Text\.Encoding\]::UTF8\.GetBytes\()`)
	entryName = expression.Lazy(`^(?:([\pL\w.-]+)|"([^"` + "`" + `$]+)"|'([^']+)')[ \t]*=`)
	number    = expression.Lazy(`^-?(?:0|[1-9]\d*)(?:\.\d+)?`)
)

// operand reads a literal, a variable or what is in brackets.
func (p *reader) operand() (v value) {
	if v, ok := p.variable(); ok {
		return v
	}
	at := p.Pos
	c, next := p.ByteAt(at), p.ByteAt(at+1)
	switch {
	case c == '\'' || c == '"':
		p.Pos++
		v = p.interpolate(c)
	case c == '@' && (next == '\'' || next == '"'):
		v = p.hereString()
	case c == '@' && next == '{':
		v = p.hash()
	case c == '(' || c == '@' && next == '(':
		p.Pos += strings.IndexByte(p.Text[at:], '(')
		v = value{kind: list, table: &table{}}
		p.each(")\n;,", func() { v.table.fields = append(v.table.fields, field{value: p.pipeline()}) })
		if items := v.table.fields; len(items) == 1 && (c == '(' || items[0].value.kind == list) {
			v = items[0].value
		}
	case p.Ahead(wrapper()) > 0:
		p.Pos += p.Ahead(wrapper()) - 1
		v = p.operand()
	default:
		m := p.Match(number())
		if m == nil {
			p.Fail(at, rejectedExpression)
		}
		v = value{kind: raw, word: script.LiteralWord(m[0])}
	}
	v.at = at
	return v
}

// hash reads @{ … }.
func (p *reader) hash() value {
	p.Pos++
	v := value{kind: hash, table: &table{}}
	p.each("}\n;", func() {
		p.Budget.Parts(posix.WordParts)
		m := p.Match(entryName())
		if m == nil {
			p.Fail(p.Pos, rejectedExpression)
		}
		p.space()
		*v.table.entry(m[1] + m[2] + m[3]) = p.pipeline()
	})
	return v
}

// json returns a table or a list as ConvertTo-Json writes it, or a response.
func (p *reader) json(v value) value {
	p.Match(jsonOptions())
	if v.kind == response {
		return v
	}
	if v.kind != list && v.kind != hash {
		p.Fail(v.at, rejectedTable)
	}
	var f posix.Fields
	p.appendJSON(&f, v)
	return value{kind: text, word: f.Word()}
}

// appendJSON appends a value as ConvertTo-Json writes it, on one line.
func (p *reader) appendJSON(f *posix.Fields, v value) {
	p.Enter(p.Pos)
	defer func() { p.Depth-- }()
	p.Spend(16 + posix.Weight(v.word))
	switch v.kind {
	case list, hash:
		brackets := map[kind]string{list: "[]", hash: "{}"}[v.kind]
		f.Text(brackets[:1])
		for i, item := range v.table.fields {
			if i > 0 {
				f.Text(",")
			}
			if v.kind == hash {
				p.appendJSON(f, literal(item.name))
				f.Text(":")
			}
			p.appendJSON(f, item.value)
		}
		f.Text(brackets[1:])
	case text:
		f.Text(`"`)
		for _, part := range v.word {
			if part.Kind == script.Literal {
				quoted := jsondoc.AppendString(nil, part.Text)
				f.Text(string(quoted[1 : len(quoted)-1]))
			} else {
				f.Part(part)
			}
		}
		f.Text(`"`)
	case raw:
		f.Text(v.word[0].Text)
	default:
		p.textOf(v)
	}
}

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
