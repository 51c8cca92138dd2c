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
	list  []value
	table *table          // of a hash or a session
	sent  *script.Command // the command that prints the value, until a variable holds it
}

type kind uint8

const (
	unknown kind = iota // a request that depends on it is rejected
	text
	raw // a number, or $true, $false, $null, in JSON notation
	list
	hash
	session // a WebRequestSession: a table of its properties
)

// table is a hash table, in insertion order.
type table struct {
	fields  []field
	cookies [][]value // of a session: name and value
}

type field struct {
	name  string
	value value
}

// set sets an entry. Names are case-insensitive. It searches only the first 200 entries, more than a request has.
func (t *table) set(name string, v value) {
	same := func(known field) bool { return strings.EqualFold(known.name, name) }
	if i := slices.IndexFunc(t.fields[:min(len(t.fields), 200)], same); i >= 0 {
		t.fields[i].value = v
		return
	}
	t.fields = append(t.fields, field{name, v})
}

func literal(s string) value { return value{kind: text, word: script.LiteralWord(s)} }

// outputOf returns what a command prints. output is nil if it doesn't derive from a response.
func outputOf(sent *script.Command, output *script.Output) value {
	part := script.Part{Kind: script.CommandSubstitution, Output: output, Quoted: true}
	return value{kind: text, word: script.Word{part}, sent: sent}
}

// open reports whether a value is a variable that isn't set, the output of a command, or a property of one.
func (v value) open() bool {
	return v.kind == text && len(v.word) == 1 && v.word[0].Kind != script.Literal
}

func (v value) isNull() bool { return v.kind == raw && script.IsLiteral(v.word, "null") }

// named returns the value as a variable holds it: the output of a command takes the variable's name.
func (v value) named(name string) value {
	v.sent = nil
	if v.open() && v.word[0].Kind == script.CommandSubstitution {
		v.word = slices.Clone(v.word)
		v.word[0].Text = name
	}
	return v
}

// textOf returns a value as a word, and rejects one that has none.
func (p *reader) textOf(v value) script.Word {
	switch {
	case v.sent != nil:
		p.Fail(v.at, rejectedOutput)
	case v.kind == raw:
		if written, ok := constants[v.word[0].Text]; ok {
			return script.LiteralWord(written)
		}
	case v.kind != text:
		p.Fail(v.at, rejectedExpression)
	}
	return v.word
}

// constants are the strings that $true, $false and $null become.
var constants = map[string]string{"true": "True", "false": "False", "null": ""}

// add appends a value to a string.
func (p *reader) add(f *posix.Fields, v value) {
	w := p.textOf(v)
	p.Spend(posix.Weight(w))
	for _, part := range w {
		if part.Kind == script.Literal {
			f.Text(part.Text)
		} else {
			f.Part(part)
		}
	}
}

// valueOf returns the value of a variable, or the variable if it isn't set.
func (p *reader) valueOf(name string) value {
	lower := strings.ToLower(name)
	switch lower {
	case "true", "false", "null":
		return value{kind: raw, word: script.LiteralWord(lower)}
	}
	v, known := p.values[lower]
	if _, rest, env := strings.Cut(name, ":"); env {
		name = rest
	}
	if !known {
		return value{kind: text, word: script.Word{{Kind: script.Variable, Text: name, Quoted: true}}}
	}
	if v.kind == text {
		p.Spend(posix.Weight(v.word))
		p.Expanded(name, v.word, true)
	}
	return v
}

var (
	// encoded matches what browsers write around a body that is not ASCII.
	encoded = expression.Lazy(`^\[(?:System\.)?Text\.Encoding\]::UTF8\.GetBytes(?:\()`)
	ordered = expression.Lazy(`^\[(?i:ordered|pscustomobject)\]@`)
	number  = expression.Lazy(`^-?\d+(?:\.\d+)?`)
	// path matches properties and items, and one that is followed by the parenthesis of a method.
	path = expression.Lazy(`^(?:\.[A-Za-z_]\w{0,63}|\[\d{1,9}\]){1,8}`)
)

