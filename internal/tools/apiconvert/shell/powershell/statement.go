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
	r.NoteScript(script.PowerShellDialect)
	p := &reader{Reader: r, values: map[string]value{}}
	r.StartLine()
	for p.toStatement() {
		p.Budget.Parts(1)
		p.statement()
		if p.blanks(); !p.ends("\n;#") {
			p.Fail(p.Pos, rejectedExpression)
		}
	}
}

const has, unsupported = "The PowerShell script has ", ", which is not supported."

// What is rejected, with what to send instead.
var (
	rejectedExpression = convert.Reject(convert.UnrecognizedSource,
		has+"an expression (an operator, a redirection, a method, a type or a subexpression)"+unsupported,
		"Write the value in place of the expression, or remove the statement if no request depends on it.")
	rejectedOutput = convert.Reject(convert.UnrecognizedSource,
		has+"a request that contains the output of a command"+unsupported,
		"Assign the output to a variable, and use the variable in the request.")
	rejectedBlock = convert.Reject(convert.UnrecognizedSource,
		has+"a block, such as a loop, a condition, a function or try"+unsupported,
		"Send the requests without the block around them.")
	rejectedSplatting = convert.Reject(convert.UnrecognizedSource,
		has+"a command with parameters from a variable (@name)"+unsupported,
		"Write the parameters in place of @name, and quotes around the @ of a file.")
	rejectedObject = convert.Reject(convert.UnrecognizedSource,
		has+"an object (New-Object)"+unsupported, "Write a hash table (@{ name = 'value' }) in place of the object.")
	rejectedParameter = convert.Reject(convert.UnrecognizedSource,
		has+"a request with a parameter that is unknown, repeated or empty"+unsupported,
		"Remove the parameter, or write what it sends as -Headers or -Body.")
	rejectedHeaders = convert.Reject(convert.UnrecognizedSource,
		has+"a request with headers or a session from outside the script"+unsupported,
		"Write -Headers as a hash table (@{ name = 'value' }), and cookies as a Cookie header.")
	rejectedAlias = convert.Reject(convert.UnrecognizedSource,
		has+"curl with parameters of Invoke-WebRequest, or --%"+unsupported,
		"Write Invoke-WebRequest in place of curl, or curl.exe with the options of curl.")
	rejectedAmpersand = convert.Reject(convert.UnrecognizedSource,
		has+"& outside quotes"+unsupported, "Put the URL in quotes. Write a command without & before it.")
	unclosed = convert.Reject(convert.InvalidSource,
		"A PowerShell quote or bracket is not closed.", "Close it. "+paste.CopyAsBash)
)

// keywords begin statements that contain blocks or change which statements run.
var keywords = script.SetOf(`if elseif else switch for foreach while do until function filter class enum try catch finally
	return param begin process end throw trap using exit break continue`)

// toStatement moves to the next statement and reports whether there is one.
func (p *reader) toStatement() bool {
	for p.Pos < p.Limit {
		switch c := p.Text[p.Pos]; {
		case c == '\n':
			p.Newline()
			p.StartLine()
		case c == '#':
			p.CommentLine()
		case c == ';':
			p.Pos++
		default:
			before := p.Pos
			if p.blanks(); p.Pos == before {
				return true
			}
		}
	}
	return false
}

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
			p.Pos = p.skipMore(p.Continued())
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
		p.Pos = p.skipMore(p.AfterNewline(p.LineEnd(p.Pos)))
	}
}

// skipMore skips the >> that a terminal shows before the continuation lines of a statement.
func (p *reader) skipMore(i int) int {
	if !p.Session || !strings.HasPrefix(p.Text[i:p.Limit], ">>") {
		return i
	}
	if i += len(">>"); p.ByteAt(i) == ' ' {
		i++
	}
	return i
}

func (p *reader) statement() {
	switch word := strings.ToLower(p.bareName()); {
	case keywords[word], p.ByteAt(p.Pos) == '{':
		p.Fail(p.Pos, rejectedBlock)
	case p.cookie(), p.assignment():
	default:
		p.pipeline()
		p.Comment = ""
	}
}

