package powershell

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// reader reads PowerShell.
type reader struct {
	*posix.Reader
	values map[string]value // of variables, by name in lower case
}

// Block reads a block of PowerShell.
func Block(r *posix.Reader) {
	p := &reader{Reader: r, values: map[string]value{}}
	r.Windows = true
	r.StartLine()
	if i := strings.Index(r.Text[r.Pos:r.Limit], "\n>>"); r.Session && i >= 0 {
		r.Fail(r.Pos+i+1, rejectedPrompt)
	}
	for p.ToCommand() {
		p.Budget.Parts(1)
		p.item("\n;", func() {
			if !p.cookie() && !p.assignment() {
				p.pipeline()
				p.Comment = ""
			}
		})
	}
}

const has, unsupported = "The PowerShell script has ", ", which is not supported."

// What is rejected, with what to send instead.
var (
	rejectedExpression = convert.Reject(convert.UnrecognizedSource,
		has+"an expression (an operator such as & or a comma, a redirection, a method, a property, a type or a subexpression)"+unsupported,
		"Put URLs in quotes and write the value in place of an expression, or remove the statement if no request depends on it.")
	rejectedCommand = convert.Reject(convert.UnrecognizedSource,
		has+"a block (a loop, a condition, a function, try, param), or a command other than a request"+unsupported,
		"Send the requests without blocks, other commands and pipes to them.")
	rejectedObject = convert.Reject(convert.UnrecognizedSource,
		has+"an object (New-Object)"+unsupported, "Write a hash table (@{ name = 'value' }) in place of the object.")
	rejectedParameter = convert.Reject(convert.UnrecognizedSource,
		has+"a request with a parameter that is unknown, repeated or empty"+unsupported,
		"Remove the parameter, or write what it sends as -Headers or -Body.")
	rejectedTable = convert.Reject(convert.UnrecognizedSource,
		has+"headers, parameters (@name), JSON or a session from outside the script"+unsupported,
		"Write a hash table (@{ name = 'value' }), cookies as a Cookie header, and quotes around the @ of a file.")
	rejectedValue = convert.Reject(convert.UnrecognizedSource,
		has+"a response, a hash table or a list in place of a string"+unsupported,
		"Write the string. A body may be a hash table, or one through ConvertTo-Json.")
	rejectedAlias = convert.Reject(convert.UnrecognizedSource,
		has+"curl with parameters of Invoke-WebRequest, or --%"+unsupported,
		"Write Invoke-WebRequest in place of curl, or curl.exe with the options of curl.")
	rejectedPrompt = convert.Reject(convert.UnrecognizedSource,
		has+"the prompts of continuation lines (>>)"+unsupported, "Send the commands without prompts.")
	unclosed = convert.Reject(convert.InvalidSource,
		"A PowerShell quote or bracket is not closed.", "Close it. "+paste.CopyAsBash)
)

// ends reports whether the cursor is at the end or at one of the bytes.
func (p *reader) ends(at string) bool {
	return p.Pos >= p.Limit || strings.IndexByte(at, p.Text[p.Pos]) >= 0
}

// blanks skips blanks, comments inside a line and continued line ends.
func (p *reader) blanks() {
	for p.Pos < p.Limit {
		switch rest := p.Text[p.Pos:p.Limit]; {
		case script.IsBlank(rest[0]):
			p.Pos++
		case rest[0] == '`' && p.Continued() > 0:
			p.Pos = p.Continued()
		case strings.HasPrefix(rest, "<#"):
			comment, _, _ := strings.Cut(rest, "#>")
			p.Pos = min(p.Pos+len(comment)+len("#>"), p.Limit)
		default:
			return
		}
	}
}

// space skips blanks, line ends and comments.
func (p *reader) space() {
	for p.blanks(); p.Pos < p.Limit && p.ends("\n#"); p.blanks() {
		p.Pos = p.AfterNewline(p.LineEnd(p.Pos))
	}
}

// item reads a statement or an entry and what separates it from the next one. ends are the bytes after it.
func (p *reader) item(ends string, read func()) {
	if p.blanks(); !p.ends(ends + "#") {
		read()
	}
	if p.blanks(); !p.ends(ends + "#") {
		p.Fail(p.Pos, rejectedExpression)
	}
	if p.ends(";,") && p.Pos < p.Limit {
		p.Pos++
	}
}

// each reads items up to the bracket that closes the one at the cursor. ends are the bytes after an item, the bracket
// first.
func (p *reader) each(ends string, read func()) {
	open := p.Pos
	p.Enter(open)
	p.Pos++
	for p.space(); !p.ends(ends[:1]); p.space() {
		p.item(ends, read)
	}
	if p.Pos == p.Limit {
		p.Fail(open, unclosed)
	}
	p.Pos++
	p.Depth--
}

