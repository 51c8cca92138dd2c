package powershell

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// psReader reads PowerShell: invocations of curl.exe, and of Invoke-WebRequest and Invoke-RestMethod, which become the
// words of the equivalent curl command. It evaluates strings, variables that are set to them, hash tables and the session
// that browsers copy. A request that depends on another value is refused.
type psReader struct {
	*posix.Reader
	values map[string]psValue // of variables, by name in lower case
	block  *psBlock           // the innermost one
	next   script.Within      // the construct that the next brace opens
	last   *script.Command    // the command that the element before a | invoked, or nil
}

// psBlock is a script, or a { … } in it.
type psBlock struct {
	within script.Within // the constructs around a statement in it
	set    []string      // variables set in it, which are unknown after it
	braces bool
}

// Block reads a block of PowerShell.
func Block(r *posix.Reader) {
	r.NoteScript(script.PowerShellDialect)
	p := &psReader{Reader: r, values: map[string]psValue{}, block: &psBlock{}}
	r.StartLine()
	p.statements()
}

// statements reads statements up to the brace that closes the body.
func (p *psReader) statements() {
	for p.toStatement() {
		p.Budget.Parts(1)
		p.advance(p.statement)
	}
}

// advance calls read and moves on by at least one byte.
func (p *psReader) advance(read func()) {
	before := p.Pos
	if read(); p.Pos == before {
		p.Pos++
	}
}

// toStatement moves to the next statement and reports whether there is one.
func (p *psReader) toStatement() bool {
	for p.Pos < p.Limit {
		switch c := p.Text[p.Pos]; {
		case c == '\n':
			p.Newline()
			p.StartLine()
		case c == '#':
			p.CommentLine()
		case strings.IndexByte(";)|,", c) >= 0:
			p.Pos++
		case c == '{':
			p.scriptBlock()
		case c == '}' && p.block.braces:
			return false
		case c == '}':
			p.Pos++
		default:
			before := p.Pos
			if p.psBlanks(); p.Pos == before {
				return true
			}
		}
	}
	return false
}

// scriptBlock reads { … }: the body of a statement, or an argument.
func (p *psReader) scriptBlock() {
	p.Enter(p.Pos)
	outer, last := p.block, p.last
	p.block, p.next = &psBlock{within: outer.within | p.next, braces: true}, 0
	p.Pos++
	p.statements()
	p.Pos = min(p.Pos+1, p.Limit)
	for _, name := range p.block.set {
		delete(p.values, name)
	}
	p.block, p.last = outer, last
	p.Depth--
}

// psBlanks skips blanks, comments inside a line and continued line ends.
func (p *psReader) psBlanks() {
	for p.Pos < p.Limit {
		switch c := p.Text[p.Pos]; {
		case script.IsBlank(c):
			p.Pos++
		case c == '`' && p.Continued() > 0:
			p.Pos = p.skipMore(p.Continued())
		case c == '<' && p.ByteAt(p.Pos+1) == '#':
			comment, _, _ := strings.Cut(p.Text[p.Pos:p.Limit], "#>")
			p.Pos = min(p.Pos+len(comment)+len("#>"), p.Limit)
		default:
			return
		}
	}
}

// skipMore skips the >> that a terminal shows before the continuation lines of a statement.
func (p *psReader) skipMore(i int) int {
	if !p.Session || !strings.HasPrefix(p.Text[i:p.Limit], ">>") {
		return i
	}
	if i += len(">>"); p.ByteAt(i) == ' ' {
		i++
	}
	return i
}

// psSpace skips blanks, line ends and comments inside brackets.
func (p *psReader) psSpace() {
	for before := -1; p.Pos != before; {
		before = p.Pos
		p.psBlanks()
		switch {
		case p.ByteAt(p.Pos) == '\n':
			p.Pos = p.skipMore(p.Pos + 1)
		case p.ByteAt(p.Pos) == '#':
			p.Pos = p.LineEnd(p.Pos)
		}
	}
}

// keywords are the words that begin a statement but are not commands, with the construct that their braces form.
var keywords = map[string]script.Within{
	"if": script.Conditional, "elseif": script.Conditional, "else": script.Conditional, "switch": script.Conditional,
	"catch": script.Conditional,
	"for":   script.Loop, "foreach": script.Loop, "while": script.Loop, "do": script.Loop, "until": script.Loop,
	"function": script.Function, "filter": script.Function, "try": 0, "finally": 0, "return": 0, "param": 0, "begin": 0,
	"process": 0, "end": 0, "throw": 0, "using": 0, "exit": 0, "break": 0, "continue": 0,
}

func (p *psReader) statement() {
	word := strings.ToLower(p.bareName())
	within, keyword := keywords[word]
	if !keyword {
		if !p.psAssignment() {
			p.pipeline()
			p.Comment = ""
		}
		return
	}
	p.Pos += len(word)
	p.next = within
	p.psBlanks()
	if word == "function" || word == "filter" {
		p.Pos += len(p.bareName())
	}
	switch {
	case p.ByteAt(p.Pos) != '(':
	case word == "if" || word == "elseif" || word == "while" || word == "until" || word == "return":
		p.operand()
	default:
		p.skipParentheses(word == "param" && !p.block.braces)
	}
}

// bareName returns the unquoted name at the cursor: of a command, a keyword or a table entry.
func (p *psReader) bareName() string {
	if !script.NameBytes[p.ByteAt(p.Pos)] {
		return ""
	}
	return p.Text[p.Pos:p.Span(p.Pos, &script.CommandNameBytes)]
}

