package shell

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
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
		arguments := p.cmdletArguments(isWebSwitch)
		p.commanded(at, func(cmd *Command) { p.send(cmd, arguments, in, piped) })
		return psValue{}
	case isCurl(lower):
		p.commanded(at, func(cmd *Command) { p.native(cmd, name, in, piped) })
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
		if w := first.word; first.kind == psText && len(w) == 1 && w[0].Kind == Variable {
			return first // of what is not known, and seldom a text
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
var cmdletParameters = expression.Lazy(
	`(?i)(?:^|\s)-(?:uri|headers|method|body|usebasicparsing|contenttype|outfile|websession)(?:\s|$)`)

// cmdletFollows reports whether the arguments behind curl are the cmdlet's.
func (p *psReader) cmdletFollows() bool {
	const looked = 4000
	for line := range strings.Lines(p.text[p.pos:min(p.limit, p.pos+looked)]) {
		if cmdletParameters().MatchString(line) {
			return true
		}
		if !strings.HasSuffix(strings.TrimRight(line, " \t\r\n"), "`") {
			break
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
		for p.ahead(commaAhead()) > 0 {
			p.psBlanks()
			v = p.listed(v, p.bareArgument)
		}
	})
	return v
}

var commaAhead = expression.Lazy(`^ *,`)

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
			if !p.goesOn(-1) {
				return false
			}
		case strings.IndexByte(";|)}&\r\n", c) >= 0:
			return false
		case !p.redirection(cmp.Or(p.cur, &Command{}), psRedirects(), p.psTarget):
			return true
		}
	}
}

// psRedirects are a stream's number and the operator.
var psRedirects = expression.Lazy(`^(?:([1-6])|\*)?(>+&?)()`)

// psTarget reads what is behind a redirection's operator.
func (p *psReader) psTarget(string, int) Word {
	p.psBlanks()
	target := p.textOf(p.bareArgument())
	if len(target) == 1 && target[0].Text == "null" {
		return literalWord("/dev/null")
	}
	return target
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

// commanded stores a command that begins at a place and that read completes.
func (p *psReader) commanded(at int, read func(cmd *Command)) {
	cmd := p.start(&Command{Offset: p.place(at), Within: p.psWithin(), feeder: fedByNothing})
	cur := p.cur
	p.cur = cmd
	read(cmd)
	p.cur = cur
	p.store(cmd)
}

// native reads a call of curl.exe.
func (p *psReader) native(cmd *Command, name string, in psValue, piped bool) {
	cmd.Words = []Word{literalWord(name)}
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

var slashedQuote = expression.Lazy(`\\*"`)

// unescapedQuotes takes the backslashes away that PowerShell before 7.3 needs
// in front of the quotes of an argument: all of its quotes have one.
func unescapedQuotes(w Word) Word {
	escaped := false
	for _, part := range w {
		if part.Kind != Literal {
			continue
		}
		for _, quote := range slashedQuote().FindAllString(part.Text, -1) {
			if len(quote)%2 == 1 { // the last backslash escapes the one before it
				return w
			}
			escaped = true
		}
	}
	if !escaped {
		return w
	}
	out := slices.Clone(w)
	for i := range out {
		if out[i].Kind == Literal {
			var a argument
			for _, c := range []byte(out[i].Text) {
				a.take(c)
			}
			a.settle()
			out[i].Text, _ = a.fields.word().Literal()
		}
	}
	return out
}
