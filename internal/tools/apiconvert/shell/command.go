package shell

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// wordParts is what a word costs, in parts of the budget.
const wordParts = 2

// command reads one simple command, the operator behind it included, or the
// head of a function definition.
func (r *reader) command() {
	cmd := r.start(&Command{Offset: r.place(r.pos), Within: r.within(), feeder: r.lists.feeder, piped: r.lists.piped})
	r.lists.closed, r.lists.piped = nil, nil
	outer := r.cur
	r.cur = cmd
	first := len(r.script.Commands)
	defer func() { r.cur = outer }()
	for r.toWord() {
		r.countWord()
		if r.redirection(cmd, posixRedirects(), r.redirectTarget) || len(cmd.Words) == 0 && r.assignment(cmd) {
			continue
		}
		start := r.pos
		words, plain := r.wordFields()
		if r.pos == start {
			r.pos++ // an operator that can begin nothing here
			continue
		}
		if plain && len(cmd.Words) == 0 && r.emptyParentheses() {
			r.lists.defineNext = true
			r.lists.defineName, _ = words[0].Literal()
			return
		}
		cmd.Words = append(cmd.Words, words...)
		if r.parsed != nil && len(words) == 1 {
			cmd.Tokens = append(cmd.Tokens, r.lastToken())
		}
	}
	r.handComment(cmd, first)
	r.finish(cmd)
}

// handComment gives the comment above a command to the request that a substitution
// in it sends, as in ID=$(curl …). first is the first of the commands in it.
func (r *reader) handComment(cmd *Command, first int) {
	if cmd.Comment+cmd.Apart == "" || cmd.name() == "curl" || isPlainCommand(cmd.Comment) {
		return
	}
	for _, inner := range r.script.Commands[first:] {
		if name := inner.name(); strings.HasSuffix(name, "curl") || r.functions[name] != nil {
			if inner.Comment == "" {
				inner.Comment, cmd.Comment = cmd.Comment, ""
				inner.Apart, cmd.Apart = strings.TrimPrefix(cmd.Apart+"\n\n"+inner.Apart, "\n\n"), ""
			}
			return
		}
	}
}

// toWord moves to the next word or redirection of the command and reports
// whether there is one.
func (r *reader) toWord() bool {
	for end := -1; ; { // of the words in front of a comment
		before := r.pos
		r.blanks()
		if r.pos >= r.limit {
			return false
		}
		switch c := r.text[r.pos]; {
		case c == '#':
			end = before
			from := r.pos
			r.pos = r.lineEnd(r.pos)
			r.record(&Token{Kind: CommentToken, From: from, To: r.pos})
		case c == '\n' || c == '\r':
			if !r.goesOn(end) {
				return false
			}
		case c == '&':
			return r.byteAt(r.pos+1) == '>' // bash: &> file
		default:
			return c != ';' && c != '|' && c != ')'
		}
	}
}

// goesOn steps over the line end when the next line begins with an option: no
// command does, so the backslash was forgotten or a comment hides it. end is where
// the comment begins, -1 for none.
func (r *reader) goesOn(end int) bool {
	if r.session || len(r.documents) > 0 || r.cur == nil || len(r.cur.Words) == 0 {
		return false
	}
	at := optionLine().FindStringSubmatchIndex(r.text[r.pos:min(r.limit, r.pos+maxToken)])
	if at == nil {
		return false
	}
	r.note(ContinuationAdded)
	if end < 0 {
		end = r.pos
	}
	r.edit(end, r.pos, " \\")
	r.pos += at[2]
	return true
}

var optionLine = expression.Lazy(`^(?:\r?\n|\r)[ \t]*(--?[A-Za-z])`)

// finish stores the command, carries out its assignments and reads the
// operator behind it.
func (r *reader) finish(cmd *Command) {
	r.lists.feeder = fedByCompound
	if len(cmd.Words) == 0 {
		for _, a := range cmd.Assignments {
			r.assign(a)
		}
		r.comment, r.apart = cmd.Comment, cmd.Apart // it names what the variables are set for
	} else {
		r.builtin(cmd.Words)
	}
	if len(cmd.Words)+len(cmd.Assignments)+len(cmd.Redirects) > 0 {
		r.lists.feeder = len(r.script.Commands)
		r.addCommand(cmd)
		r.call(cmd)
	}
	r.operator(cmd)
}

// assignment reads NAME=value, or NAME=(words) of bash, before a command's
// name.
func (r *reader) assignment(cmd *Command) bool {
	start := r.pos
	i := start + len(r.name(start))
	if i > start && r.byteAt(i) == '+' {
		i++
	}
	if i == start || r.byteAt(i) != '=' {
		return false
	}
	name := r.text[start:i]
	r.pos = i + 1
	if r.byteAt(r.pos) == '(' {
		r.array(name)
	} else {
		cmd.Assignments = append(cmd.Assignments, Assignment{Name: name, Value: r.wholeWord()})
		r.nameToken(i+1, name)
	}
	return true
}

// array reads the words of NAME=(…) and keeps them for "${NAME[@]}".
func (r *reader) array(name string) {
	r.pos++
	name, appending := strings.CutSuffix(name, "+")
	var words []Word
	for r.toCommand() && r.text[r.pos] != ')' {
		start := r.pos
		more, _ := r.wordFields()
		r.nameElement(start, name)
		if r.pos == start {
			r.pos++
		}
		words = append(words, more...)
	}
	if r.byteAt(r.pos) == ')' {
		r.pos++
	}
	r.comment = "" // one inside the array is about its words
	if appending {
		words = append(r.arrays[name], words...)
	}
	r.forget(name)
	r.arrays[name] = words
}
