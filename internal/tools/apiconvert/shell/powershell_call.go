package shell

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// webCmdlets are the commands that send a request, with their aliases.
var webCmdlets = setOf("invoke-webrequest invoke-restmethod iwr irm")

// quiet are the commands that neither send nor change anything that a request
// is made of, beside those that only print (Write-…, Format-…, Out-…).
var quiet = setOf(`import-module add-type start-sleep cd cls clear-host select-object select foreach-object
	where-object convertfrom-json set-location set-strictmode get-date measure-command echo exit`)

// quietSwitches are the parameters of commands that are read and that take no
// value.
var quietSwitches = setOf("raw compress force asplaintext asarray verbose usebasicparsing")

// setOf is the set of the words between blanks, and of some more.
func setOf(words string, more ...string) map[string]bool {
	set := map[string]bool{}
	for _, word := range more {
		set[word] = true
	}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
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
	switch {
	case webCmdlets[lower], (lower == "curl" || lower == "wget") && p.cmdletFollows():
		p.send(at, p.cmdletArguments(isWebSwitch), in, piped)
		return psValue{}
	case isCurl(lower):
		p.native(at, name, in, piped)
		return psValue{}
	}
	arguments := p.cmdletArguments(func(name string) bool { return quietSwitches[name] })
	var first psValue
	for _, a := range arguments {
		if a.given && (a.name == "" || a.name == "inputobject" || a.name == "path" || a.name == "string") {
			first = a.value
			break
		}
	}
	switch verb, _, _ := strings.Cut(lower, "-"); {
	case lower == "convertto-json":
		if piped {
			first = in
		}
		if first.kind != psUnknown {
			var t psString
			p.appendJSON(&t, first)
			return t.end()
		}
	case lower == "convertto-securestring", lower == "write-output":
		return first
	case lower == "get-content", lower == "gc", lower == "cat", lower == "type", lower == "get-item", lower == "gi":
		return psValue{kind: psFile, word: p.textOf(first)}
	case lower == "new-object":
		return p.object(arguments)
	case verb != lower && strings.HasSuffix(lower, "-variable"):
		p.values = map[string]psValue{}
	case !piped && name != "" && !quiet[lower] && verb != "write" && verb != "format" && verb != "out":
		p.store(&Command{Offset: p.place(at), Words: []Word{literalWord(name)}, Within: p.psWithin(), feeder: fedByNothing})
	}
	return psValue{}
}

// store keeps a command.
func (p *psReader) store(cmd *Command) {
	p.addCommand(cmd)
	p.last = cmd
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

// cmdletParameters tell the cmdlet that Windows PowerShell calls curl from
// curl itself.
var cmdletParameters = setOf("-uri -headers -method -body -usebasicparsing -contenttype -outfile -websession")

// cmdletFollows reports whether the arguments behind curl are the cmdlet's.
func (p *psReader) cmdletFollows() bool {
	const looked = 4000
	for line := range strings.Lines(p.text[p.pos:min(p.limit, p.pos+looked)]) {
		for word := range strings.FieldsSeq(line) {
			if cmdletParameters[strings.ToLower(word)] {
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
// statement. isSwitch knows the parameters that take no value.
func (p *psReader) cmdletArguments(isSwitch func(string) bool) []psArgument {
	var all []psArgument
	for p.toArgument() {
		p.countWord()
		switch c := p.text[p.pos]; {
		case c == '@' && isNameStart(p.byteAt(p.pos+1)):
			all = append(all, p.splatted()...)
		case p.parameterAhead():
			start := p.pos + 1
			p.pos = p.span(start, &nameBytes)
			a := psArgument{name: strings.ToLower(p.text[start:p.pos])}
			attached := p.byteAt(p.pos) == ':'
			if attached {
				p.pos++
			}
			if attached || !isSwitch(a.name) && p.toArgument() && !p.parameterAhead() {
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
func (p *psReader) cmdletValue() (v psValue) {
	p.advance(func() {
		v = p.bareArgument()
		for strings.HasPrefix(strings.TrimLeft(p.text[p.pos:min(p.limit, p.pos+maxToken)], " "), ",") {
			p.pos += strings.IndexByte(p.text[p.pos:], ',') + 1
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
	})
	return v
}

// parameterAhead reports whether a -name stands at the cursor.
func (p *psReader) parameterAhead() bool {
	return p.byteAt(p.pos) == '-' && isNameStart(p.byteAt(p.pos+1))
}

// toArgument moves to the next argument of a command and reports whether there
// is one. Redirections are read.
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
	if c := p.text[p.pos]; c >= '1' && c <= '6' {
		red.FD = int(c - '0')
	}
	p.pos += strings.IndexByte(p.text[p.pos:], '>')
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
	cmd := p.start(&Command{Offset: p.place(at), Within: p.psWithin(), feeder: fedByNothing})
	cmd.Words = []Word{literalWord(name)}
	cur := p.cur
	p.cur = cmd
	for p.toArgument() {
		p.countWord()
		if strings.HasPrefix(p.text[p.pos:p.limit], "--% ") {
			p.pos += len("--% ")
			p.verbatim(cmd)
			break
		}
		p.advance(func() { cmd.Words = append(cmd.Words, p.nativeWords()...) })
	}
	switch {
	case piped && in.kind == psUnknown:
		cmd.feeder = fedByCompound
	case piped && in.kind == psFile:
		cmd.Redirects = append(cmd.Redirects, Redirect{Op: "<", Target: in.word})
	case piped:
		cmd.Redirects = append(cmd.Redirects, Redirect{Op: "<<<", Target: p.textOf(in)})
	}
	p.cur = cur
	p.store(cmd)
}

// nativeWords reads an argument of curl.exe; a list is several.
func (p *psReader) nativeWords() []Word {
	if p.text[p.pos] == '@' && isNameStart(p.byteAt(p.pos+1)) {
		p.pos++ // @file behind an option: PowerShell wants it quoted
		return []Word{append(literalWord("@"), p.textOf(p.bareArgument())...)}
	}
	v := p.bareArgument()
	if v.kind != psList {
		return []Word{unescapedQuotes(p.textOf(v))}
	}
	var words []Word
	for _, item := range v.list {
		p.spend(16)
		words = append(words, unescapedQuotes(p.textOf(item)))
	}
	return words
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
	escaped := false
	for _, part := range w {
		slashes := 0
		for i := 0; i < len(part.Text) && part.Kind == Literal; i++ {
			switch {
			case part.Text[i] == '\\':
				slashes++
				continue
			case part.Text[i] == '"' && slashes%2 == 0:
				return w
			case part.Text[i] == '"':
				escaped = true
			}
			slashes = 0
		}
	}
	if !escaped {
		return w
	}
	out := make(Word, len(w))
	for n, part := range w {
		if part.Kind == Literal {
			var a argument
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
