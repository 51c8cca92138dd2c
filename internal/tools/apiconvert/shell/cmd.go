package shell

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
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

var cmdRemark = expression.Lazy(`(?i)^(?:::|rem(?:\s|$))`)

// remark reads a line of rem or ::, the comments of cmd.exe.
func (w *cmdReader) remark() bool {
	start, end := w.pos, w.lineEnd(w.pos)
	m := w.match(cmdRemark())
	if m == nil {
		return false
	}
	w.keepComment(strings.Trim(w.text[min(start+len(m[0]), end):end], ":#=-* \t\r"))
	w.pos = end
	return true
}

// command reads one command and the operator behind it.
func (w *cmdReader) command() {
	cmd := w.start(&Command{Offset: w.place(w.pos), feeder: w.lists.feeder})
	w.cur = cmd
	for w.toWord() {
		w.countWord()
		start := w.pos
		if !w.redirection(cmd, cmdRedirects(), w.redirectTarget) {
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
		case c == '^' && isBlank(w.byteAt(w.pos+1)): // the lines were joined
			w.pos += 2
		case c == '^' && w.newlineAt(w.pos+1) > 0:
			w.pos = w.skipMore(w.pos + 1 + w.newlineAt(w.pos+1))
			if w.newlineAt(w.pos) > 0 {
				return false // an empty line: the ^ was one too many
			}
		case w.newlineAt(w.pos) > 0:
			if !w.goesOn(-1) {
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

// redirectTarget reads what is behind a redirection's operator.
func (w *cmdReader) redirectTarget(string, int) Word {
	for isBlank(w.byteAt(w.pos)) {
		w.pos++
	}
	target := w.word()
	if name, ok := target.Literal(); ok && strings.EqualFold(name, "nul") {
		return literalWord("/dev/null")
	}
	return target
}

// word reads the word at the cursor.
func (w *cmdReader) word() Word {
	start, at := w.pos, w.pos
	a := argument{habits: w.habits}
	quoted := false // cmd.exe takes the quotes for open
	for w.pos < w.limit && !w.endsWord(&a, start) {
		switch c := w.text[w.pos]; {
		case c == '^' && (!quoted || w.carets):
			w.caretEscape(&a)
			continue
		case w.newlineAt(w.pos) > 1:
			w.pos++
			continue
		case c == '%' && w.percent(&a):
			continue
		case c == '"':
			quoted = !quoted
			if !a.open {
				at = w.pos
			}
		}
		a.take(w.text[w.pos])
		w.pos++
	}
	a.settle()
	if a.open {
		w.fail(at, convert.Refuse(convert.InvalidSource,
			"A double quote of the Windows command prompt is not closed.",
			"Close the quote. "+CopyAsBash))
	}
	return a.fields.word()
}

// endsWord reports whether the byte at the cursor ends the word. In the C
// runtime's quotes nothing does: what cmd.exe would end there was not meant to
// end.
func (w *cmdReader) endsWord(a *argument, start int) bool {
	if a.open {
		return false
	}
	var end int
	var n Note
	switch c := w.text[w.pos]; {
	case isBlank(c), w.newlineAt(w.pos) > 0, c == '|', c == '>', c == ')' && w.parentheses > 0:
		return true
	case c == '^' && w.newlineAt(w.pos+1) > 0:
		behind := w.pos + 1 + w.newlineAt(w.pos+1)
		return w.newlineAt(behind) > 0 && !w.newlinesInWord(w.pos+1)
	case c == '<':
		end, n = w.placeholderEnd(start), PlaceholderKept
	case c == '&':
		end, n = w.ampersandEnd(start), AmpersandKept
	default:
		return false
	}
	if end == w.pos {
		return true
	}
	w.note(n)
	for ; w.pos < end; w.pos++ {
		a.take(w.text[w.pos])
	}
	return w.pos == w.limit || w.endsWord(a, start)
}

// newlinesInWord reports whether the line ends at i stand between two quoted
// stretches of one word, as the oldest developer tools wrote them.
func (w *cmdReader) newlinesInWord(i int) bool {
	return i > 1 && w.text[i-2] == '"' && w.byteAt(w.span(i, &lineEnds)) == '"'
}

var lineEnds = bytesOf("\r\n")

// caretEscape reads a ^ and what it escapes: a line end that it takes away,
// with the one behind it, which is text, or a character.
func (w *cmdReader) caretEscape(a *argument) {
	w.pos++
	n := w.newlineAt(w.pos)
	switch {
	case w.pos == w.limit:
	case n == 0:
		a.take(w.text[w.pos])
		w.pos++
	case !a.open && w.newlinesInWord(w.pos):
		for end := w.span(w.pos, &lineEnds); w.pos < end; w.pos++ {
			if w.text[w.pos] != '\r' {
				a.take('\n')
			}
		}
	default:
		w.pos = w.skipMore(w.pos + n)
		if a.open {
			a.take('\n')
			w.pos += w.newlineAt(w.pos)
		}
	}
}

// cmdVariable is %NAME%, percentEncoded what could also be an encoded byte
// (RFC 3986, section 2.1) and an encoded byte behind it.
var (
	cmdVariable    = expression.Lazy(`^%([A-Za-z_]\w{0,63})%`)
	percentEncoded = expression.Lazy(`^%[0-9A-Fa-f]{2}(?:%|\w*%[0-9A-Fa-f]{2})`)
)

// percent reads %NAME% at the cursor and reports whether there is one.
func (w *cmdReader) percent(a *argument) bool {
	if percentEncoded().MatchString(w.text[w.pos:min(w.limit, w.pos+maxToken)]) {
		return false
	}
	m := w.match(cmdVariable())
	if m == nil {
		return false
	}
	a.settle()
	if value, known := w.vars[strings.ToUpper(m[1])]; known {
		w.spend(weight(value))
		w.expanded(strings.ToUpper(m[1]), value)
		a.fields.value(value, true)
	} else {
		a.fields.part(Part{Kind: Variable, Text: m[1], Quoted: true})
	}
	return true
}
