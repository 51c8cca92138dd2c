package powershell

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// psValue is a PowerShell value. The result of a command is unknown; assigned to a variable, it is the variable. A request
// can contain neither it nor an expression that is not evaluated.
type psValue struct {
	kind  psKind
	at    int         // the offset of a psUnknown or psExpression
	word  script.Word // of a psText or psRaw
	list  []psValue
	table *psTable
}

type psKind uint8

const (
	psUnknown psKind = iota
	psExpression
	psText
	psRaw // a number, or $true, $false, $null, in JSON notation
	psList
	psTableKind
	psSession // a WebRequestSession: a table of its properties
)

// psTable is a hash table, in insertion order.
type psTable struct {
	names   []string
	values  []psValue
	cookies [][]psValue // of a session: name and value
}

// set sets an entry. Names are case-insensitive. It searches only the first 200 entries, more than a request has.
func (t *psTable) set(name string, v psValue) {
	const searched = 200
	same := func(known string) bool { return strings.EqualFold(known, name) }
	if i := slices.IndexFunc(t.names[:min(len(t.names), searched)], same); i >= 0 {
		t.values[i] = v
		return
	}
	t.names, t.values = append(t.names, name), append(t.values, v)
}

// entries is an iterator over the names and values.
func (t *psTable) entries(yield func(name string, v psValue) bool) {
	for i, name := range t.names {
		if !yield(name, t.values[i]) {
			return
		}
	}
}

// textOf returns a value as a word.
func (p *psReader) textOf(v psValue) script.Word {
	switch v.kind {
	case psText, psRaw:
		return v.word
	case psList:
		var f posix.Fields
		for i, item := range v.list {
			if i > 0 {
				f.Text(" ")
			}
			p.add(&f, item)
		}
		return f.Word()
	}
	p.Fail(v.at, convert.Refuse(convert.UnrecognizedSource,
		"A PowerShell request depends on an expression that is not evaluated. Strings, numbers, variables that are set to them, hash tables and ConvertTo-Json are.",
		"Write the value in place of the expression, or assign the output of a command to a variable and use the variable and its properties."))
	return nil
}

