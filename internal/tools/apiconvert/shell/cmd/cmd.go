// Package cmd parses commands of the Windows command prompt.
//
//	cmd.go       lines, commands, %NAME%, ^
//	argument.go  one argument, as the C runtime parses it
package cmd

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// reader parses commands of the Windows command prompt. Two programs parse such a line: cmd.exe splits it into
// commands, resolves ^ and %NAME% and tracks only whether double quotes are open; then the C runtime of curl.exe splits
// the rest into arguments and handles backslashes (Microsoft, "Parsing C command-line arguments").
type reader struct {
	*posix.Reader
	batch bool // a batch file, in which %% represents %
	// around are the constructs around commands before lineEnd, as in IF DEFINED A curl.
	around  script.Within
	lineEnd int
}

var redirects = expression.Lazy(`^([0-9]?)([<>][>&]?)()`)

// Block reads a block of commands of the command prompt.
func Block(r *posix.Reader) {
	r.NoteScript(script.CmdDialect)
	w := &reader{Reader: r, batch: batchFile().MatchString(r.Text[r.Pos:r.Limit])}
	r.Lists, r.Windows = posix.ListState{}, true
	r.StartLine()
	for w.ToCommand() {
		w.Budget.Parts(1)
		switch c := w.Text[w.Pos]; {
		case c == '@' || c == ';':
			w.Pos++
		case c == '(':
			w.OpenBlock(w.within())
			w.Pos++
		case c == ')':
			w.CloseBlock()
			w.Pos++
		case c == '&' || c == '|':
			w.Operator(nil)
		case !w.remark() && !w.head():
			w.command()
		}
	}
	for w.InBlock() {
		w.CloseBlock()
	}
}

// Patterns for what precedes a command or block: if with its condition, else, and for with its values. The commands
// in the values of for /f are not read.
var (
	ifHead = expression.Lazy(`(?i)^(?:else\b|if[ \t]+(?:/i[ \t]+)?(?:not[ \t]+)?(?:(?:exist|defined|errorlevel)[ \t]+` +
		operand + `|` + operand + `[ \t]*(?:==|\b(?:equ|neq|lss|leq|gtr|geq)\b)[ \t]*` + operand + `)[ \t(])[ \t]*`)
	forHead = expression.Lazy(`(?i)^for[ \t]+(?:/[a-z][^%()]*)?%%?[a-z][ \t]+in[ \t]*\([^()']*\)[ \t]*do\b`)
)

const operand = `(?:"[^"\n]*"|[^ \t\n"=()&|])+`

// head reads what makes the command or block after it conditional or a loop.
func (w *reader) head() bool {
	if w.Pos >= w.lineEnd {
		w.around, w.lineEnd = 0, w.LineEnd(w.Pos)
	}
	switch {
	case w.Match(ifHead()) != nil:
		w.around |= script.Conditional
	case w.Match(forHead()) != nil:
		w.around |= script.Loop
	default:
		return false
	}
	if w.Text[w.Pos-1] == '(' {
		w.Pos--
	}
	return true
}

// within returns the constructs around the command at the cursor.
func (w *reader) within() script.Within {
	if w.Pos < w.lineEnd {
		return w.Within() | w.around
	}
	return w.Within()
}

var remarks = expression.Lazy(`(?i)^(?:::|rem(?:\s|$))`)

// remark reads a line of rem or ::, the comments of cmd.exe.
func (w *reader) remark() bool {
	start := w.Pos
	m := w.Match(remarks())
	if m == nil {
		return false
	}
	end := w.LineEnd(start)
	text := strings.Trim(w.Text[min(start+len(m[0]), end):end], ":#=-* \t")
	w.RecordComment(start, text)
	w.KeepComment(text)
	w.Pos = end
	return true
}

func (w *reader) command() {
	cmd := w.Start(w.Pos, w.within())
	w.Cur = cmd
	for w.toWord() {
		w.CountWord()
		start := w.Pos
		if !w.Redirection(cmd, redirects(), w.redirectTarget) {
			cmd.Words = append(cmd.Words, w.word())
			if w.named(cmd, "for") {
				cmd.Within |= script.Loop
			}
		}
		if w.Pos == start {
			w.Pos++ // an operator that cannot begin a command
		}
	}
	w.set(cmd)
	w.Finish(cmd)
	w.Cur = nil
}

