package shell

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// webCmdlets are the commands that send a request, with their aliases.
var webCmdlets = map[string]bool{"invoke-webrequest": true, "invoke-restmethod": true, "iwr": true, "irm": true}

// quiet are the commands that neither send nor change anything that a request
// is made of, beside those that only print (Write-…, Format-…, Out-…).
var quiet = map[string]bool{
	"import-module": true, "add-type": true, "start-sleep": true, "cd": true, "cls": true, "clear-host": true,
	"select-object": true, "select": true, "foreach-object": true, "where-object": true, "convertfrom-json": true,
	"set-location": true, "set-strictmode": true, "get-date": true, "measure-command": true, "echo": true, "exit": true,
}

// psArgument is one argument of a cmdlet: -name value, or a value alone.
type psArgument struct {
	name  string // in lower case, "" for a value alone
	value psValue
	given bool // there is a value
}

// call reads a command whose name has been read and returns its value. in is
// what comes through a pipe.
func (p *psReader) call(at int, name string, in psValue, piped bool) psValue {
	lower := strings.ToLower(name)
	unknown := psValue{kind: psUnknown}
	switch {
	case webCmdlets[lower], (lower == "curl" || lower == "wget") && p.cmdletFollows():
		p.send(at, p.cmdletArguments(webSwitches), in, piped)
		return unknown
	case isCurl(lower):
		p.native(at, name, in, piped)
		return unknown
	}
	cur := p.cur
	arguments := p.cmdletArguments(otherSwitches)
	p.cur = cur
	first := unknown
	for _, a := range arguments {
		if a.given && (a.name == "" || a.name == "inputobject" || a.name == "path" || a.name == "string") {
			first = a.value
			break
		}
	}
	switch lower {
	case "convertto-json":
		if piped {
			first = in
		}
		if first.kind != psUnknown {
			return psValue{kind: psText, word: p.json(first)}
		}
	case "convertto-securestring", "write-output":
		return first
	case "get-content", "gc", "cat", "type", "get-item", "gi":
		return psValue{kind: psFile, word: p.textOf(first)}
	case "new-object":
		return p.object(arguments)
	case "set-variable", "new-variable", "remove-variable":
		p.values = map[string]psValue{}
	default:
		p.other(at, name, lower, piped)
	}
	return unknown
}

// object is New-Object type arguments.
func (p *psReader) object(arguments []psArgument) psValue {
	typeName, rest := "", []psValue(nil)
	for _, a := range arguments {
		switch {
		case !a.given:
		case a.name == "typename" || typeName == "" && a.name == "":
			typeName, _ = p.textOf(a.value).Literal()
		case a.value.kind == psList:
			rest = append(rest, a.value.list...)
		default:
			rest = append(rest, a.value)
		}
	}
	return p.newObject(typeName, rest)
}

// other adds a command that is none of those that are read.
func (p *psReader) other(at int, name, lower string, piped bool) {
	verb, _, _ := strings.Cut(lower, "-")
	if piped || name == "" || quiet[lower] || verb == "write" || verb == "format" || verb == "out" {
		return
	}
	p.emit(&Command{Offset: p.place(at), Words: []Word{literalWord(name)}, Within: p.psWithin(), feeder: fedByNothing})
}

// emit adds a command.
func (p *psReader) emit(cmd *Command) {
	if len(p.script.Commands) >= MaxCommands {
		p.tooMany()
	}
	p.script.Commands = append(p.script.Commands, cmd)
	p.last = cmd
}

// cmdletFollows reports whether the arguments behind curl are those of the
// cmdlet that Windows PowerShell calls by that name.
func (p *psReader) cmdletFollows() bool {
	const looked = 4000
	for line := range strings.Lines(p.text[p.pos:min(p.limit, p.pos+looked)]) {
		for word := range strings.FieldsSeq(line) {
			switch strings.ToLower(word) {
			case "-uri", "-headers", "-method", "-body", "-usebasicparsing", "-contenttype", "-outfile", "-websession":
				return true
			}
		}
		if !strings.HasSuffix(strings.TrimRight(line, " \t\r\n"), "`") {
			return false
		}
	}
	return false
}

// cmdletArguments reads the arguments of a cmdlet up to the end of its
// statement. switches are the parameters that take no value.
func (p *psReader) cmdletArguments(switches func(string) bool) []psArgument {
	var all []psArgument
	for p.toArgument() {
		p.budget.Parts(wordParts)
		if p.words++; p.words > MaxWords {
			p.tooMany()
		}
		c, next := p.text[p.pos], p.byteAt(p.pos+1)
		switch {
		case c == '@' && isNameStart(next):
			all = append(all, p.splatted()...)
		case c == '-' && isNameStart(next):
			p.pos++
			start := p.pos
			for p.pos < p.limit && isNameByte(p.text[p.pos]) {
				p.pos++
			}
			a := psArgument{name: strings.ToLower(p.text[start:p.pos])}
			attached := p.byteAt(p.pos) == ':'
			if attached {
				p.pos++
			}
			if attached || !switches(a.name) && p.toArgument() && !p.parameterAhead() {
				a.value, a.given = p.cmdletValue(), true
			}
			all = append(all, a)
		default:
			all = append(all, psArgument{value: p.cmdletValue(), given: true})
		}
	}
	return all
}

// cmdletValue reads a value and those behind commas.
func (p *psReader) cmdletValue() psValue {
	before := p.pos
	v := p.bareArgument()
	for p.byteAt(p.pos) == ',' || p.byteAt(p.pos) == ' ' && p.byteAt(p.pos+1) == ',' {
		for p.byteAt(p.pos) != ',' {
			p.pos++
		}
		p.pos++
		p.psSpace()
		list := []psValue{v}
		if v.kind == psList {
			list = v.list
		}
		at := p.pos
		v = psValue{kind: psList, list: append(list, p.bareArgument())}
		if p.pos == at {
			break
		}
	}
	if p.pos == before {
		p.pos++
	}
	return v
}

