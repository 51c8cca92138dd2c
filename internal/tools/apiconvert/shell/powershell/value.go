package powershell

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// psValue is a PowerShell value as far as it is known.
type psValue struct {
	kind  psKind
	word  script.Word // of a psText, psRaw, psFile (its name) and psType (its name)
	unit  int         // of a psChar: a UTF-16 code unit
	list  []psValue
	table *psTable
}

type psKind uint8

const (
	psUnknown psKind = iota
	psText
	psRaw // a number, or $true, $false, $null, in JSON notation
	psChar
	psList
	psMade // built from the arguments in list: a credential (name, password), a cookie (name, value, …)
	psTableKind
	psSession // a WebRequestSession: a table of its properties
	psFile    // the content of a file
	psType    // [name], or a static property read from it
)

// psTable is a hash table or a dictionary, in insertion order.
type psTable struct {
	names  []string
	values []psValue
}

// set sets an entry. Names are case-insensitive.
func (t *psTable) set(name string, v psValue) {
	if i := t.index(name); i >= 0 {
		t.values[i] = v
		return
	}
	t.names, t.values = append(t.names, name), append(t.values, v)
}

// index returns the index of an entry, or -1 if there isn't one. It searches only the first 200 entries, more than a
// request has.
func (t *psTable) index(name string) int {
	const searched = 200
	for i, known := range t.names[:min(len(t.names), searched)] {
		if strings.EqualFold(known, name) {
			return i
		}
	}
	return -1
}

// entries is an iterator over the names and values.
func (t *psTable) entries(yield func(name string, v psValue) bool) {
	for i, name := range t.names {
		if !yield(name, t.values[i]) {
			return
		}
	}
}

func newTable(kind psKind) psValue { return psValue{kind: kind, table: &psTable{}} }

func psLiteral(text string) psValue { return psValue{kind: psText, word: script.LiteralWord(text)} }

// textOf returns a value as a word. An unknown value becomes a separate part.
func (p *psReader) textOf(v psValue) script.Word {
	switch v.kind {
	case psText, psRaw:
		return v.word
	case psChar:
		return script.LiteralWord(string(utf16.Decode([]uint16{uint16(v.unit)})))
	case psList, psMade:
		var all script.Word
		for i, item := range v.list {
			if i > 0 {
				all = append(all, script.Part{Kind: script.Literal, Text: " "})
			}
			w := p.textOf(item)
			p.Spend(posix.Weight(w))
			all = append(all, w...)
		}
		return all
	}
	var f posix.Fields
	p.Unknown(&f, script.CommandSubstitution, "command", true)
	return f.Word()
}

// valueOf returns the value of a variable, or the variable if its value is unknown.
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
		p.Expanded(name, v.word)
	}
	return v
}

func (p *psReader) concatenated(a, b psValue) psValue {
	if a.table != nil || a.kind == psUnknown && b.kind == psUnknown {
		return a
	}
	var t psString
	p.add(&t, a)
	p.add(&t, b)
	return t.end()
}

type psString struct {
	posix.Fields
	units []uint16 // the last characters that were added as [char], which is a UTF-16 code unit
}

func (t *psString) plain(text string) {
	t.Text(string(utf16.Decode(t.units)))
	t.units = nil
	t.Text(text)
}

func (t *psString) end() psValue {
	t.plain("")
	return psValue{kind: psText, word: t.Word()}
}

func (p *psReader) add(t *psString, v psValue) {
	if v.kind == psChar {
		t.units = append(t.units, uint16(v.unit))
		return
	}
	w := p.textOf(v)
	p.Spend(posix.Weight(w))
	t.plain("")
	for _, part := range w {
		if part.Kind == script.Literal {
			t.Text(part.Text)
		} else {
			t.Part(part)
		}
	}
}

var formatItem = expression.Lazy(`\{\{|\}\}|\{[^}]*\}?`)

// formatted evaluates the operator -f.
func (p *psReader) formatted(format, arguments psValue) psValue {
	text, ok := format.word.Literal()
	list := arguments.list
	if arguments.kind != psList {
		list = []psValue{arguments}
	}
	if format.kind != psText || !ok {
		return psValue{}
	}
	var t psString
	from := 0
	for _, at := range formatItem().FindAllStringIndex(text, -1) {
		t.plain(text[from:at[0]])
		from = at[1]
		item := text[at[0]:from]
		n, err := strconv.Atoi(strings.Trim(item, "{}"))
		switch {
		case item == "{{" || item == "}}":
			t.plain(item[:1])
		case err != nil || n < 0 || n >= len(list):
			return psValue{}
		default:
			p.add(&t, list[n])
		}
	}
	t.plain(text[from:])
	return t.end()
}