// toWord moves to the next word or redirection of the command and reports whether there is one.
func (w *reader) toWord() bool {
	for w.Pos < w.Limit {
		switch c := w.Text[w.Pos]; {
		case script.IsBlank(c):
			w.Pos++
		case c == '^' && script.IsBlank(w.ByteAt(w.Pos+1)): // the lines were joined
			w.Pos += 2
		case c == '^' && w.ByteAt(w.Pos+1) == '\n':
			if w.Pos = w.skipMore(w.Pos + 2); w.ByteAt(w.Pos) == '\n' {
				return false // an empty line: the ^ is superfluous
			}
		case c == '\n':
			if !w.GoesOn() {
				return false
			}
		case c == '&' || c == '|' || c == ')' && w.InBlock():
			return false
		default:
			return true
		}
	}
	return false
}

// skipMore skips the prompt that the command prompt shows before the continuation lines of a command.
func (w *reader) skipMore(i int) int {
	return w.Limit - len(strings.TrimPrefix(w.Text[i:w.Limit], "More? "))
}

// named reports whether a command has a name, in any case.
func (w *reader) named(cmd *script.Command, name string) bool {
	return cmd != nil && strings.EqualFold(cmd.CommandName(), name)
}

// set evaluates set NAME=value and set "NAME=value".
func (w *reader) set(cmd *script.Command) {
	if len(cmd.Words) < 2 || !w.named(cmd, "set") {
		return
	}
	value := append(script.Word{}, cmd.Words[1]...)
	for _, more := range cmd.Words[2:] { // blanks are part of the value
		w.Spend(posix.Weight(more))
		value = append(append(value, script.Part{Kind: script.Literal, Text: " "}), more...)
	}
	if a, ok := posix.AssignmentIn(value); ok {
		a.Name = strings.ToUpper(a.Name)
		w.Assign(a)
	}
}

func (w *reader) redirectTarget(string, int) script.Word {
	for script.IsBlank(w.ByteAt(w.Pos)) {
		w.Pos++
	}
	target := w.word()
	if name, ok := target.Literal(); ok && strings.EqualFold(name, "nul") {
		return script.LiteralWord("/dev/null")
	}
	return target
}

func (w *reader) word() script.Word {
	start, at := w.Pos, w.Pos
	a := argument{raw: w.named(w.Cur, "echo")}
	quoted := false // whether cmd.exe considers the quotes open
	for w.Pos < w.Limit && !w.endsWord(&a, start) {
		switch c := w.Text[w.Pos]; {
		case c == '^' && !quoted:
			w.caretEscape(&a)
			continue
		case c == '^' && w.Ahead(caretInQuotes()) > 0:
			w.Fail(w.Pos, rejectedQuoting)
		case c == '%' && w.percent(&a):
			continue
		case w.batch && strings.HasPrefix(w.Text[w.Pos:w.Limit], "%%"):
			w.Pos++
		case c == '"':
			quoted = !quoted
			if !a.open {
				at = w.Pos
			}
		}
		a.take(w.Text[w.Pos])
		w.Pos++
	}
	a.flush()
	if a.open && !a.raw {
		w.Fail(at, convert.Reject(convert.InvalidSource,
			"A double quote of Windows cmd is not closed.",
			"Close the quote. "+paste.CopyAsBash))
	}
	return a.Fields.Word()
}

// endsWord reports whether the byte at the cursor ends the word. Inside the C runtime's quotes no byte does, even if
// cmd.exe would end the command there: the author did not mean it to.
func (w *reader) endsWord(a *argument, start int) bool {
	if a.open {
		return false
	}
	var end int
	var n script.Note
	switch c := w.Text[w.Pos]; {
	case script.IsBlank(c), c == '\n', c == '|', c == '>', c == ')' && w.InBlock():
		return true
	case c == '^':
		return w.ByteAt(w.Pos+1) == '\n' && w.ByteAt(w.Pos+2) == '\n'
	case c == '<':
		end, n = w.PlaceholderEnd(start), script.PlaceholderKept
	case c == '&':
		end, n = w.AmpersandEnd(start), script.AmpersandKept
	default:
		return false
	}
	if end == w.Pos {
		return true
	}
	w.Note(n)
	for ; w.Pos < end; w.Pos++ {
		a.take(w.Text[w.Pos])
	}
	return w.Pos == w.Limit || w.endsWord(a, start)
}

