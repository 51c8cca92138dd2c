package posix

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// frame is an open compound command (XCU 2.9.4).
type frame struct {
	kind frameKind
	// pattern reports that a case is before a pattern, not in a body.
	pattern bool
	first   int           // how many commands precede it
	within  script.Within // the constructs around a command in it
	name    string        // of a function, "" for one whose body is not kept
	body    int           // offset of its body
	never   bool          // it does not run
	branches
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

// withinFrame is the construct that each kind of frame represents.
var withinFrame = [...]script.Within{
	conditional: script.Conditional, selection: script.Conditional, loop: script.Loop, definition: script.Function,
}

// reservedWords are the reserved words of XCU 2.4 and bash, with the frame that each opens or closes.
var reservedWords = map[string]struct{ opens, closes frameKind }{
	"if": {opens: conditional}, "then": {}, "else": {}, "elif": {}, "fi": {closes: conditional},
	"while": {opens: loop}, "until": {opens: loop}, "for": {opens: loop}, "select": {opens: loop},
	"do": {}, "done": {closes: loop},
	"case": {}, "esac": {closes: selection}, "{": {opens: group}, "}": {closes: group},
	"!": {}, "coproc": {}, "function": {}, "[[": {},
}

const maxReserved = 8 // len("function")

// list reads commands up to the end of the input or the parenthesis of a substitution, and reports whether it found
// the latter. Open compound commands are kept on an explicit stack, not on the call stack. The grammar is not checked: a
// closing word without its opening word is skipped.
func (r *Reader) list(parenthesis bool) bool {
	outer, cur := r.Lists, r.Cur
	r.Lists = ListState{around: r.Within(), dead: !r.runs()}
	closed := false
	for !closed && r.ToCommand() {
		r.Budget.Parts(1)
		switch c := r.Text[r.Pos]; {
		case r.inPattern():
			r.casePattern()
		case c == ')':
			r.Pos++
			closed = !r.pop(subshell) && parenthesis
		case c == '(':
			r.openParenthesis()
		case c == ';':
			r.semicolon()
		case c == '&' || c == '|':
			r.Operator(nil)
		case !r.reserved():
			r.command()
		}
	}
	for len(r.Lists.frames) > 0 {
		r.popTop()
	}
	r.Lists, r.Cur = outer, cur
	return closed
}

// ToCommand moves to the next byte that isn't a blank, line end or comment and reports whether there is one.
func (r *Reader) ToCommand() bool {
	for r.Pos < r.Limit {
		switch {
		case r.Text[r.Pos] == '\n':
			r.newline()
			r.StartLine()
		case r.Text[r.Pos] == '#':
			r.commentLine()
		default:
			before := r.Pos
			if r.blanks(); r.Pos == before {
				return true
			}
		}
	}
	return false
}

// Operator reads the control operator after a command, or after a compound command if cmd is nil, and records where the
// input of the next command comes from.
func (r *Reader) Operator(cmd *script.Command) {
	before := r.Lists
	r.Lists.unlink()
	c, next := r.ByteAt(r.Pos), r.ByteAt(r.Pos+1)
	switch {
	case c != '&' && c != '|':
		return
	case next == c:
		r.Pos++
		r.Lists.doubtful = c == '|' || before.doubtful || cmd == nil || slices.Contains(tests, cmd.CommandName())
		r.Lists.outcome = before.outcome
		r.Lists.skips = c == '&' && before.outcome == isFalse || c == '|' && before.outcome == isTrue
	case c == '|':
		if next == '&' {
			r.Pos++
		}
		r.pipe(before.ended)
		r.Lists.outcome, r.Lists.skips = before.outcome, before.skips
	}
	r.Pos++
}

// pipe marks the output of the commands before a | as piped, unless it is already piped or redirected.
func (r *Reader) pipe(ended []*script.Command) {
	r.Budget.Parts(len(ended) / 8)
	r.Lists.feeders = ended
	for _, cmd := range ended {
		if cmd.PipesInto == "" && !redirected(cmd) {
			cmd.PipesInto = "|"
		}
	}
}

// tests are the commands that only test a condition.
var tests = []string{"[", "test", "command"}

// unlink records that neither a pipe nor a test leads to the next command.
func (l *ListState) unlink() {
	l.doubtful, l.ended, l.feeders = false, nil, nil
	l.outcome, l.skips = undecided, false
}

// semicolon skips ; and, in a case, the ;; that ends a body.
func (r *Reader) semicolon() {
	r.Pos++
	if c := r.ByteAt(r.Pos); c == ';' || c == '&' {
		r.Pos++
		if top := r.top(); top != nil && top.kind == selection {
			top.pattern = true
		}
	}
	r.Lists.unlink()
}

func (r *Reader) inPattern() bool {
	top := r.top()
	return top != nil && top.pattern
}

// casePattern skips one pattern list of a case up to its ), or ends the case.
func (r *Reader) casePattern() {
	if r.plainName() == "esac" {
		r.Pos += len("esac")
		r.pop(selection)
		return
	}
	for r.Pos < r.Limit {
		switch c := r.Text[r.Pos]; {
		case c == ')':
			r.Pos++
			r.top().pattern = false
			return
		case c == '\n':
			r.newline()
		case endsWord[c]:
			r.Pos++
		default:
			r.unsplitWord()
		}
	}
}

// openParenthesis opens a subshell or skips an arithmetic command.
func (r *Reader) openParenthesis() {
	if end, ok := r.arithmeticEnd(r.Pos); ok {
		r.Pos = end
		return
	}
	// Open a run of parentheses at once, so that each is checked for arithmetic only once.
	for r.ByteAt(r.Pos) == '(' {
		r.Pos++
		r.push(subshell)
	}
}

// arithmeticEnd returns the offset after the )) that closes the (( at i.
func (r *Reader) arithmeticEnd(i int) (int, bool) {
	const longest = 512
	if r.ByteAt(i) != '(' || r.ByteAt(i+1) != '(' {
		return 0, false
	}
	depth := 0
	for j := i; j < min(r.Limit, i+longest); j++ {
		switch r.Text[j] {
		case '(':
			depth++
		case ')':
			if depth--; depth <= 1 {
				return j + 2, depth == 1 && r.ByteAt(j+1) == ')'
			}
		}
	}
	return 0, false
}

func (r *Reader) top() *frame {
	if n := len(r.Lists.frames); n > 0 {
		return &r.Lists.frames[n-1]
	}
	return nil
}

func (r *Reader) push(kind frameKind) {
	if len(r.Lists.frames) >= MaxOpen {
		r.tooDeep(r.Pos, MaxOpen)
	}
	f := frame{kind: kind, pattern: kind == selection, first: len(r.script.Commands), never: !r.runs()}
	if r.Lists.defineNext && (kind == group || kind == subshell) {
		if kind == group {
			f.name, f.body = r.Lists.defineName, r.Pos+len("{")
		}
		f.kind, r.Lists.defineNext = definition, false
	}
	r.untested()
	f.within = r.Within() | withinFrame[f.kind]
	r.Lists.frames = append(r.Lists.frames, f)
	r.Lists.unlink()
	if f.kind != group {
		r.openScope()
	}
}

// pop closes the innermost compound command if it has the given kind. A function's body closes like the group or
// subshell it is written as.
func (r *Reader) pop(kind frameKind) bool {
	top := r.top()
	if top == nil || top.kind != kind && (top.kind != definition || kind != group && kind != subshell) {
		return false
	}
	r.popTop()
	return true
}

func (r *Reader) popTop() {
	top := r.top()
	r.Lists.frames = r.Lists.frames[:len(r.Lists.frames)-1]
	if top.kind != group {
		r.closeScope(top.kind == subshell)
	}
	if top.kind == definition {
		r.define(top)
	}
	r.Lists.unlink()
	r.Lists.ended = r.commandsFrom(top.first)
}

// OpenBlock opens a compound command of another shell that represents the constructs.
func (r *Reader) OpenBlock(within script.Within) {
	switch {
	case within&script.Conditional != 0:
		r.push(conditional)
	case within&script.Loop != 0:
		r.push(loop)
	default:
		r.push(group)
	}
	r.top().within |= within
}

// CloseBlock closes the innermost compound command, if any.
func (r *Reader) CloseBlock() {
	if r.InBlock() {
		r.popTop()
	}
}

// InBlock reports whether a compound command is open.
func (r *Reader) InBlock() bool { return len(r.Lists.frames) > 0 }

// Within returns the constructs around the current command.
func (r *Reader) Within() script.Within {
	w := r.Lists.around
	if top := r.top(); top != nil {
		w = top.within
	}
	if r.substOnly {
		w |= script.Substitution
	}
	return w
}

// plainName returns the unquoted name at the cursor, which may be a reserved word or a command, or "" if there isn't
// one.
func (r *Reader) plainName() string {
	i := r.Pos
	for i < r.Limit && i-r.Pos <= maxReserved && plain[bare][r.Text[i]] {
		i++
	}
	if i < r.Limit && !endsWord[r.Text[i]] {
		return ""
	}
	return r.Text[r.Pos:i]
}

// reserved reads a reserved word and what belongs to it before the next command. It reports whether there was one.
func (r *Reader) reserved() bool {
	word := r.plainName()
	does, is := reservedWords[word]
	if !is {
		return false
	}
	if does.opens != noFrame {
		r.push(does.opens)
	}
	r.pop(does.closes)
	r.Pos += len(word)
	switch word {
	case "if", "then", "elif", "else":
		r.branch(word)
	case "!":
		r.untested()
	case "for", "select":
		r.loopHead()
	case "case":
		r.caseHead()
	case "function":
		r.blanks()
		r.Lists.defineName, _ = r.unsplitWord().Literal()
		r.emptyParentheses()
		r.Lists.defineNext = true
	case "[[":
		r.test()
	}
	return true
}

// isCount reports whether a value of a loop is a small number, which is no secret whatever the variable is called.
func isCount(value string) bool {
	return len(value) < 4 && strings.Trim(value, "0123456789") == ""
}

// loopHead reads the name and the words of a for. The variable changes with each iteration: its default is the first of
// the values that the script spells out.
func (r *Reader) loopHead() {
	r.blanks()
	if end, ok := r.arithmeticEnd(r.Pos); ok {
		r.Pos = end
		return
	}
	name := r.Name(r.Pos)
	var words []script.Word
	defer r.recordLoop(name, &words)()
	r.Pos += len(name)
	r.forget(name)
	for r.blanks(); r.Pos < r.Limit && !endsList[r.Text[r.Pos]]; r.blanks() {
		more, _ := r.wordFields()
		words = append(words, more...)
		if len(words) < 2 || len(more) != 1 {
			continue
		}
		if value, literal := more[0].Literal(); literal && !isCount(value) {
			r.nameToken(name, "")
		}
	}
	if len(words) < 2 || !script.IsLiteral(words[0], "in") {
		return
	}
	var values []string
	for _, w := range words[1:] {
		if value, literal := w.Literal(); literal && !script.ContainsAny(value, "*", "?", "[", "{") {
			values = append(values, value)
		}
		r.Expanded(name, w, false) // may be a secret
	}
	if len(values) == len(words)-1 && len(values) > 1 && r.script.Loops[name] == nil {
		r.script.Loops[name] = values
	}
	if first, literal := words[1].Literal(); literal && first != "" && !script.ContainsAny(first, "*", "?", "[", "{") {
		r.set(name, script.Word{{Kind: script.Variable, Text: name, Default: first, HasDefault: true}})
	}
}

// caseHead reads the word and the in of a case.
func (r *Reader) caseHead() {
	r.blanks()
	forget := r.withoutUses()
	r.unsplitWord()
	forget()
	for r.blanks(); r.ByteAt(r.Pos) == '\n'; r.blanks() {
		r.newline()
	}
	if r.plainName() == "in" {
		r.Pos += len("in")
	}
	r.push(selection)
}

// test reads [[ … ]], whose operators differ from those of a list.
func (r *Reader) test() {
	defer r.withoutUses()()
	var all, words []script.Word
	outcome := isTrue
	for r.Pos < r.Limit && r.Text[r.Pos] != '\n' {
		c := r.Text[r.Pos]
		switch {
		case r.plainName() == "]]":
			r.Pos += len("]]")
			r.tested(min(outcome, testOf(words)), all)
			return
		case c == '&' && r.ByteAt(r.Pos+1) == '&':
			outcome, words = min(outcome, testOf(words)), nil
			r.Pos += len("&&")
		case endsWord[c]:
			if !script.IsBlank(c) {
				r.untested()
			}
			r.Pos++
		default:
			words = append(words, r.unsplitWord())
			all = append(all, words[len(words)-1])
		}
	}
}

// emptyParentheses skips the () after a function's name.
func (r *Reader) emptyParentheses() bool { return r.Match(noParameters()) != nil }

var noParameters = expression.Lazy(`^[ \t]*\([ \t]*\)`)

// tooMany rejects a script with more than MaxCommands commands or MaxWords words.
func (r *Reader) tooMany() {
	r.Fail(r.Pos, convert.Reject(convert.TooComplex,
		"The script has more than %d commands or more than %d words.",
		"Split it into several scripts.", MaxCommands, MaxWords))
}
