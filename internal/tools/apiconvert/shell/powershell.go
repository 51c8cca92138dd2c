package shell

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// psReader reads PowerShell: calls of curl.exe, and of Invoke-WebRequest and
// Invoke-RestMethod, which become the words of the same curl command. It works
// out texts, hash tables and what developer tools and hand-written scripts make
// of them; everything else is a value that is not known.
type psReader struct {
	*reader
	values map[string]psValue // of variables, by their names in lower case
	bodies []psBody           // of the open braces
	next   Within             // what the next brace opens
	last   *Command           // that the element before a | called, nil for none
}

// psBody is an open { … }.
type psBody struct {
	within Within
	set    []string // variables set in it: unknown behind it
}

// powerShellBlock reads a block of PowerShell.
func (r *reader) powerShellBlock() {
	p := &psReader{reader: r, values: map[string]psValue{}}
	r.startLine()
	for p.toStatement() {
		p.budget.Parts(1)
		start := p.pos
		p.statement()
		if p.pos == start {
			p.pos++
		}
	}
}

// toStatement moves to the next statement and reports whether there is one.
func (p *psReader) toStatement() bool {
	for p.pos < p.limit {
		switch c := p.text[p.pos]; {
		case p.newlineAt(p.pos) > 0:
			p.newline()
			p.startLine()
		case c == '#':
			p.commentLine()
		case c == ';' || c == ')' || c == '\r' || c == '|' || c == ',':
			p.pos++
		case c == '{':
			p.open()
		case c == '}':
			p.pos++
			p.close()
		default:
			before := p.pos
			p.psBlanks()
			if p.pos == before {
				return true
			}
		}
	}
	return false
}

func (p *psReader) open() {
	if len(p.bodies) >= MaxOpen {
		p.tooDeep(p.pos, MaxOpen)
	}
	p.pos++
	p.bodies = append(p.bodies, psBody{within: p.next})
	p.next = 0
}

func (p *psReader) close() {
	n := len(p.bodies)
	if n == 0 {
		return
	}
	for _, name := range p.bodies[n-1].set {
		delete(p.values, name)
	}
	p.bodies = p.bodies[:n-1]
}

// psWithin tells what the statement stands in.
func (p *psReader) psWithin() (w Within) {
	for _, b := range p.bodies {
		w |= b.within
	}
	return w
}

// psBlanks skips blanks, comments inside a line and continued line ends.
func (p *psReader) psBlanks() {
	for p.pos < p.limit {
		switch c := p.text[p.pos]; {
		case isBlank(c):
			p.pos++
		case c == '`' && p.psContinuation() > 0:
			p.pos = p.skipMore(p.psContinuation())
		case c == '<' && p.byteAt(p.pos+1) == '#':
			end := strings.Index(p.text[p.pos:p.limit], "#>")
			if end < 0 {
				p.pos = p.limit
				return
			}
			p.pos += end + 2
		default:
			return
		}
	}
}

// psContinuation returns the offset behind the line end that the ` at the
// cursor takes away, 0 when it takes none. Blanks between the two, a common
// slip, are skipped.
func (p *psReader) psContinuation() int {
	i := p.pos + 1
	for isBlank(p.byteAt(i)) {
		i++
	}
	if n := p.newlineAt(i); n > 0 {
		return i + n
	}
	return 0
}

// skipMore steps over the >> that a terminal shows in front of the further
// lines of a statement.
func (p *psReader) skipMore(i int) int {
	if p.session && strings.HasPrefix(p.text[i:p.limit], ">>") {
		i += 2
		if p.byteAt(i) == ' ' {
			i++
		}
	}
	return i
}

// psSpace skips blanks, line ends and comments inside brackets.
func (p *psReader) psSpace() {
	for p.pos < p.limit {
		before := p.pos
		p.psBlanks()
		switch {
		case p.newlineAt(p.pos) > 0:
			p.pos = p.skipMore(p.pos + p.newlineAt(p.pos))
		case p.byteAt(p.pos) == '#':
			p.pos = p.lineEnd(p.pos)
		}
		if p.pos == before {
			return
		}
	}
}

// keywords are the words that a statement begins with and that are no
// commands, with what their braces hold.
var keywords = map[string]Within{
	"if": Conditional, "elseif": Conditional, "else": Conditional, "switch": Conditional, "catch": Conditional,
	"for": Loop, "foreach": Loop, "while": Loop, "do": Loop, "until": Loop,
	"function": Function, "filter": Function, "try": 0, "finally": 0, "return": 0, "param": 0, "begin": 0, "process": 0,
	"end": 0, "throw": 0, "using": 0, "exit": 0, "break": 0, "continue": 0,
}

// statement reads one statement.
func (p *psReader) statement() {
	word := strings.ToLower(p.bareName())
	within, keyword := keywords[word]
	if !keyword {
		if !p.psAssignment() {
			p.pipeline()
			p.comment = ""
		}
		return
	}
	p.pos += len(word)
	p.next = within
	p.psBlanks()
	switch word {
	case "function", "filter":
		p.pos += len(p.bareName())
	case "param", "for", "foreach", "switch", "catch":
		if p.byteAt(p.pos) == '(' {
			p.skipBrackets()
		}
	}
}

// bareName returns the unquoted name at the cursor: of a command, a keyword or
// a member of a table.
func (p *psReader) bareName() string {
	i := p.pos
	for i < p.limit && (isNameByte(p.text[i]) || i > p.pos && strings.IndexByte("-.", p.text[i]) >= 0) {
		i++
	}
	return p.text[p.pos:i]
}

