package powershell

import (
	"slices"
	"strings"

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
