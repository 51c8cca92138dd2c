package powershell

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	windows "github.com/convertd/convertd/internal/tools/apiconvert/shell/cmd"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// command reads a command whose name has been read and returns its output. in is its input from a pipeline, or nil.
func (p *reader) command(at int, name string, in *value) value {
	lower := strings.ToLower(name)
	isWeb := paste.WebCmdlets[lower]
	switch {
	case (isWeb || paste.IsCurl(lower)) && in != nil:
		p.Fail(at, rejectedExpression)
	case isWeb || paste.IsCurl(lower):
		cmd := p.Start(at, 0)
		p.Cur = cmd
		if isWeb {
			p.send(cmd)
		} else {
			p.native(cmd, name)
		}
		p.Cur = nil
		p.AddCommand(cmd)
		output := &script.Output{Command: cmd}
		if lower == "invoke-webrequest" || lower == "iwr" { // its properties are not those of the response's JSON
			output = &script.Output{Command: named(name), Input: output}
		}
		return outputOf(cmd, output)
	case lower == "new-object":
		if p.Pos = at; p.Match(newSession()) == nil {
			p.Fail(at, rejectedObject)
		}
		return value{kind: session, table: &table{}}
	}
	var arguments []value
	for p.toArgument() {
		p.CountWord()
		arguments = append(arguments, p.argument())
	}
	if lower == "convertto-json" && (in == nil || in.sent == nil) {
		return p.json(at, arguments, in)
	}
	if in != nil && in.sent != nil {
		if lower != "out-null" {
			in.sent.PipesInto = cmp.Or(in.sent.PipesInto, name)
		}
		return outputOf(in.sent, nil)
	}
	cmd := named(name)
	cmd.Offset = p.Place(at)
	p.AddCommand(cmd)
	return outputOf(cmd, nil)
}

// json returns the output of ConvertTo-Json. It is unknown for a variable that may hold anything.
func (p *reader) json(at int, arguments []value, in *value) value {
	isInput := func(v value) bool { return v.kind == hash || v.kind == list || v.open() }
	if i := slices.IndexFunc(arguments, isInput); i >= 0 && in == nil {
		in = &arguments[i]
	}
	if in == nil || in.open() {
		return value{at: at}
	}
	var f posix.Fields
	p.appendJSON(&f, *in)
	return value{kind: text, word: f.Word()}
}

// named returns a command of which only the name is known.
func named(name string) *script.Command {
	return &script.Command{Words: []script.Word{script.LiteralWord(name)}}
}

// toArgument moves to the next argument of a command and reports whether there is one.
func (p *reader) toArgument() bool {
	p.blanks()
	return !p.ends("\n#;|)}&>")
}

// aliased matches the parameters that show that curl is the alias of a cmdlet in Windows PowerShell, and --%.
var aliased = expression.Lazy(`(?i)^-(?:uri|headers|method|body|usebasicparsing|contenttype|outfile|websession|-%)$`)

// native reads the arguments of curl.
func (p *reader) native(cmd *script.Command, name string) {
	cmd.Words = []script.Word{script.LiteralWord(name)}
	for p.toArgument() {
		p.CountWord()
		at := p.Pos
		w := p.textOf(p.argument())
		if option, ok := w.Literal(); ok && aliased().MatchString(option) {
			p.Fail(at, rejectedAlias)
		}
		cmd.Words = append(cmd.Words, unescapedQuotes(w))
	}
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

// argument reads an argument of a command: a value, or a bare string with variables and quoted stretches up to a
// blank.
func (p *reader) argument() (v value) {
	at := p.Pos
	defer func() { v.at = at }()
	c, next := p.ByteAt(at), p.ByteAt(at+1)
	switch {
	case c == '{':
		p.Fail(at, rejectedBlock)
	case c == '@' && script.IsNameStart(next):
		p.Fail(at, rejectedSplatting)
	case c == '\'', c == '"', c == '(', c == '@', c == '$' && next == '(':
		v := p.operand()
		if !p.endsArgument() {
			p.Fail(p.Pos, rejectedExpression)
		}
		return v
	case c == '$':
		if v := p.operand(); p.endsArgument() {
			return v
		}
		p.Pos = at
	}
	var f posix.Fields
	for !p.endsArgument() {
		switch c := p.Text[p.Pos]; {
		case c == '\'' || c == '"':
			p.add(&f, p.quoted())
		case c == '$':
			p.add(&f, p.dollar())
		case c == '`':
			p.backtick(&f)
		case c == '&':
			p.Fail(p.Pos, rejectedAmpersand)
		case c == '(' || c == ',' && strings.IndexByte("'\"$(@", p.ByteAt(p.Pos+1)) >= 0:
			p.Fail(p.Pos, rejectedExpression)
		default:
			_, size := utf8.DecodeRuneInString(p.Text[p.Pos:p.Limit])
			end := p.Span(p.Pos+size, &script.BareBytes)
			f.Text(p.Text[p.Pos:end])
			p.Pos = end
		}
	}
	return value{kind: text, word: f.Word()}
}

// endsArgument reports whether the cursor is at the end of an argument.
func (p *reader) endsArgument() bool {
	return p.ends(" \t\n;|)}>") || p.Text[p.Pos] == '`' && p.Continued() > 0
}
