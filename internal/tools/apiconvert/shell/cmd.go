package shell

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// cmdReader reads the text of Windows' command prompt. Two programs take such a
// line apart: cmd.exe, which ends it and resolves ^ and %NAME% and only knows
// whether double quotes are open, and the C runtime of curl.exe, which makes
// arguments of what is left and knows backslashes (Microsoft, "Parsing C
// command-line arguments").
type cmdReader struct {
	*reader
	habits
	parentheses int // open blocks
}

// cmdBlock reads a block of the command prompt.
func (r *reader) cmdBlock() {
	w := &cmdReader{reader: r, habits: habitsOf(r.text[r.pos:r.limit])}
	r.lists = listState{feeder: fedByNothing}
	r.startLine()
	for w.toCommand() {
		w.budget.Parts(1)
		switch c := w.text[w.pos]; {
		case c == '@' || c == ';':
			w.pos++
		case c == '(':
			w.pos++
			w.parentheses++
		case c == ')':
			w.pos++
			w.parentheses = max(0, w.parentheses-1)
		case c == '&' || c == '|':
			w.lists.feeder = fedByCompound
			w.operator(nil)
		case !w.remark():
			w.command()
		}
	}
}

// remark reads a line of rem or ::, the comments of cmd.exe.
func (w *cmdReader) remark() bool {
	line := w.text[w.pos:w.lineEnd(w.pos)]
	if !strings.HasPrefix(line, "::") {
		if len(line) < 3 || !strings.EqualFold(line[:3], "rem") || len(line) > 3 && !isBlank(line[3]) {
			return false
		}
		line = line[3:]
	}
	w.keepComment(strings.Trim(line, ":#=-* \t\r"))
	w.pos = w.lineEnd(w.pos)
	return true
}

// command reads one command and the operator behind it.
func (w *cmdReader) command() {
	cmd := w.start(&Command{Offset: w.place(w.pos), feeder: w.lists.feeder})
	w.cur = cmd
	for w.toWord() {
		w.budget.Parts(wordParts)
		if w.words++; w.words > MaxWords {
			w.tooMany()
		}
		start := w.pos
		if !w.redirection(cmd) {
			cmd.Words = append(cmd.Words, w.word())
		}
		if w.pos == start {
			w.pos++ // an operator that can begin nothing here
		}
	}
	w.set(cmd)
	w.finish(cmd)
	cmd.Within &^= Background // & is what ; is elsewhere
	w.cur = nil
}

// toWord moves to the next word or redirection of the command and reports
// whether there is one.
func (w *cmdReader) toWord() bool {
	for w.pos < w.limit {
		switch c := w.text[w.pos]; {
		case isBlank(c):
			w.pos++
		case c == '^' && w.newlineAt(w.pos+1) > 0:
			w.pos = w.skipMore(w.pos + 1 + w.newlineAt(w.pos+1))
			if w.newlineAt(w.pos) > 0 {
				return false // an empty line: the ^ was one too many
			}
		case w.newlineAt(w.pos) > 0:
			if !w.goesOn() {
				return false
			}
		case c == '&' || c == '|' || c == ')' && w.parentheses > 0:
			return false
		default:
			return true
		}
	}
	return false
}

// skipMore steps over what the command prompt shows in front of the further
// lines of a command.
func (w *cmdReader) skipMore(i int) int {
	const more = "More? "
	if strings.HasPrefix(w.text[i:w.limit], more) {
		return i + len(more)
	}
	return i
}

// redirection reads a redirection at the cursor and reports whether there was
// one.
func (w *cmdReader) redirection(cmd *Command) bool {
	i, fd := w.pos, -1
	if c := w.byteAt(i); c >= '0' && c <= '9' {
		fd = int(c - '0')
		i++
	}
	op := w.byteAt(i)
	if op != '<' && op != '>' || op == '<' && fd < 0 && w.placeholderEnd(w.pos) > w.pos {
		return false
	}
	red := Redirect{FD: 1, Op: string(op)}
	if op == '<' {
		red.FD = 0
	}
	if fd >= 0 {
		red.FD = fd
	}
	i++
	for ; w.byteAt(i) == '>' || w.byteAt(i) == '&'; i++ {
		red.Op += w.text[i : i+1]
		if len(red.Op) > 2 {
			return false
		}
	}
	for isBlank(w.byteAt(i)) {
		i++
	}
	w.pos = i
	red.Target = w.word()
	if target, ok := red.Target.Literal(); ok && strings.EqualFold(target, "nul") {
		red.Target = Word{{Kind: Literal, Text: "/dev/null"}}
	}
	cmd.Redirects = append(cmd.Redirects, red)
	return true
}

// set carries out set NAME=value and set "NAME=value".
func (w *cmdReader) set(cmd *Command) {
	if len(cmd.Words) < 2 {
		return
	}
	if name, ok := cmd.Words[0].Literal(); !ok || !strings.EqualFold(name, "set") {
		return
	}
	value := append(Word{}, cmd.Words[1]...)
	for _, more := range cmd.Words[2:] { // blanks belong to the value
		w.spend(weight(more))
		value = append(append(value, Part{Kind: Literal, Text: " "}), more...)
	}
	if a, ok := assignmentIn(value); ok {
		a.Name = strings.ToUpper(a.Name)
		w.assign(a)
	}
}

// unclosed refuses a quote that does not end.
func (w *cmdReader) unclosed(at int) {
	w.fail(at, convert.Refuse(convert.InvalidSource,
		"A double quote of the Windows command prompt is not closed.",
		"Close the quote. "+CopyAsBash))
}
