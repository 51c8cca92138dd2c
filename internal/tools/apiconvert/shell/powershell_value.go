package shell

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/jsondoc"
)

// psValue is a value of PowerShell as far as it is worked out.
type psValue struct {
	kind    psKind
	word    Word // of a psText, psRaw, psFile (its name) and psType (its name)
	unit    int  // of a psChar: a UTF-16 code unit
	list    []psValue
	table   *psTable
	session *psSession
}

type psKind uint8

const (
	psUnknown psKind = iota
	psText
	psRaw // a number, or $true, $false, $null: JSON as it stands
	psChar
	psList
	psTableKind
	psSessionKind
	psCookies // the cookies of a session
	psFile    // the content of a file
	psType    // [name], and what is read from it without a call
)

// psTable is a hash table or a dictionary, in its order.
type psTable struct {
	names  []string
	values []psValue
}

// set sets a member; names are the same in either case.
func (t *psTable) set(name string, v psValue) {
	const searched = 200 // a table of many members is none that a request has
	for i, known := range t.names[:min(len(t.names), searched)] {
		if strings.EqualFold(known, name) {
			t.values[i] = v
			return
		}
	}
	t.names, t.values = append(t.names, name), append(t.values, v)
}

func (t *psTable) get(name string) (psValue, bool) {
	for i, known := range t.names {
		if strings.EqualFold(known, name) {
			return t.values[i], true
		}
	}
	return psValue{}, false
}

// psSession is a WebRequestSession.
type psSession struct {
	agent   Word
	headers *psTable
	cookies Word // as a Cookie header has them
}

func psLiteral(text string) psValue {
	return psValue{kind: psText, word: literalWord(text)}
}

func literalWord(text string) Word {
	if text == "" {
		return Word{}
	}
	return Word{{Kind: Literal, Text: text}}
}

// textOf is a value as text; what is not known becomes a part of its own.
func (p *psReader) textOf(v psValue) Word {
	switch v.kind {
	case psText, psRaw:
		return v.word
	case psChar:
		return literalWord(string(utf16.Decode([]uint16{uint16(v.unit)})))
	case psList:
		var all Word
		for i, item := range v.list {
			if i > 0 {
				all = append(all, Part{Kind: Literal, Text: " "})
			}
			w := p.textOf(item)
			p.spend(weight(w))
			all = append(all, w...)
		}
		return all
	}
	f := fields{whole: true}
	p.note(SubstitutionUsed)
	p.unknown(&f, CommandSubstitution, "command", true)
	return f.word()
}

// valueOf is the value of a variable, or the variable.
func (p *psReader) valueOf(name string) psValue {
	switch strings.ToLower(name) {
	case "true", "false", "null":
		return psValue{kind: psRaw, word: literalWord(strings.ToLower(name))}
	}
	v, known := p.values[strings.ToLower(name)]
	if _, rest, env := strings.Cut(name, ":"); env {
		name = rest
	}
	if !known {
		return psValue{kind: psText, word: Word{{Kind: Variable, Text: name, Quoted: true}}}
	}
	if v.kind == psText {
		p.spend(weight(v.word))
		p.expanded(name, v.word)
	}
	return v
}

// concatenated is a + b.
func (p *psReader) concatenated(a, b psValue) psValue {
	if a.table != nil || a.kind == psUnknown && b.kind == psUnknown {
		return a
	}
	var t psString
	p.add(&t, a)
	p.add(&t, b)
	return psValue{kind: psText, word: t.end()}
}

// psString collects a text. Two code units that form a surrogate pair are one
// character, also when each is a [char] of its own.
type psString struct {
	fields
	high int // a high surrogate that waits for its low one
}

func (t *psString) unit(n int) {
	if t.high != 0 {
		c := utf16.DecodeRune(rune(t.high), rune(n))
		t.high = 0
		t.fields.text(string(c))
		if c != utf8.RuneError {
			return
		}
	}
	if n >= 0xD800 && n < 0xDC00 {
		t.high = n
		return
	}
	t.fields.text(string(rune(n)))
}

func (t *psString) plain(text string) {
	if t.high != 0 {
		t.high = 0
		t.fields.text(string(utf8.RuneError))
	}
	t.fields.text(text)
}

func (t *psString) end() Word {
	t.plain("")
	return t.fields.word()
}

// add adds a value to a text.
func (p *psReader) add(t *psString, v psValue) {
	if v.kind == psChar {
		t.unit(v.unit)
		return
	}
	w := p.textOf(v)
	p.spend(weight(w))
	t.plain("")
	for _, part := range w {
		if part.Kind == Literal {
			t.fields.text(part.Text)
		} else {
			t.fields.part(part)
		}
	}
}

// formatted is the operator -f.
func (p *psReader) formatted(format, arguments psValue) psValue {
	text, ok := format.word.Literal()
	list := arguments.list
	if arguments.kind != psList {
		list = []psValue{arguments}
	}
	if format.kind != psText || !ok {
		return psValue{kind: psUnknown}
	}
	var t psString
	for text != "" {
		before, rest, found := strings.Cut(text, "{")
		t.plain(strings.ReplaceAll(before, "}}", "}"))
		if !found {
			break
		}
		if strings.HasPrefix(rest, "{") {
			t.plain("{")
			text = rest[1:]
			continue
		}
		number, after, closed := strings.Cut(rest, "}")
		n, err := strconv.Atoi(number)
		if !closed || err != nil || n < 0 || n >= len(list) {
			return psValue{kind: psUnknown}
		}
		p.add(&t, list[n])
		text = after
	}
	return psValue{kind: psText, word: t.end()}
}