// skipParentheses skips what is in the parentheses at the cursor. If declares is set, it reads the defaults of the
// parameters that they declare.
func (p *psReader) skipParentheses(declares bool) {
	depth, open := 0, p.Pos
	for p.psSpace(); p.Pos < p.Limit; p.psSpace() {
		switch c := p.Text[p.Pos]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '\'' || c == '"':
			p.quotedText()
			continue
		case c == '$' && declares && depth == 1:
			p.advance(p.parameter)
			continue
		}
		if p.Pos++; depth == 0 {
			return
		}
	}
	p.psUnclosed(open)
}

// parameter reads a parameter of the script at the cursor. If it has a literal default, it is a variable with that
// default.
func (p *psReader) parameter() {
	isString := strings.EqualFold(p.Text[max(0, p.Pos-len("[string]")):p.Pos], "[string]")
	m := p.Match(psLeft())
	if m == nil {
		return
	}
	p.psSpace()
	v := p.operand()
	p.psSpace()
	value, literal := v.word.Literal()
	if next := p.ByteAt(p.Pos); !literal || value == "" || value == "null" && v.kind == psRaw || next != ',' && next != ')' {
		return
	}
	if isString {
		v.kind = psText
	}
	name := unscoped(m[1])
	v.word = script.Word{{Kind: script.Variable, Text: name, Default: value, HasDefault: true, Quoted: true}}
	p.values[strings.ToLower(name)] = v
}

func (p *psReader) psUnclosed(at int) {
	p.Fail(at, convert.Refuse(convert.InvalidSource,
		"A PowerShell quote or bracket is not closed.",
		"Close it. "+paste.CopyAsBash))
}

const psName = `\$(\{\w+(?::[A-Za-z_]\w*)?\}|\w+(?::[A-Za-z_]\w*)?)`

var (
	psVariable = expression.Lazy(`^` + psName)
	// psLeft matches the left side of an assignment: types, a variable, a property or entry, and whether it is +=.
	psLeft = expression.Lazy(`^(?:\[[^\]]*\][ \t]*)*` + psName +
		`(\.\w[\w-]*|\["[^"\]]+"\]|\['[^'\]]+'\])?[ \t]*(\+?)=`)
)

// psAssignment reads an assignment to $name or a property of it, or a cookie for a session, and reports whether there was
// one. Otherwise it consumes nothing, so that a pipeline can be read.
func (p *psReader) psAssignment() bool {
	if m := p.Match(psCookie()); m != nil {
		p.cookie(p.values[strings.ToLower(m[1])])
		return true
	}
	start := p.Pos
	m := p.Match(psLeft())
	if m == nil {
		return false
	}
	name, property := unscoped(m[1]), strings.Trim(m[2], ".[]\"'")
	key := strings.ToLower(name)
	p.psSpace()
	value := p.pipeline()
	if m[2] != "" {
		if owner := p.values[key]; owner.table != nil {
			owner.table.set(property, value)
		}
		return true
	}
	if m[3] != "" { // +=
		value = psValue{kind: psExpression, at: start}
	}
	if p.block.within != 0 {
		p.block.set = append(p.block.set, key)
	}
	if p.values[key] = value; value.kind == psUnknown {
		delete(p.values, key)
	}
	return true
}

// psCookie matches how browsers add a cookie to a session, up to its arguments: name, value, path and domain.
var psCookie = expression.Lazy(`(?i)^\$(\w+)\.Cookies\.Add\(\(New-Object System\.Net\.Cookie`)

// cookie reads the arguments of a cookie and adds it to a session.
func (p *psReader) cookie(session psValue) {
	open := p.Pos
	pair := p.operand()
	if p.Ahead(twoBrackets()) == 0 {
		p.psUnclosed(open)
	}
	p.Pos += len("))")
	if session.kind == psSession && len(pair.list) > 1 {
		session.table.cookies = append(session.table.cookies, pair.list[:2])
	}
}

var twoBrackets = expression.Lazy(`^\)\)`)

// variableName reads $name, ${name} or $scope:name at the cursor, or returns "" if there isn't one.
func (p *psReader) variableName() string {
	if m := p.Match(psVariable()); m != nil {
		return unscoped(m[1])
	}
	return ""
}

// unscoped returns a variable's name without braces and scope. It keeps the scope env, which has its own variables.
func unscoped(name string) string {
	if name = strings.Trim(name, "{}"); name == "_" || strings.EqualFold(name, "PSItem") {
		return "item" // a shell sets $_ itself
	}
	if scope, rest, ok := strings.Cut(name, ":"); ok && !strings.EqualFold(scope, "env") {
		return rest
	}
	return name
}

// pipeline reads elements joined by | and returns the value of the last.
func (p *psReader) pipeline() psValue {
	p.Enter(p.Pos)
	defer func() { p.Depth-- }()
	p.last = nil
	v := p.element(psValue{at: p.Pos}, false)
	for p.psBlanks(); p.ByteAt(p.Pos) == '|' && p.ByteAt(p.Pos+1) != '|'; p.psBlanks() {
		p.Pos++
		p.psSpace()
		if name := p.bareName(); p.last != nil && !strings.EqualFold(name, "Out-Null") {
			p.last.PipesInto = cmp.Or(name, "|")
		}
		p.last = nil
		v = p.element(v, true)
	}
	return v
}

// element reads one element of a pipeline: an expression or a command. in is its pipeline input.
func (p *psReader) element(in psValue, piped bool) psValue {
	c, next, at := p.ByteAt(p.Pos), p.ByteAt(p.Pos+1), p.Pos
	var called psValue
	switch {
	case (c == '&' || c == '.') && next != 0 && strings.IndexByte(" \t\"'$", next) >= 0:
		p.Pos++
		p.psBlanks()
		at = p.Pos
		called = p.operand()
	case script.IsNameStart(c):
		called = p.bareArgument()
	default:
		return p.expression()
	}
	name, _ := called.word.Literal()
	return p.call(at, name, in, piped)
}