// parameterAhead reports whether a -name stands at the cursor.
func (p *psReader) parameterAhead() bool {
	return p.byteAt(p.pos) == '-' && isNameStart(p.byteAt(p.pos+1))
}

// toArgument moves to the next argument of a command and reports whether there
// is one. Redirections are stepped over.
func (p *psReader) toArgument() bool {
	for {
		p.psBlanks()
		if p.pos >= p.limit {
			return false
		}
		switch c := p.text[p.pos]; {
		case c == '#':
			p.pos = p.lineEnd(p.pos)
		case p.newlineAt(p.pos) > 0:
			if !p.goesOn() {
				return false
			}
		case strings.IndexByte(";|)}&\r\n", c) >= 0:
			return false
		case (c >= '1' && c <= '6' || c == '*') && p.byteAt(p.pos+1) == '>', c == '>':
			p.psRedirection()
		default:
			return true
		}
	}
}

// psRedirection reads a redirection.
func (p *psReader) psRedirection() {
	red := Redirect{FD: 1, Op: ">"}
	if c := p.text[p.pos]; c != '>' {
		p.pos++
		if c != '*' {
			red.FD = int(c - '0')
		}
	}
	for p.byteAt(p.pos) == '>' {
		p.pos++
	}
	if p.byteAt(p.pos) == '&' {
		red.Op = ">&"
		p.pos++
	}
	p.psBlanks()
	red.Target = p.textOf(p.bareArgument())
	if len(red.Target) == 1 && red.Target[0].Text == "null" {
		red.Target = literalWord("/dev/null")
	}
	if p.cur != nil {
		p.cur.Redirects = append(p.cur.Redirects, red)
	}
}

// splatted reads @name, a table of parameters.
func (p *psReader) splatted() []psArgument {
	at := p.pos
	p.pos++
	name := p.name(p.pos)
	p.pos += len(name)
	v := p.values[strings.ToLower(name)]
	if v.table == nil {
		p.fail(at, convert.Refuse(convert.InvalidSource,
			"PowerShell's splatting (@name) of what is not known is not read.",
			"Write the parameters of the command where they are used. "+CopyAsBash))
	}
	var all []psArgument
	for i, name := range v.table.names {
		p.spend(16 + len(name))
		all = append(all, psArgument{name: strings.ToLower(name), value: v.table.values[i], given: true})
	}
	return all
}

// native reads a call of curl.exe.
func (p *psReader) native(at int, name string, in psValue, piped bool) {
	cmd := p.start(&Command{Offset: p.place(at), Within: p.psWithin(), feeder: fedByNothing, Words: []Word{literalWord(name)}})
	cur := p.cur
	p.cur = cmd
	for p.toArgument() {
		p.budget.Parts(wordParts)
		if p.words++; p.words > MaxWords {
			p.tooMany()
		}
		if strings.HasPrefix(p.text[p.pos:p.limit], "--% ") {
			p.pos += len("--% ")
			p.verbatim(cmd)
			break
		}
		before := p.pos
		if p.text[p.pos] == '@' && isNameStart(p.byteAt(p.pos+1)) {
			p.pos++ // @file behind an option: PowerShell wants it quoted
			w := append(Word{{Kind: Literal, Text: "@"}}, p.textOf(p.bareArgument())...)
			cmd.Words = append(cmd.Words, w)
			continue
		}
		v := p.bareArgument()
		if p.byteAt(p.pos) == ',' && p.pos == before {
			p.pos++
		}
		if v.kind == psList {
			for _, item := range v.list {
				p.spend(16)
				cmd.Words = append(cmd.Words, unescapedQuotes(p.textOf(item)))
			}
			continue
		}
		cmd.Words = append(cmd.Words, unescapedQuotes(p.textOf(v)))
		if p.pos == before {
			p.pos++
		}
	}
	if piped && in.kind != psUnknown {
		op := "<<<"
		if in.kind == psFile {
			op, in = "<", psValue{kind: psText, word: in.word}
		}
		cmd.Redirects = append(cmd.Redirects, Redirect{Op: op, Target: p.textOf(in)})
	} else if piped {
		cmd.feeder = fedByCompound
	}
	p.cur = cur
	p.emit(cmd)
}

// verbatim reads the rest of a line behind --%, which PowerShell hands over as
// it stands.
func (p *psReader) verbatim(cmd *Command) {
	limit := p.limit
	p.limit = p.lineEnd(p.pos)
	c := &cmdReader{reader: p.reader}
	for c.toWord() {
		before := c.pos
		cmd.Words = append(cmd.Words, c.word())
		if c.pos == before {
			break
		}
	}
	p.pos, p.limit = p.limit, limit
}

// unescapedQuotes takes the backslashes away that PowerShell before 7.3 needs
// in front of the quotes of an argument: all of its quotes have one.
func unescapedQuotes(w Word) Word {
	found := false
	for _, part := range w {
		if part.Kind != Literal {
			continue
		}
		for i := 0; i < len(part.Text); i++ {
			if part.Text[i] == '\\' {
				i++
				found = found || i < len(part.Text) && part.Text[i] == '"'
			} else if part.Text[i] == '"' {
				return w
			}
		}
	}
	if !found {
		return w
	}
	out := make(Word, len(w))
	for n, part := range w {
		if part.Kind == Literal {
			a := argument{fields: fields{whole: true}}
			for i := 0; i < len(part.Text); i++ {
				a.take(part.Text[i])
			}
			a.settle()
			part.Text, _ = a.fields.word().Literal()
		}
		out[n] = part
	}
	return out
}