// appendJSON appends a value as ConvertTo-Json writes it, on one line.
func (p *psReader) appendJSON(t *psString, v psValue) {
	p.Enter(p.Pos)
	defer func() { p.Depth-- }()
	p.Spend(16)
	separator := ""
	switch v.kind {
	case psRaw:
		p.add(t, v)
	case psList:
		t.plain("[")
		for _, item := range v.list {
			t.plain(separator)
			separator = ","
			p.appendJSON(t, item)
		}
		t.plain("]")
	case psTableKind:
		t.plain("{")
		for name, value := range v.table.entries {
			p.Spend(len(name))
			t.plain(separator + string(jsondoc.AppendString(nil, name)) + ":")
			separator = ","
			p.appendJSON(t, value)
		}
		t.plain("}")
	default:
		w := slices.Clone(p.textOf(v))
		for i, part := range w {
			if part.Kind == script.Literal {
				quoted := jsondoc.AppendString(nil, part.Text)
				w[i].Text = string(quoted[1 : len(quoted)-1])
			}
		}
		t.plain(`"`)
		p.add(t, psValue{kind: psText, word: w})
		t.plain(`"`)
	}
}

// encodings are the static methods that encode a string.
var encodings = map[string]func(string) string{
	"tobase64string":   func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) },
	"escapedatastring": func(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") },
	"urlencode":        url.QueryEscape,
}

func (p *psReader) static(typeName, method string, arguments []psValue) psValue {
	if method == "new" {
		return p.newObject(typeName, arguments)
	}
	encode, encodes := encodings[method]
	switch {
	case len(arguments) == 0:
	case method == "getbytes" || method == "getstring":
		return arguments[0]
	case encodes:
		if text, literal := arguments[0].word.Literal(); literal && arguments[0].kind == psText {
			return psLiteral(encode(text))
		}
		if method != "tobase64string" {
			return arguments[0]
		}
	}
	return psValue{}
}

// newObject evaluates New-Object or ::new(…).
func (p *psReader) newObject(typeName string, arguments []psValue) psValue {
	name := strings.ToLower(typeName)
	is := func(suffix string) bool { return strings.HasSuffix(name, suffix) }
	switch {
	case is("webrequestsession"):
		session := newTable(psSession)
		session.table.set("Headers", newTable(psTableKind))
		session.table.set("Cookies", newTable(psSession))
		return session
	case strings.Contains(name, "dictionary") || is("hashtable"):
		return newTable(psTableKind)
	case is("net.cookie"), is("pscredential"), is("networkcredential"):
		return psValue{kind: psMade, list: arguments}
	case is("uri") && len(arguments) > 0:
		return arguments[0]
	}
	return psValue{}
}

func (p *psReader) invoke(v psValue, method string, arguments []psValue) psValue {
	method = strings.ToLower(method)
	switch {
	case v.kind == psType:
		typeName, _ := v.word.Literal()
		return p.static(typeName, method, arguments)
	case v.kind == psSession && method == "add":
		for _, a := range arguments {
			if a.kind == psMade && len(a.list) > 1 {
				pair := p.concatenated(p.concatenated(a.list[0], psLiteral("=")), a.list[1])
				v.table.names, v.table.values = append(v.table.names, ""), append(v.table.values, pair)
			}
		}
	case v.table != nil && (method == "add" || method == "set_item") && len(arguments) == 2:
		if key, ok := p.textOf(arguments[0]).Literal(); ok {
			v.table.set(key, arguments[1])
		}
	case method == "tostring" || method == "trim" || method == "trimend" || method == "getnetworkcredential":
		return v
	}
	return psValue{}
}

func (p *psReader) member(v psValue, name string) psValue {
	switch {
	case v.kind == psType:
		word, _ := v.word.Literal()
		return psValue{kind: psType, word: script.LiteralWord(word + "." + name)}
	case v.table != nil:
		if i := v.table.index(name); i >= 0 {
			return v.table.values[i]
		}
	case v.kind == psText && len(v.word) == 1 && v.word[0].Kind == script.Variable:
		if part := v.word[0]; len(part.Text) < script.MaxToken {
			part.Text += "." + name
			return psValue{kind: psText, word: script.Word{part}}
		}
	}
	return psValue{}
}