// add appends a value to a string.
func (p *psReader) add(f *posix.Fields, v psValue) {
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

func psLiteral(text string) psValue { return psValue{kind: psText, word: script.LiteralWord(text)} }

// valueOf returns the value of a variable, or the variable if it isn't set.
func (p *psReader) valueOf(name string) psValue {
	lower := strings.ToLower(name)
	switch lower {
	case "true", "false", "null":
		return psValue{kind: psRaw, word: script.LiteralWord(lower)}
	}
	v, known := p.values[lower]
	if _, rest, env := strings.Cut(name, ":"); env {
		name = rest
	}
	if !known {
		return psValue{kind: psText, word: script.Word{{Kind: script.Variable, Text: name, Quoted: true}}}
	}
	if v.kind == psText {
		p.Spend(posix.Weight(v.word))
		p.Expanded(name, v.word, true)
	}
	return v
}

// expression reads a value. What follows it other than a comma makes it unknown.
func (p *psReader) expression() psValue {
	start := p.Pos
	v := p.operand()
	for p.psBlanks(); p.ByteAt(p.Pos) == ','; p.psBlanks() {
		v = p.listed(v, p.operand)
	}
	if p.endsExpression() {
		return v
	}
	p.skipExpression()
	if v.kind != psUnknown {
		v = psValue{kind: psExpression, at: start}
	}
	return v
}

func (p *psReader) endsExpression() bool {
	return p.Pos >= p.Limit || strings.IndexByte("\n;|)}]#", p.Text[p.Pos]) >= 0
}

// skipExpression skips the rest of an expression, in which commands may send requests.
func (p *psReader) skipExpression() {
	for !p.endsExpression() {
		p.advance(func() {
			if strings.IndexByte("'\"($@{", p.Text[p.Pos]) >= 0 {
				p.operand()
			} else if n := p.Ahead(psType()); n > 0 {
				p.Pos += n
			} else {
				p.psBlanks()
			}
		})
	}
}

// psType matches a type or an index.
var psType = expression.Lazy(`^\[[^\]\n]{0,100}\]`)

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

// each reads items up to the bracket that closes the one at open, and skips separators between them.
func (p *psReader) each(open int, end byte, separators string, item func()) {
	p.Enter(open)
	for p.psSpace(); p.Pos < p.Limit && p.Text[p.Pos] != end; p.psSpace() {
		if strings.IndexByte(separators, p.Text[p.Pos]) >= 0 {
			p.Pos++
		} else {
			p.advance(item)
		}
	}
	if p.ByteAt(p.Pos) != end {
		p.psUnclosed(open)
	}
	p.Pos++
	p.Depth--
}

// bytesOf matches what browsers write around a body that is not ASCII.
var bytesOf = expression.Lazy(`^\[(?:System\.)?Text\.Encoding\]::UTF8\.GetBytes(?:\()`)

// operand reads a literal, a variable or what is in brackets.
func (p *psReader) operand() (v psValue) {
	open := p.Pos
	switch c := p.ByteAt(p.Pos); {
	case c == '\'' || c == '"':
		return p.quotedText()
	case c == '@':
		return p.atSign()
	case c == '(', c == '$' && p.ByteAt(p.Pos+1) == '(':
		p.Pos += strings.IndexByte(p.Text[p.Pos:], '(') + 1
		v.at = open
		p.each(open, ')', ";", func() {
			if !p.psAssignment() {
				v = p.pipeline()
			}
		})
		return v
	case c == '$':
		if name := p.variableName(); name != "" {
			return p.property(p.valueOf(name))
		}
		p.Pos++
	case c == '{':
		p.scriptBlock()
	case c == '[' && p.Ahead(bytesOf()) > 0:
		p.Pos += p.Ahead(bytesOf()) - len("(")
		return p.operand()
	case c == '[':
		return psValue{kind: psExpression, at: open}
	case c == '-' || c == '.' || c >= '0' && c <= '9':
		p.Pos = p.Span(p.Pos, &script.NumeralBytes)
		return psValue{kind: psRaw, word: script.LiteralWord(p.Text[open:p.Pos])}
	case script.IsNameStart(c):
		return p.element(psValue{at: open}, false)
	}
	return psValue{at: open}
}

// property reads the properties and indexes of a variable that isn't set, which become a part of its name.
func (p *psReader) property(v psValue) psValue {
	n := p.Ahead(properties())
	if w := v.word; n > 0 && p.ByteAt(p.Pos+n) != '(' && v.kind == psText && len(w) == 1 && w[0].Kind == script.Variable {
		part := w[0]
		part.Text, part.Default, part.HasDefault = part.Text+p.Text[p.Pos:p.Pos+n], "", false
		p.Pos += n
		return psValue{kind: psText, word: script.Word{part}}
	}
	return v
}

var properties = expression.Lazy(`^(?:\.[A-Za-z_]\w{0,63}|\[-?\d{1,9}\]){1,8}`)

// atSign reads a here-string, a hash table or a list.
func (p *psReader) atSign() psValue {
	open, next := p.Pos, p.ByteAt(p.Pos+1)
	if next == '\'' || next == '"' {
		return p.hereString()
	}
	p.Pos++
	switch next {
	case '{':
		p.Pos++
		return p.tableLiteral(open)
	case '(':
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
	return psValue{at: open}
}

// tableLiteral reads the entries of @{ … }.
func (p *psReader) tableLiteral(open int) psValue {
	v := psValue{kind: psTableKind, table: &psTable{}, at: open}
	p.each(open, '}', ";", func() {
		p.Budget.Parts(posix.WordParts)
		name := p.bareName()
		if p.Pos += len(name); name == "" {
			name, _ = p.textOf(p.operand()).Literal()
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

// json returns a value as ConvertTo-Json writes it, on one line. With an unknown value in it, it is unknown.
func (p *psReader) json(v psValue) psValue {
	if w := v.word; v.kind <= psExpression || v.kind == psText && len(w) == 1 && w[0].Kind == script.Variable {
		return v // an unknown variable is rarely a string
	}
	var f posix.Fields
	if !p.appendJSON(&f, v) {
		return psValue{kind: psExpression, at: v.at}
	}
	return psValue{kind: psText, word: f.Word()}
}

// appendJSON appends a value and reports whether all of it is known.
func (p *psReader) appendJSON(f *posix.Fields, v psValue) (known bool) {
	p.Enter(p.Pos)
	defer func() { p.Depth-- }()
	p.Spend(16)
	separator := ""
	known = true
	switch v.kind {
	case psRaw:
		p.add(f, v)
	case psList:
		f.Text("[")
		for _, item := range v.list {
			f.Text(separator)
			separator = ","
			known = p.appendJSON(f, item) && known
		}
		f.Text("]")
	case psTableKind:
		f.Text("{")
		for name, value := range v.table.entries {
			p.Spend(len(name))
			f.Text(separator + string(jsondoc.AppendString(nil, name)) + ":")
			separator = ","
			known = p.appendJSON(f, value) && known
		}
		f.Text("}")
	case psText:
		w := slices.Clone(v.word)
		for i, part := range w {
			if part.Kind == script.Literal {
				quoted := jsondoc.AppendString(nil, part.Text)
				w[i].Text = string(quoted[1 : len(quoted)-1])
			}
		}
		f.Text(`"`)
		p.add(f, psValue{kind: psText, word: w})
		f.Text(`"`)
	default:
		return false
	}
	return known
}