// caretEscape reads a ^ and what it escapes: a character, or a line end, which is dropped while the one after it is
// literal.
func (w *reader) caretEscape(a *argument) {
	w.Pos++
	switch {
	case w.Pos == w.Limit:
	case w.Text[w.Pos] != '\n':
		a.copied = a.copied || w.Text[w.Pos] == '"' && !a.open // Chromium and Firefox write ^"…^"
		a.take(w.Text[w.Pos])
		w.Pos++
	default:
		w.Pos = w.skipMore(w.Pos + 1)
		if a.open {
			a.take('\n')
			w.Pos = w.AfterNewline(w.Pos)
		}
	}
}

// caretInQuotes matches what only Chromium before 2024 wrote in quotes without a ^.
var caretInQuotes = expression.Lazy(`^\^(?:\\\^?"|%\^)`)

var rejectedQuoting = convert.Reject(convert.UnrecognizedSource,
	"A command for Windows cmd has the quoting of Chromium before 2024, or a ^ before a quote inside quotes.",
	"Copy the request again with a current browser. "+paste.CopyAsBash)

// variable matches %NAME%, and positional the parameters of a batch file. percentEncoded matches what could also be a
// percent-encoded byte (RFC 3986, section 2.1) with another one after it. loopVariable matches the variable of a for,
// which is %%i in a batch file and %i at the prompt.
var (
	batchFile      = expression.Lazy(`(?i)^\s*@echo +off|(?:^|\n)[ \t]*for[ \t][^\n]*%%[a-z][ \t]+in\b`)
	variable       = expression.Lazy(`^%([A-Za-z_]\w{0,63})%`)
	positional     = expression.Lazy(`^%(?:~[a-z]{0,8}([0-9])|([0-9])\b|(\*))`)
	percentEncoded = expression.Lazy(`^%[0-9A-Fa-f]{2}(?:%|\w*%[0-9A-Fa-f]{2})`)
	loopVariable   = expression.Lazy(`^%%?([A-Za-z])\b`)
)

// percent reads %NAME%, a parameter or the variable of a for at the cursor and reports whether there is one.
func (w *reader) percent(a *argument) bool {
	if w.Ahead(percentEncoded()) > 0 {
		return false
	}
	if m := w.Match(positional()); m != nil {
		a.flush()
		w.Parameter(&a.Fields, m[1]+m[2]+m[3])
		return true
	}
	m := w.Match(variable())
	if m == nil && w.Cur != nil && w.Cur.Within&script.Loop != 0 {
		m = w.Match(loopVariable())
	}
	if m == nil {
		return false
	}
	a.flush()
	if value, known := w.Vars[strings.ToUpper(m[1])]; known {
		w.Use(strings.ToUpper(m[1]))
		w.Spend(posix.Weight(value))
		w.Expanded(strings.ToUpper(m[1]), value, a.AfterSlash())
		a.Fields.Value(value, true)
	} else {
		a.Fields.Part(script.Part{Kind: script.Variable, Text: m[1], Quoted: true})
	}
	return true
}

// argument parses one argument as the C runtime does.
type argument struct {
	posix.Fields
	raw     bool // an argument of echo, which cmd.exe prints as it is
	copied  bool // a browser copied it, so every backslash is doubled, not only those before a quote
	slashes int  // backslashes that may precede a quote
	open    bool // in double quotes
	closed  bool // the last character closed the quotes
}

func (a *argument) take(c byte) {
	if a.raw {
		a.open = a.open != (c == '"')
		a.Fields.Text(string([]byte{c}))
		return
	}
	if c == '\\' {
		a.slashes++
		a.closed = false
		return
	}
	if c != '"' {
		a.flush()
		a.Literal.WriteByte(c)
		a.Started = true
		return
	}
	escaped, again := a.slashes%2 == 1, a.closed
	a.backslashes(a.slashes / 2)
	if escaped || again { // "" in quotes is one quote
		a.Fields.Text(`"`)
		a.open, a.closed = a.open || again, false
		return
	}
	a.Fields.Quoted()
	a.closed, a.open = a.open, !a.open
}

// flush adds the pending backslashes, which no quote follows.
func (a *argument) flush() {
	n := a.slashes
	if a.copied {
		n = (n + 1) / 2
	}
	a.backslashes(n)
	a.closed = false
}

func (a *argument) backslashes(n int) {
	a.Literal.WriteString(strings.Repeat(`\`, n))
	a.slashes = 0
}

// Unescape returns text as the C runtime unescapes it.
func Unescape(text string) string {
	var a argument
	for _, c := range []byte(text) {
		a.take(c)
	}
	a.flush()
	unescaped, _ := a.Fields.Word().Literal()
	return unescaped
}