// json is what ConvertTo-Json makes of a value, as one line.
func (p *psReader) json(v psValue) Word {
	var t psString
	p.appendJSON(&t, v)
	return t.end()
}

func (p *psReader) appendJSON(t *psString, v psValue) {
	p.enter(p.pos)
	defer func() { p.depth-- }()
	p.spend(16)
	switch v.kind {
	case psRaw:
		p.add(t, v)
	case psList:
		t.plain("[")
		for i, item := range v.list {
			if i > 0 {
				t.plain(",")
			}
			p.appendJSON(t, item)
		}
		t.plain("]")
	case psTableKind:
		t.plain("{")
		for i, name := range v.table.names {
			if i > 0 {
				t.plain(",")
			}
			p.spend(len(name))
			t.plain(string(jsondoc.AppendString(nil, name)) + ":")
			p.appendJSON(t, v.table.values[i])
		}
		t.plain("}")
	default:
		w := p.textOf(v)
		p.spend(weight(w))
		t.plain(`"`)
		for _, part := range w {
			if part.Kind == Literal {
				quoted := jsondoc.AppendString(nil, part.Text)
				t.fields.text(string(quoted[1 : len(quoted)-1]))
			} else {
				t.fields.part(part)
			}
		}
		t.plain(`"`)
	}
}

// static is a call of a static method of a type.
func (p *psReader) static(typeName, method string, arguments []psValue) psValue {
	unknown := psValue{kind: psUnknown}
	if strings.EqualFold(method, "new") {
		return p.newObject(typeName, arguments)
	}
	if len(arguments) == 0 {
		return unknown
	}
	text, known := "", arguments[0].kind == psText
	if known {
		text, known = arguments[0].word.Literal()
	}
	switch strings.ToLower(method) {
	case "getbytes", "getstring":
		return arguments[0]
	case "tobase64string":
		if known {
			return psLiteral(base64.StdEncoding.EncodeToString([]byte(text)))
		}
	case "escapedatastring":
		if known {
			return psLiteral(strings.ReplaceAll(url.QueryEscape(text), "+", "%20"))
		}
		return arguments[0]
	case "urlencode":
		if known {
			return psLiteral(url.QueryEscape(text))
		}
		return arguments[0]
	}
	return unknown
}

// newObject is New-Object, or ::new(…).
func (p *psReader) newObject(typeName string, arguments []psValue) psValue {
	name := strings.ToLower(typeName)
	switch {
	case strings.HasSuffix(name, "webrequestsession"):
		return psValue{kind: psSessionKind, session: &psSession{}}
	case strings.Contains(name, "dictionary") || strings.HasSuffix(name, "hashtable"):
		return psValue{kind: psTableKind, table: &psTable{}}
	case strings.HasSuffix(name, "net.cookie") || strings.HasSuffix(name, "pscredential") || strings.HasSuffix(name, "networkcredential"):
		return psValue{kind: psList, list: arguments}
	case strings.HasSuffix(name, "uri") && len(arguments) > 0:
		return arguments[0]
	}
	return psValue{kind: psUnknown}
}

// invoke is a call of a method of a value.
func (p *psReader) invoke(v psValue, method string, arguments []psValue) psValue {
	switch name := strings.ToLower(method); {
	case v.kind == psType:
		typeName, _ := v.word.Literal()
		return p.static(typeName, method, arguments)
	case v.kind == psCookies && name == "add":
		for _, a := range arguments {
			if a.kind == psList && len(a.list) > 1 {
				p.addCookie(v.session, a.list[0], a.list[1])
			}
		}
	case v.table != nil && (name == "add" || name == "set_item") && len(arguments) == 2:
		if key, ok := p.textOf(arguments[0]).Literal(); ok {
			v.table.set(key, arguments[1])
		}
	case name == "tostring" || name == "trim" || name == "trimend" || name == "getnetworkcredential":
		return v
	}
	return psValue{kind: psUnknown}
}

func (p *psReader) addCookie(s *psSession, name, value psValue) {
	t := psString{fields: fields{whole: true}}
	w := append(append(p.textOf(name), Part{Kind: Literal, Text: "="}), p.textOf(value)...)
	p.spend(weight(w))
	if len(s.cookies) > 0 {
		s.cookies = append(s.cookies, Part{Kind: Literal, Text: "; "})
	}
	p.add(&t, psValue{kind: psText, word: w})
	s.cookies = append(s.cookies, t.end()...)
}

// member is a property of a value.
func (p *psReader) member(v psValue, name string) psValue {
	switch {
	case v.kind == psType:
		word, _ := v.word.Literal()
		return psValue{kind: psType, word: literalWord(word + "." + name)}
	case v.session != nil && strings.EqualFold(name, "Cookies"):
		return psValue{kind: psCookies, session: v.session}
	case v.session != nil && strings.EqualFold(name, "Headers"):
		if v.session.headers == nil {
			v.session.headers = &psTable{}
		}
		return psValue{kind: psTableKind, table: v.session.headers}
	case v.table != nil:
		if value, ok := v.table.get(name); ok {
			return value
		}
	case v.kind == psText && len(v.word) == 1 && v.word[0].Kind == Variable && len(v.word[0].Text) < maxType:
		part := v.word[0]
		part.Text += "." + name
		return psValue{kind: psText, word: Word{part}}
	}
	return psValue{kind: psUnknown}
}
