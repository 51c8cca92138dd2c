package powershell

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	windows "github.com/convertd/convertd/internal/tools/apiconvert/shell/cmd"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// quiet are the commands that neither send a request nor change a part of one, in addition to those that only print
// (Write-…, Format-…, Out-…).
var quiet = script.SetOf(`import-module add-type start-sleep cd cls clear-host select-object select foreach-object
	where-object convertfrom-json set-location set-strictmode get-date measure-command echo exit`)

// quietSwitches are parameters without a value of the commands that are evaluated.
var quietSwitches = script.SetOf("raw compress force asplaintext asarray verbose usebasicparsing")

// psArgument is an argument of a cmdlet: -name value, or a value alone.
type psArgument struct {
	name  string // in lower case, "" for a value alone
	value psValue
	given bool // there is a value
}

// call reads a command whose name has been read and returns its value. in is its pipeline input.
func (p *psReader) call(at int, name string, in psValue, piped bool) psValue {
	lower := strings.ToLower(name)
	switch {
	case paste.WebCmdlets[lower], (lower == "curl" || lower == "wget") && p.cmdletFollows():
		arguments := p.cmdletArguments(isWebSwitch)
		p.commanded(at, func(cmd *script.Command) { p.send(cmd, arguments, in, piped) })
		return psValue{at: at}
	case paste.IsCurl(lower):
		p.commanded(at, func(cmd *script.Command) { p.native(cmd, name, in, piped) })
		return psValue{at: at}
	}
	next := p.next
	if p.next = 0; lower == "foreach-object" {
		p.next = script.Loop
	}
	arguments := p.cmdletArguments(func(name string) bool { return quietSwitches[name] })
	p.next = next
	first := psValue{at: at}
	if i := slices.IndexFunc(arguments, func(a psArgument) bool {
		return a.given && (a.name == "" || a.name == "inputobject" || a.name == "typename")
	}); i >= 0 {
		first = arguments[i].value
	}
	switch verb, _, _ := strings.Cut(lower, "-"); {
	case lower == "convertto-json" && piped:
		return p.json(in)
	case lower == "convertto-json":
		return p.json(first)
	case lower == "new-object":
		if typeName, _ := first.word.Literal(); strings.HasSuffix(strings.ToLower(typeName), "webrequestsession") {
			return psValue{kind: psSession, table: &psTable{}}
		}
		return psValue{kind: psExpression, at: at}
	case !piped && name != "" && !quiet[lower] && verb != "write" && verb != "format" && verb != "out":
		p.last = &script.Command{
			Offset: p.Place(at), Words: []script.Word{script.LiteralWord(name)}, Within: p.block.within,
		}
		p.AddCommand(p.last)
	}
	return psValue{at: at}
}

// cmdletParameter distinguishes the cmdlet that Windows PowerShell aliases as curl from curl itself. A line that ends
// with a backtick continues.
var cmdletParameter = expression.Lazy("(?i)^(?:[^\\n]|`[ \\t]*\\n)*?" +
	`\s-(?:uri|headers|method|body|usebasicparsing|contenttype|outfile|websession)(?:\s|$)`)

// cmdletFollows reports whether the arguments after curl are those of the cmdlet.
func (p *psReader) cmdletFollows() bool {
	const looked = 4000
	return cmdletParameter().MatchString(p.Text[p.Pos:min(p.Limit, p.Pos+looked)])
}