// bareName returns the unquoted name at the cursor: of a command, a keyword or a table entry.
func (p *reader) bareName() string {
	if !script.NameBytes[p.ByteAt(p.Pos)] {
		return ""
	}
	return p.Text[p.Pos:p.Span(p.Pos, &script.CommandNameBytes)]
}

const namePattern = `\$(\{\w+(?::[A-Za-z_]\w*)?\}|\w+(?::[A-Za-z_]\w*)?)`

var (
	variable = expression.Lazy(`^` + namePattern)
	// target matches the left side of an assignment: a variable, and a property or entry.
	target = expression.Lazy(`^` + namePattern + `(\.\w[\w-]*|\["[^"\]$]+"\]|\['[^'\]]+'\])?[ \t]*=`)
	// newSession matches what creates a session, and addCookie how browsers add a cookie to one, up to its arguments.
	newSession = expression.Lazy(`(?i)^New-Object[ \t]+(?:-TypeName[ \t]+)?Microsoft\.PowerShell\.Commands\.WebRequestSession\b`)
	addCookie  = expression.Lazy(`(?i)^\$(\w+)\.Cookies\.Add\(\(New-Object System\.Net\.Cookie`)
	twoClosed  = expression.Lazy(`^\)\)`)
)

// assignment reads an assignment to a variable, or to a property or an entry of one, and reports whether there was one.
func (p *reader) assignment() bool {
	start := p.Pos
	m := p.Match(target())
	if m == nil {
		return false
	}
	name, property := unscoped(m[1]), strings.Trim(m[2], ".[]\"'")
	key := strings.ToLower(name)
	p.space()
	v := p.pipeline()
	switch owner := p.values[key]; {
	case property == "":
		p.values[key] = v.named(name)
	case owner.table == nil, owner.kind == session && !strings.EqualFold(property, "UserAgent"):
		p.Fail(start, rejectedExpression)
	default:
		owner.table.set(property, v)
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
	owner, open := p.values[strings.ToLower(m[1])], p.Pos
	cookie := p.operand()
	if p.Match(twoClosed()) == nil {
		p.Fail(open, unclosed)
	}
	if owner.kind != session || len(cookie.list) < 2 {
		p.Fail(start, rejectedObject)
	}
	owner.table.cookies = append(owner.table.cookies, cookie.list[:2])
	return true
}

// unscoped returns a variable's name without braces and scope. It keeps env, which has its own variables.
func unscoped(name string) string {
	name = strings.Trim(name, "{}")
	if scope, rest, ok := strings.Cut(name, ":"); ok && !strings.EqualFold(scope, "env") {
		return rest
	}
	return name
}

// pipeline reads elements joined by | and returns the value of the last.
func (p *reader) pipeline() value {
	at := p.Pos
	p.Enter(at)
	v := p.element(nil)
	for p.blanks(); p.ByteAt(p.Pos) == '|' && p.ByteAt(p.Pos+1) != '|'; p.blanks() {
		p.Pos++
		p.space()
		v = p.element(&v)
	}
	p.Depth--
	v.at = at
	return v
}

// element reads a command, or the expression that a pipeline may begin with. in is the output of the element before it.
func (p *reader) element(in *value) value {
	at := p.Pos
	switch c := p.ByteAt(at); {
	case script.IsNameStart(c):
		name := p.bareName()
		p.Pos += len(name)
		return p.command(at, name, in)
	case c == '&':
		p.Fail(at, rejectedAmpersand)
	case in == nil:
		v := p.operand()
		if p.blanks(); p.ByteAt(p.Pos) == ',' {
			v = value{kind: list, at: at, list: []value{v}}
		}
		for ; p.ByteAt(p.Pos) == ','; p.blanks() {
			p.Pos++
			p.space()
			v.list = append(v.list, p.operand())
		}
		if p.ends("\n;|)}#") {
			return v
		}
	}
	p.Fail(p.Pos, rejectedExpression)
	return value{}
}