// skipBrackets skips what stands in the brackets at the cursor.
func (p *psReader) skipBrackets() {
	depth, open := 0, p.pos
	for p.pos < p.limit {
		switch p.text[p.pos] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				p.pos++
				return
			}
		case '\'', '"':
			p.primary()
			continue
		}
		p.pos++
	}
	p.psUnclosed(open)
}

func (p *psReader) psUnclosed(at int) {
	p.fail(at, convert.Refuse(convert.InvalidSource,
		"A quote or a bracket of PowerShell is not closed.",
		"Close it. "+CopyAsBash))
}

// psAssignment reads $name = …, also of a member, and reports whether there is
// one. What is no assignment is left to be read as a pipeline.
func (p *psReader) psAssignment() bool {
	start := p.pos
	for p.byteAt(p.pos) == '[' { // a type in front
		end := strings.IndexByte(p.text[p.pos:min(p.limit, p.pos+maxType)], ']')
		if end < 0 {
			break
		}
		p.pos += end + 1
		p.psBlanks()
	}
	name := p.variableName()
	if name == "" {
		p.pos = start
		return false
	}
	owner, member := p.values[strings.ToLower(name)], p.target()
	for more := member; more != ""; {
		if more = p.target(); more != "" {
			owner, member = p.member(owner, member), more
		}
	}
	p.psBlanks()
	adding := p.byteAt(p.pos) == '+'
	if adding {
		p.pos++
	}
	if p.byteAt(p.pos) != '=' {
		p.pos = start
		return false
	}
	p.pos++
	p.psSpace()
	value := p.pipeline()
	key := strings.ToLower(name)
	if adding && member == "" {
		value = p.concatenated(p.valueOf(name), value)
	}
	if member != "" {
		p.setMember(owner, member, value)
		return true
	}
	if n := len(p.bodies); n > 0 && p.psWithin() != 0 {
		p.bodies[n-1].set = append(p.bodies[n-1].set, key)
	}
	if value.kind == psUnknown {
		delete(p.values, key)
		return true
	}
	p.values[key] = value
	return true
}

const maxType = 200

// variableName reads $name, ${name} or $scope:name at the cursor, "" when
// there is none. Of a scope only env stays: it is a place of its own.
func (p *psReader) variableName() string {
	if p.byteAt(p.pos) != '$' {
		return ""
	}
	i, braces := p.pos+1, false
	if p.byteAt(i) == '{' {
		braces = true
		i++
	}
	start := i
	for i < p.limit && (isNameByte(p.text[i]) || p.text[i] == ':' && !strings.Contains(p.text[start:i], ":") && isNameStart(p.byteAt(i+1))) {
		if i-start > maxType {
			return ""
		}
		i++
	}
	name := p.text[start:i]
	if name == "" || braces && p.byteAt(i) != '}' {
		return ""
	}
	if braces {
		i++
	}
	p.pos = i
	if scope, rest, ok := strings.Cut(name, ":"); ok && !strings.EqualFold(scope, "env") {
		return rest
	}
	return name
}

// target reads the .name or ["name"] of a member that is assigned to.
func (p *psReader) target() string {
	switch p.byteAt(p.pos) {
	case '.':
		start := p.pos
		p.pos++
		if name := p.bareName(); name != "" && !strings.Contains(name, ".") {
			p.pos += len(name)
			return name
		}
		p.pos = start
	case '[':
		rest := p.text[p.pos+1 : min(p.limit, p.pos+maxType)]
		end := strings.IndexByte(rest, ']')
		if end > 2 && (rest[0] == '"' || rest[0] == '\'') && rest[end-1] == rest[0] {
			p.pos += end + 2
			return rest[1 : end-1]
		}
	}
	return ""
}

// setMember sets a member of a table or of a session.
func (p *psReader) setMember(v psValue, name string, value psValue) {
	switch {
	case v.table != nil:
		v.table.set(name, value)
	case v.session != nil && strings.EqualFold(name, "UserAgent"):
		v.session.agent = p.textOf(value)
	case v.session != nil && strings.EqualFold(name, "Headers") && value.table != nil:
		v.session.headers = value.table
	}
}

// pipeline reads elements joined by | and returns the value of the last.
func (p *psReader) pipeline() psValue {
	p.enter(p.pos)
	defer func() { p.depth-- }()
	p.last = nil
	v := p.element(psValue{kind: psUnknown}, false)
	for p.psBlanks(); p.byteAt(p.pos) == '|' && p.byteAt(p.pos+1) != '|'; p.psBlanks() {
		p.pos++
		p.psSpace()
		if p.last != nil && !strings.EqualFold(p.bareName(), "Out-Null") {
			p.last.PipesInto = "|"
		}
		p.last = nil
		v = p.element(v, true)
	}
	return v
}

// element reads one element of a pipeline: an expression or a command. in is
// what comes through the pipe.
func (p *psReader) element(in psValue, piped bool) psValue {
	switch c := p.byteAt(p.pos); {
	case (c == '&' || c == '.') && (isBlank(p.byteAt(p.pos+1)) || strings.IndexByte("\"'$", p.byteAt(p.pos+1)) >= 0) && p.pos+1 < p.limit:
		p.pos++
		p.psBlanks()
		at := p.pos
		name, _ := p.textOf(p.primary()).Literal()
		return p.call(at, name, in, piped)
	case isNameStart(c):
		at := p.pos
		name, _ := p.textOf(p.bareArgument()).Literal()
		return p.call(at, name, in, piped)
	}
	return p.expression()
}