// cmdletArguments reads the arguments of a cmdlet up to the end of its statement. isSwitch reports whether a parameter
// takes no value.
func (p *psReader) cmdletArguments(isSwitch func(string) bool) []psArgument {
	var all []psArgument
	for p.toArgument() {
		p.CountWord()
		switch c := p.Text[p.Pos]; {
		case c == '@' && script.IsNameStart(p.ByteAt(p.Pos+1)):
			p.Fail(p.Pos, convert.Refuse(convert.UnrecognizedSource,
				"A PowerShell command takes its parameters from a variable (@name), which is not supported.",
				"Write the parameters of the command in place of @name."))
		case p.parameterAhead():
			start := p.Pos + 1
			p.Pos = p.Span(start, &script.NameBytes)
			a := psArgument{name: strings.ToLower(p.Text[start:p.Pos])}
			attached := p.ByteAt(p.Pos) == ':'
			if attached {
				p.Pos++
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

// cmdletValue reads a value and any comma-separated values after it.
func (p *psReader) cmdletValue() (v psValue) {
	if p.ByteAt(p.Pos) == '{' {
		v.at = p.Pos
		p.scriptBlock()
		return v
	}
	p.advance(func() {
		v = p.bareArgument()
		for p.Ahead(commaAhead()) > 0 {
			p.psBlanks()
			v = p.listed(v, p.bareArgument)
		}
	})
	return v
}

var commaAhead = expression.Lazy(`^ *,`)

func (p *psReader) parameterAhead() bool {
	return p.ByteAt(p.Pos) == '-' && script.IsNameStart(p.ByteAt(p.Pos+1))
}

// toArgument moves to the next argument of a command and reports whether there is one. It reads redirections on the
// way.
func (p *psReader) toArgument() bool {
	for {
		p.psBlanks()
		if p.Pos >= p.Limit {
			return false
		}
		switch c := p.Text[p.Pos]; {
		case c == '#':
			p.Pos = p.LineEnd(p.Pos)
		case c == '\n':
			if !p.GoesOn(-1) {
				return false
			}
		case strings.IndexByte(";|)}&", c) >= 0:
			return false
		case !p.Redirection(cmp.Or(p.Cur, &script.Command{}), psRedirects(), p.psTarget):
			return true
		}
	}
}

// psRedirects matches a stream number and a redirection operator.
var psRedirects = expression.Lazy(`^(?:([1-6])|\*)?(>+&?)()`)

func (p *psReader) psTarget(string, int) script.Word {
	p.psBlanks()
	target := p.textOf(p.bareArgument())
	if len(target) == 1 && target[0].Text == "null" {
		return script.LiteralWord("/dev/null")
	}
	return target
}

// commanded stores the command at the given offset, which read completes.
func (p *psReader) commanded(at int, read func(cmd *script.Command)) {
	cmd, outer := p.Start(at, p.block.within), p.Cur
	p.Cur = cmd
	read(cmd)
	p.Cur, p.last = outer, cmd
	p.AddCommand(cmd)
}

func (p *psReader) native(cmd *script.Command, name string, in psValue, piped bool) {
	cmd.Words = []script.Word{script.LiteralWord(name)}
	for p.toArgument() {
		p.CountWord()
		if strings.HasPrefix(p.Text[p.Pos:p.Limit], "--% ") {
			p.Pos += len("--% ")
			p.verbatim(cmd)
			break
		}
		p.advance(func() { cmd.Words = append(cmd.Words, p.nativeWords()...) })
	}
	switch {
	case piped && in.kind == psUnknown:
		cmd.Stdin.Kind = script.Unknown
	case piped:
		cmd.Redirects = append(cmd.Redirects, script.Redirect{Op: "<<<", Target: p.textOf(in)})
	}
}

// nativeWords reads an argument of curl.exe. A list becomes several words.
func (p *psReader) nativeWords() []script.Word {
	if p.Text[p.Pos] == '@' && script.IsNameStart(p.ByteAt(p.Pos+1)) {
		p.Pos++ // @file after an option, which PowerShell requires to be quoted
		return []script.Word{append(script.LiteralWord("@"), p.textOf(p.bareArgument())...)}
	}
	v := p.bareArgument()
	items := v.list
	if v.kind != psList {
		items = []psValue{v}
	}
	var words []script.Word
	for _, item := range items {
		p.Spend(16)
		words = append(words, unescapedQuotes(p.textOf(item)))
	}
	return words
}

// verbatim reads the rest of a line after --%, which PowerShell passes on unchanged.
func (p *psReader) verbatim(cmd *script.Command) {
	limit := p.Limit
	p.Limit = p.LineEnd(p.Pos)
	cmd.Words = append(cmd.Words, windows.Words(p.Reader)...)
	p.Pos, p.Limit = p.Limit, limit
}

var unescapedQuote = expression.Lazy(`(?:^|[^\\])(?:\\\\)*"`)

// unescapedQuotes removes the backslashes that PowerShell before 7.3 needs before the quotes of an argument, if every
// quote has one.
func unescapedQuotes(w script.Word) script.Word {
	out := slices.Clone(w)
	for i, part := range w {
		switch {
		case part.Kind != script.Literal:
		case unescapedQuote().MatchString(part.Text):
			return w
		default:
			out[i].Text = windows.Unescape(part.Text)
		}
	}
	return out
}

// bareArgument reads an argument of a command: a value, or a bare string with variables and quoted stretches up to a
// blank.
func (p *psReader) bareArgument() psValue {
	start := p.Pos
	var f posix.Fields
	for p.Pos < p.Limit && !p.endsArgument(start) {
		c, first := p.Text[p.Pos], p.Pos == start
		switch {
		case p.startsValue(first):
			v := p.operand()
			switch next := p.ByteAt(p.Pos); {
			case first && p.endsArgument(start):
				return v
			case first && (next == '.' || next == '['):
				for !p.endsArgument(start) {
					p.advance(func() {
						if p.startsValue(true) {
							p.operand()
						}
					})
				}
				return psValue{kind: psExpression, at: start}
			}
			p.add(&f, v)
		case c == '`':
			p.backtick(&f)
		case c == '(' && p.Ahead(posix.Parentheses()) > 0:
			end := p.Pos + p.Ahead(posix.Parentheses())
			f.Text(p.Text[p.Pos:end])
			p.Pos = end
		default:
			if c == '&' {
				p.Note(script.AmpersandKept)
			}
			_, size := utf8.DecodeRuneInString(p.Text[p.Pos:p.Limit])
			end := p.Span(p.Pos+size, &script.BareBytes)
			f.Text(p.Text[p.Pos:end])
			p.Pos = end
		}
	}
	return psValue{kind: psText, word: f.Word()}
}

// startsValue reports whether a value begins at the cursor. A lone $ is literal, and so are brackets that don't begin the
// argument.
func (p *psReader) startsValue(first bool) bool {
	next := p.ByteAt(p.Pos + 1)
	switch p.Text[p.Pos] {
	case '\'', '"':
		return true
	case '$':
		return script.IsNameStart(next) || next == '{' || next == '('
	case '(':
		return first
	case '@':
		return first && next != 0 && strings.IndexByte("{('\"", next) >= 0
	}
	return false
}

// endsArgument reports whether the byte at the cursor ends the argument that began at start.
func (p *psReader) endsArgument(start int) bool {
	if p.Pos >= p.Limit {
		return true
	}
	switch c := p.Text[p.Pos]; {
	case strings.IndexByte(" \t\n;|)}>", c) >= 0:
		return true
	case c == '(': // as in New-Object Type(…); literal in a URL
		return p.Pos > start && !strings.Contains(p.Text[max(start, p.Pos-script.MaxToken):p.Pos], "/")
	case c == '`':
		return p.Continued() > 0
	case c == '&':
		return p.AmpersandEnd(start) == p.Pos
	}
	return false
}
