package shell

import (
	"slices"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// closer says what ends a command list.
type closer uint8

const (
	outermost   closer = iota // the end of the text
	parenthesis               // the ) of a substitution
)

// frame is an open compound command (XCU 2.9.4).
type frame struct {
	kind frameKind
	// pattern says that a case stands before a pattern, not in a body.
	pattern bool
	first   int    // how many commands stand before it
	within  Within // what a command in it stands in
	name    string // of a function, "" for one whose body is not kept
	body    int    // where its body begins
}

type frameKind uint8

const (
	noFrame frameKind = iota
	subshell
	group
	definition
	conditional
	loop
	selection // case
)

// withinFrame is what a command in a frame stands in.
var withinFrame = [selection + 1]Within{conditional: Conditional, selection: Conditional, loop: Loop, definition: Function}

// reservedWords are those of XCU 2.4 and bash, with the frame that each opens
// or closes.
var reservedWords = map[string]struct{ opens, closes frameKind }{
	"if": {opens: conditional}, "then": {}, "else": {}, "elif": {}, "fi": {closes: conditional},
	"while": {opens: loop}, "until": {opens: loop}, "for": {opens: loop}, "select": {opens: loop},
	"do": {}, "done": {closes: loop},
	"case": {}, "esac": {closes: selection}, "{": {opens: group}, "}": {closes: group},
	"!": {}, "coproc": {}, "function": {}, "[[": {},
}

const maxReserved = 8 // len("function")

// list reads commands up to the closer and reports whether it was there. The
// compound commands around them are kept on a stack, not in the call stack,
// and nothing is asked of their grammar: a closer without its opener is
// skipped.
func (r *reader) list(end closer) bool {
	outer, cur := r.lists, r.cur
	r.lists = listState{feeder: fedByNothing, around: r.within()}
	closed := false
	for !closed && r.toCommand() {
		r.budget.Parts(1)
		switch c := r.text[r.pos]; {
		case r.inPattern():
			r.casePattern()
		case c == ')':
			r.pos++
			closed = !r.pop(subshell) && end == parenthesis
		case c == '(':
			r.openParenthesis()
		case c == ';':
			r.semicolon()
		case c == '&' || c == '|':
			r.lists.feeder = fedByCompound
			r.operator(nil)
		case !r.reserved():
			r.command()
		}
	}
	for len(r.lists.frames) > 0 {
		r.popTop()
	}
	r.lists, r.cur = outer, cur
	return closed
}

// toCommand moves to the next byte that is no blank, line end or comment and
// reports whether there is one.
func (r *reader) toCommand() bool {
	for r.pos < r.limit {
		switch {
		case r.newlineAt(r.pos) > 0:
			r.newline()
			r.startLine()
		case r.text[r.pos] == '#':
			r.commentLine()
		case r.text[r.pos] == '\r':
			r.pos++ // a CR that ends the text
		default:
			before := r.pos
			if r.blanks(); r.pos == before {
				return true
			}
		}
	}
	return false
}

// operator reads the control operator behind a command (nil behind a compound
// command) and says where the next one's input comes from.
func (r *reader) operator(cmd *Command) {
	feeder, doubtful, closed := r.lists.feeder, r.lists.doubtful, r.lists.closed
	r.lists.unlink()
	c, next := r.byteAt(r.pos), r.byteAt(r.pos+1)
	switch {
	case c != '&' && c != '|':
		return
	case next == c:
		r.pos++
		r.lists.doubtful = c == '|' || doubtful || cmd == nil || isTest(cmd)
	case c == '|':
		if next == '&' {
			r.pos++
		}
		r.lists.feeder = feeder
		if cmd != nil {
			cmd.PipesInto = "|"
		} else {
			r.pipe(closed)
		}
	case cmd != nil:
		cmd.Within |= Background
	}
	r.pos++
}

// pipe says of the commands of a compound command that their output is piped,
// where it is not piped or redirected already.
func (r *reader) pipe(closed []*Command) {
	r.budget.Parts(len(closed) / 8)
	r.lists.piped = closed
	for _, cmd := range closed {
		if cmd.PipesInto == "" && !slices.ContainsFunc(cmd.Redirects, func(red Redirect) bool { return red.FD == 1 }) {
			cmd.PipesInto = "|"
		}
	}
}

// unlink says that no pipe leads to the next command.
func (l *listState) unlink() {
	l.feeder, l.doubtful, l.closed, l.piped = fedByNothing, false, nil, nil
}

// isTest reports whether a command does nothing but decide what follows.
func isTest(cmd *Command) bool {
	name := cmd.name()
	return name == "[" || name == "test" || name == "command"
}

// semicolon skips ; and, in a case, the ;; that ends a body.
func (r *reader) semicolon() {
	r.pos++
	if c := r.byteAt(r.pos); c == ';' || c == '&' {
		r.pos++
		if top := r.top(); top != nil && top.kind == selection {
			top.pattern = true
		}
	}
	r.lists.unlink()
}

func (r *reader) inPattern() bool {
	top := r.top()
	return top != nil && top.pattern
}

// casePattern skips one pattern list of a case up to its ), or ends the case.
func (r *reader) casePattern() {
	if r.plainName() == "esac" {
		r.pos += len("esac")
		r.pop(selection)
		return
	}
	for r.pos < r.limit {
		switch c := r.text[r.pos]; {
		case c == ')':
			r.pos++
			r.top().pattern = false
			return
		case c == '\n':
			r.newline()
		case endsWord[c] || c == '\r':
			r.pos++
		default:
			r.wholeWord()
		}
	}
}

// openParenthesis opens a subshell, or skips an arithmetic command.
func (r *reader) openParenthesis() {
	if end, ok := r.arithmeticEnd(r.pos); ok {
		r.pos = end
		return
	}
	// All of a run of parentheses at once, so that no text asks again and
	// again whether it is arithmetic.
	for r.byteAt(r.pos) == '(' {
		r.pos++
		r.push(subshell)
	}
}

// arithmeticEnd returns the offset behind the )) that belongs to the (( at i.
func (r *reader) arithmeticEnd(i int) (int, bool) {
	const longest = 512
	if r.byteAt(i) != '(' || r.byteAt(i+1) != '(' {
		return 0, false
	}
	depth := 0
	for j := i; j < min(r.limit, i+longest); j++ {
		switch r.text[j] {
		case '(':
			depth++
		case ')':
			if depth--; depth <= 1 {
				return j + 2, depth == 1 && r.byteAt(j+1) == ')'
			}
		}
	}
	return 0, false
}

func (r *reader) top() *frame {
	if n := len(r.lists.frames); n > 0 {
		return &r.lists.frames[n-1]
	}
	return nil
}

func (r *reader) push(kind frameKind) {
	if len(r.lists.frames) >= MaxOpen {
		r.tooDeep(r.pos, MaxOpen)
	}
	f := frame{kind: kind, pattern: kind == selection, first: len(r.script.Commands)}
	if r.lists.defineNext && (kind == group || kind == subshell) {
		if kind == group {
			f.name, f.body = r.lists.defineName, r.pos+len("{")
		}
		f.kind, r.lists.defineNext = definition, false
	}
	f.within = r.within() | withinFrame[f.kind]
	r.lists.frames = append(r.lists.frames, f)
	r.lists.unlink()
	if f.kind != group {
		r.openScope()
	}
}

// pop closes the innermost compound command when it is of the kind; a
// function's body closes like what it is written as.
func (r *reader) pop(kind frameKind) bool {
	top := r.top()
	if top == nil || top.kind != kind && (top.kind != definition || kind != group && kind != subshell) {
		return false
	}
	r.popTop()
	return true
}

func (r *reader) popTop() {
	top := r.top()
	r.lists.frames = r.lists.frames[:len(r.lists.frames)-1]
	if top.kind != group {
		r.closeScope(top.kind == subshell)
	}
	if top.kind == definition {
		r.define(top)
	}
	r.lists.unlink()
	r.lists.closed = r.script.Commands[top.first:len(r.script.Commands):len(r.script.Commands)]
}

// within tells what the command being read stands in.
func (r *reader) within() Within {
	w := r.lists.around
	if top := r.top(); top != nil {
		w = top.within
	}
	if r.substOnly {
		w |= Substitution
	}
	return w
}

// plainName returns the unquoted name at the cursor that a reserved word or a
// command could be, "" when something else stands there.
func (r *reader) plainName() string {
	i := r.pos
	for i < r.limit && i-r.pos <= maxReserved && !special[bare][r.text[i]] {
		i++
	}
	if i < r.limit && !endsWord[r.text[i]] && r.newlineAt(i) == 0 {
		return ""
	}
	return r.text[r.pos:i]
}

// reserved reads a reserved word and what belongs to it before the next
// command. It reports whether there was one.
func (r *reader) reserved() bool {
	word := r.plainName()
	does, is := reservedWords[word]
	if !is {
		return false
	}
	if does.opens != noFrame {
		r.push(does.opens)
	}
	r.pop(does.closes)
	r.pos += len(word)
	switch word {
	case "for", "select":
		r.loopHead()
	case "case":
		r.caseHead()
	case "function":
		r.blanks()
		r.lists.defineName, _ = r.wholeWord().Literal()
		r.emptyParentheses()
		r.lists.defineNext = true
	case "[[":
		r.test()
	}
	return true
}

// loopHead reads the name and the words of a for; the name's value changes
// from pass to pass, so it is not known.
func (r *reader) loopHead() {
	r.blanks()
	if end, ok := r.arithmeticEnd(r.pos); ok {
		r.pos = end
		return
	}
	name := r.name(r.pos)
	r.pos += len(name)
	r.forget(name)
	for r.blanks(); r.pos < r.limit && !endsList[r.text[r.pos]] && r.newlineAt(r.pos) == 0; r.blanks() {
		start := r.pos
		r.wholeWord()
		r.nameToken(start, name)
	}
}

// caseHead reads the word and the in of a case.
func (r *reader) caseHead() {
	r.blanks()
	r.wholeWord()
	for r.blanks(); r.newlineAt(r.pos) > 0; r.blanks() {
		r.newline()
	}
	if r.plainName() == "in" {
		r.pos += len("in")
	}
	r.push(selection)
}

// test skips the words of [[ … ]], whose operators are not those of a list.
func (r *reader) test() {
	for r.pos < r.limit && r.newlineAt(r.pos) == 0 {
		switch {
		case r.plainName() == "]]":
			r.pos += len("]]")
			return
		case endsWord[r.text[r.pos]]:
			r.pos++
		default:
			r.wholeWord()
		}
	}
}

// emptyParentheses skips the () behind a function's name.
func (r *reader) emptyParentheses() bool {
	return r.match(noParameters()) != nil
}

var noParameters = expression.Lazy(`^[ \t]*\([ \t]*\)`)

// tooMany refuses a script of more than MaxCommands commands or MaxWords
// words.
func (r *reader) tooMany() {
	r.fail(r.pos, convert.Refuse(convert.TooComplex,
		"The shell text has more than %d commands, or more than %d words.",
		"Send it in several calls.", MaxCommands, MaxWords))
}
