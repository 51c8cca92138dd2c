package shell

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
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
		p.advance(p.statement)
	}
}

// advance reads something, at least one byte.
func (p *psReader) advance(read func()) {
	before := p.pos
	if read(); p.pos == before {
		p.pos++
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
		case strings.IndexByte(";)\r|,", c) >= 0:
			p.pos++
		case c == '{':
			if len(p.bodies) >= MaxOpen {
				p.tooDeep(p.pos, MaxOpen)
			}
			p.pos++
			p.bodies = append(p.bodies, psBody{within: p.next})
			p.next = 0
		case c == '}':
			p.pos++
			p.closeBody()
		default:
			before := p.pos
			if p.psBlanks(); p.pos == before {
				return true
			}
		}
	}
	return false
}

func (p *psReader) closeBody() {
	n := len(p.bodies) - 1
	if n < 0 {
		return
	}
	for _, name := range p.bodies[n].set {
		delete(p.values, name)
	}
	p.bodies = p.bodies[:n]
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
		case c == '`' && p.continued() > 0:
			p.pos = p.skipMore(p.continued())
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

// skipMore steps over the >> that a terminal shows in front of the further
// lines of a statement.
func (p *psReader) skipMore(i int) int {
	if !p.session || !strings.HasPrefix(p.text[i:p.limit], ">>") {
		return i
	}
	if i += len(">>"); p.byteAt(i) == ' ' {
		i++
	}
	return i
}

// psSpace skips blanks, line ends and comments inside brackets.
func (p *psReader) psSpace() {
	for before := -1; p.pos != before; {
		before = p.pos
		p.psBlanks()
		switch {
		case p.newlineAt(p.pos) > 0:
			p.pos = p.skipMore(p.pos + p.newlineAt(p.pos))
		case p.byteAt(p.pos) == '#':
			p.pos = p.lineEnd(p.pos)
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
	if !isNameByte(p.byteAt(p.pos)) {
		return ""
	}
	return p.text[p.pos:p.span(p.pos, &commandNameBytes)]
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

const psName = `\$(\{\w+(?::[A-Za-z_]\w*)?\}|\w+(?::[A-Za-z_]\w*)?)`

var (
	psVariable = expression.Lazy(`^` + psName)
	// psLeft is the left side of an assignment: types, a variable, members of
	// it, and whether something is added.
	psLeft = expression.Lazy(`^(?:\[[^\]]*\][ \t]*)*` + psName +
		`((?:\.\w[\w-]*|\["[^"\]]+"\]|\['[^'\]]+'\])*)[ \t]*(\+?)=`)
	psMember = expression.Lazy(`\.([\w-]+)|\[["']([^\]]+)["']\]`)
)

// psAssignment reads $name = …, also of a member, and reports whether there is
// one. What is no assignment is left to be read as a pipeline.
func (p *psReader) psAssignment() bool {
	m := p.match(psLeft())
	if m == nil {
		return false
	}
	name, members, adding := unscoped(m[1]), psMember().FindAllStringSubmatch(m[2], -1), m[3] != ""
	key := strings.ToLower(name)
	p.psSpace()
	value := p.pipeline()
	if n := len(members); n > 0 {
		owner := p.values[key]
		for _, m := range members[:n-1] {
			owner = p.member(owner, m[1]+m[2])
		}
		if owner.table != nil {
			owner.table.set(members[n-1][1]+members[n-1][2], value)
		}
		return true
	}
	if adding {
		value = p.concatenated(p.valueOf(name), value)
	}
	if n := len(p.bodies); n > 0 && p.psWithin() != 0 {
		p.bodies[n-1].set = append(p.bodies[n-1].set, key)
	}
	if value.kind == psUnknown {
		delete(p.values, key)
	} else {
		p.values[key] = value
	}
	return true
}

// variableName reads $name, ${name} or $scope:name at the cursor, "" when
// there is none.
func (p *psReader) variableName() string {
	if m := p.match(psVariable()); m != nil {
		return unscoped(m[1])
	}
	return ""
}

// unscoped is a variable's name without braces and scope. Of a scope only env
// stays: it is a place of its own.
func unscoped(name string) string {
	name = strings.Trim(name, "{}")
	if scope, rest, ok := strings.Cut(name, ":"); ok && !strings.EqualFold(scope, "env") {
		return rest
	}
	return name
}

// pipeline reads elements joined by | and returns the value of the last.
func (p *psReader) pipeline() psValue {
	p.enter(p.pos)
	defer func() { p.depth-- }()
	p.last = nil
	v := p.element(psValue{}, false)
	for p.psBlanks(); p.byteAt(p.pos) == '|' && p.byteAt(p.pos+1) != '|'; p.psBlanks() {
		p.pos++
		p.psSpace()
		if name := p.bareName(); p.last != nil && !strings.EqualFold(name, "Out-Null") {
			p.last.PipesInto = cmp.Or(name, "|")
		}
		p.last = nil
		v = p.element(v, true)
	}
	return v
}

// element reads one element of a pipeline: an expression or a command. in is
// what comes through the pipe.
func (p *psReader) element(in psValue, piped bool) psValue {
	c, next, at := p.byteAt(p.pos), p.byteAt(p.pos+1), p.pos
	var called psValue
	switch {
	case (c == '&' || c == '.') && next != 0 && strings.IndexByte(" \t\"'$", next) >= 0:
		p.pos++
		p.psBlanks()
		at = p.pos
		called = p.primary()
	case isNameStart(c):
		called = p.bareArgument()
	default:
		return p.expression()
	}
	name, _ := p.textOf(called).Literal()
	return p.call(at, name, in, piped)
}