// name reads the name of a command at the cursor, if there is one.
func (p *reader) name() string {
	at := p.Pos
	if script.NameBytes[p.ByteAt(at)] {
		p.Pos = p.Span(at, &script.CommandNameBytes)
	}
	return p.Text[at:p.Pos]
}

const namePattern = `\$(\{\w+(?::[A-Za-z_]\w*)?\}|\w+(?::[A-Za-z_]\w*)?)`

var (
	variableName = expression.Lazy(`^` + namePattern)
	// target matches the left side of an assignment: a variable, and a property or entry.
	target = expression.Lazy(`^` + namePattern + `(\.\w[\w-]*|\["[^"\]$]+"\]|\['[^'\]]+'\])?[ \t]*=`)
	// newSession, addCookie and newCookie match how browsers create a session and add a cookie to it.
	newSession = expression.Lazy(`(?i)^[ \t]+(?:-TypeName[ \t]+)?Microsoft\.PowerShell\.Commands\.WebRequestSession\b`)
	newCookie  = expression.Lazy(`(?i)^ System\.Net\.Cookie\(`)
	addCookie  = expression.Lazy(`(?i)^\$(\w+)\.Cookies\.Add\(`)
	// jsonOptions matches the parameters of ConvertTo-Json.
	jsonOptions = expression.Lazy(`(?i)^(?:[ \t]+-(?:InputObject|Compress|Depth[ \t:]+\d{1,3})\b)*[ \t]*`)
)

// assignment reads an assignment to a variable, or to a property or an entry of one, and reports whether there was one.
func (p *reader) assignment() bool {
	start := p.Pos
	m := p.Match(target())
	if m == nil {
		return false
	}
	name, property := strings.ToLower(strings.Trim(m[1], "{}")), strings.Trim(m[2], ".[]\"'")
	p.space()
	v := p.pipeline()
	switch owner := p.values[name]; {
	case property == "":
		p.values[name] = v
	case owner.kind == hash, owner.kind == session && strings.EqualFold(property, "UserAgent"):
		*owner.table.entry(property) = v
	default:
		p.Fail(start, rejectedExpression)
	}
	return true
}

// cookie adds a cookie to a session: its arguments are name, value, path and domain. It reports whether there was one.
func (p *reader) cookie() bool {
	start := p.Pos
	m := p.Match(addCookie())
	if m == nil {
		return false
	}
	p.Pos--
	owner, cookie := p.values[strings.ToLower(m[1])], p.operand()
	if owner.kind != session || cookie.kind != list || len(cookie.table.fields) < 2 {
		p.Fail(start, rejectedTable)
	}
	var f posix.Fields // a single header
	all := owner.table.entry("Cookies")
	if all.kind == text {
		p.add(&f, *all)
		f.Text("; ")
	}
	p.add(&f, cookie.table.fields[0].value)
	f.Text("=")
	p.add(&f, cookie.table.fields[1].value)
	*all = value{kind: text, word: f.Word()}
	return true
}

// pipeline reads a value or a request, with a | ConvertTo-Json after it.
func (p *reader) pipeline() value {
	at := p.Pos
	p.Enter(at)
	v := p.element()
	for p.blanks(); p.ByteAt(p.Pos) == '|'; p.blanks() {
		p.Pos++
		p.space()
		name := p.Pos
		if !strings.EqualFold(p.name(), "ConvertTo-Json") {
			p.Fail(name, rejectedCommand)
		}
		v = p.json(v)
	}
	p.Depth--
	v.at = at
	return v
}

// element reads what a pipeline begins with: a value or a command.
func (p *reader) element() value {
	at := p.Pos
	if !script.IsNameStart(p.ByteAt(at)) {
		return p.operand()
	}
	switch name := strings.ToLower(p.name()); {
	case paste.WebCmdlets[name], paste.IsCurl(name):
		p.NoteScript(script.PowerShellDialect)
		cmd, outer := p.Start(at, 0), p.Cur
		p.Cur = cmd
		if paste.IsCurl(name) {
			p.native(name)
		} else {
			p.request()
		}
		p.AddCommand(cmd)
		p.Cur = outer
	case name == "convertto-json":
		p.Match(jsonOptions())
		return p.json(p.operand())
	case name == "new-object" && p.Match(newSession()) != nil:
		return value{kind: session, table: &table{}}
	case name == "new-object" && p.Match(newCookie()) != nil:
		p.Pos--
		return p.operand()
	case name == "new-object":
		p.Fail(at, rejectedObject)
	default:
		p.Fail(at, rejectedCommand)
	}
	return value{kind: response}
}