// operand reads a literal, a variable or what is in brackets, and the properties of a response.
func (p *reader) operand() (v value) {
	at := p.Pos
	c, next := p.ByteAt(at), p.ByteAt(at+1)
	switch {
	case c == '\'' || c == '"':
		v = p.quoted()
	case c == '@' && (next == '\'' || next == '"'):
		v = p.hereString()
	case c == '@' && next == '{':
		v = p.hash()
	case c == '@' && next == '(':
		p.Pos++
		v = value{kind: list}
		p.each(')', func() { v.list = append(v.list, p.pipeline()) })
		if len(v.list) == 1 && v.list[0].kind == list {
			v = v.list[0]
		}
	case c == '(':
		v = p.parenthesized()
	case c == '[' && p.Ahead(encoded()) > 0:
		p.Pos += p.Ahead(encoded()) - len("(")
		v = p.parenthesized()
	case c == '[' && p.Ahead(ordered()) > 0:
		p.Pos += p.Ahead(ordered()) - len("@")
		v = p.operand()
	case c == '{':
		p.Fail(at, rejectedBlock)
	default:
		if m := p.Match(variable()); m != nil {
			v = p.property(p.valueOf(unscoped(m[1])))
		} else if m := p.Match(number()); m != nil {
			v = value{kind: raw, word: script.LiteralWord(m[0])}
		} else {
			p.Fail(at, rejectedExpression)
		}
	}
	v.at = at
	return v
}

// parenthesized reads (value) and the properties of a response.
func (p *reader) parenthesized() (v value) {
	p.each(')', func() { v = p.pipeline() })
	return p.property(v)
}

// property reads the properties and items of a response, or of a variable that isn't set.
func (p *reader) property(v value) value {
	m := p.Match(path())
	if m == nil {
		return v
	}
	if !v.open() || p.ByteAt(p.Pos) == '(' {
		p.Fail(p.Pos, rejectedExpression)
	}
	part := v.word[0]
	part.Kind = script.CommandSubstitution
	part.Text += strings.NewReplacer(".", "_", "[", "_", "]", "").Replace(m[0])
	if part.Output != nil {
		jq := &script.Command{Words: []script.Word{
			script.LiteralWord("jq"), script.LiteralWord("-r"), script.LiteralWord("." + strings.TrimPrefix(m[0], ".")),
		}}
		part.Output = &script.Output{Command: jq, Input: part.Output}
	}
	return value{kind: text, word: script.Word{part}, sent: v.sent}
}

// each reads items up to the bracket that closes the one at the cursor. Line ends and semicolons separate them.
func (p *reader) each(end byte, item func()) {
	open := p.Pos
	p.Enter(open)
	p.Pos++
	for p.space(); p.Pos < p.Limit && p.Text[p.Pos] != end; p.space() {
		item()
		if p.blanks(); !p.ends("\n;#" + string(end)) {
			p.Fail(p.Pos, rejectedExpression)
		}
		if p.ByteAt(p.Pos) == ';' {
			p.Pos++
		}
	}
	if p.ByteAt(p.Pos) != end {
		p.Fail(open, unclosed)
	}
	p.Pos++
	p.Depth--
}

// hash reads @{ … }.
func (p *reader) hash() value {
	p.Pos++
	v := value{kind: hash, table: &table{}}
	p.each('}', func() {
		p.Budget.Parts(posix.WordParts)
		at, name := p.Pos, p.bareName()
		if p.Pos += len(name); name == "" {
			name, _ = p.textOf(p.operand()).Literal()
		}
		p.space()
		if name == "" || p.ByteAt(p.Pos) != '=' {
			p.Fail(at, rejectedExpression)
		}
		p.Pos++
		p.space()
		v.table.set(name, p.pipeline())
	})
	return v
}

// appendJSON appends a value as ConvertTo-Json writes it, on one line.
func (p *reader) appendJSON(f *posix.Fields, v value) {
	p.Enter(p.Pos)
	defer func() { p.Depth-- }()
	p.Spend(16)
	separator := ""
	switch v.kind {
	case list:
		f.Text("[")
		for _, item := range v.list {
			f.Text(separator)
			separator = ","
			p.appendJSON(f, item)
		}
		f.Text("]")
	case hash:
		f.Text("{")
		for _, field := range v.table.fields {
			f.Text(separator)
			separator = ","
			p.appendJSON(f, literal(field.name))
			f.Text(":")
			p.appendJSON(f, field.value)
		}
		f.Text("}")
	case text:
		v.word = slices.Clone(v.word)
		for i, part := range v.word {
			if part.Kind == script.Literal {
				quoted := jsondoc.AppendString(nil, part.Text)
				v.word[i].Text = string(quoted[1 : len(quoted)-1])
			}
		}
		f.Text(`"`)
		p.add(f, v)
		f.Text(`"`)
	case raw:
		f.Text(v.word[0].Text)
	default:
		p.textOf(v)
	}
}
