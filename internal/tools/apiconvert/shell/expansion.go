package shell

import (
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// dollar reads what a $ begins (XCU 2.6); a $ that begins nothing is text.
func (r *reader) dollar(f *fields, m mode) {
	inQuotes := m == quoted || m == bracedQuoted || m == hereDocument
	next := r.byteAt(r.pos + 1)
	switch {
	case next == '\'' && !inQuotes:
		r.ansiQuoted(f)
	case next == '"' && !inQuotes: // bash: a text to be translated
		r.pos++
		r.doubleQuoted(f)
	case next == '(':
		r.parenthesized(f, inQuotes)
	case next == '{':
		r.parameter(f, inQuotes)
	case isNameStart(next):
		name := r.name(r.pos + 1)
		r.pos += 1 + len(name)
		r.variable(f, Part{Kind: Variable, Text: name}, inQuotes)
	case next >= '0' && next <= '9' || next != 0 && strings.IndexByte("@*#?$!-", next) >= 0:
		r.pos += 2
		r.variable(f, specialParameter(string(next)), inQuotes)
	default:
		r.textByte(f)
	}
}

// specialParameter names what $1, $@, $? … stand for (XCU 2.5.1, 2.5.2).
func specialParameter(name string) Part {
	switch name {
	case "@", "*":
		return Part{Kind: Arguments, Text: "arguments"}
	case "#":
		name = "argument_count"
	case "?":
		name = "exit_status"
	case "$":
		name = "process_id"
	case "!":
		name = "background_process_id"
	case "-":
		name = "shell_options"
	}
	return Part{Kind: Variable, Text: name}
}

// variable adds a variable: its value if that is known.
func (r *reader) variable(f *fields, p Part, inQuotes bool) {
	if p.Kind == Variable {
		if value, ok := r.vars[p.Text]; ok {
			r.spend(weight(value))
			r.expanded(p.Text, value)
			f.value(value, inQuotes)
			return
		}
	}
	if p.Kind == Arguments {
		r.note(ArgumentsUnknown)
	}
	p.Quoted = inQuotes
	f.part(p)
}

// unknown adds a part named after its kind and its number in the script.
func (r *reader) unknown(f *fields, kind Kind, name string, inQuotes bool) {
	if r.named == nil {
		r.named = map[string]int{}
	}
	r.named[name]++
	r.spend(unknownWeight)
	f.part(Part{Kind: kind, Text: name + "_" + strconv.Itoa(r.named[name]), Quoted: inQuotes})
}

// parenthesized reads $((…)) or $(…).
func (r *reader) parenthesized(f *fields, inQuotes bool) {
	open := r.pos
	if end, ok := r.arithmeticEnd(open + 1); ok {
		r.pos = end
		r.note(ArithmeticUsed)
		r.unknown(f, Arithmetic, "arithmetic", inQuotes)
		return
	}
	first := len(r.script.Commands)
	r.pos = open + 2
	r.substitution(open)
	r.output(f, first, inQuotes)
}

// processSubstitution reads bash's <(…) or >(…).
func (r *reader) processSubstitution(f *fields) {
	open := r.pos
	r.pos += 2
	r.substitution(open)
	r.note(ProcessSubstituted)
	r.unknown(f, ProcessSubstitution, "process", false)
}

// substitution reads the commands of a substitution, of which the cursor is
// behind the opening parenthesis, and its closing parenthesis.
func (r *reader) substitution(open int) {
	r.enter(open)
	substOnly, comment := r.substOnly, r.comment
	r.substOnly, r.comment = true, ""
	r.openScope()
	closed := r.list(parenthesis)
	r.closeScope(true)
	r.substOnly, r.comment = substOnly, comment
	r.depth--
	if !closed {
		r.fail(open, convert.Refuse(convert.InvalidSource,
			"A command substitution is not closed.",
			"Close it with a parenthesis."))
	}
}

// output adds the output of a substitution, whose commands begin at first.
func (r *reader) output(f *fields, first int, inQuotes bool) {
	r.connect(first)
	if text, ok := outputOf(r.script.Commands[first:]); ok {
		r.spend(weight(text))
		f.value(trimNewlines(text), inQuotes)
		return
	}
	r.note(SubstitutionUsed)
	r.unknown(f, CommandSubstitution, "command", inQuotes)
}

// trimNewlines removes the newlines at the end (XCU 2.6.3).
func trimNewlines(w Word) Word {
	for len(w) > 0 && w[len(w)-1].Kind == Literal {
		last := w[len(w)-1]
		last.Text = strings.TrimRight(last.Text, "\n")
		w = w[: len(w)-1 : len(w)-1]
		if last.Text != "" {
			return append(w, last)
		}
	}
	return w
}

// backquoted reads `…` (XCU 2.6.3). The commands are those of the text that
// is left when the backslashes in front of $, ` and \ are taken away. Each
// level of backquotes inside others doubles its backslashes, so the levels
// are few.
func (r *reader) backquoted(f *fields, m mode) {
	open := r.pos
	i := open + 1
	for i < r.limit && r.text[i] != '`' {
		if r.text[i] == '\\' {
			i++
		}
		i++
	}
	if i >= r.limit {
		r.fail(open, convert.Refuse(convert.InvalidSource,
			"A backquote is not closed.",
			"Close the backquote, or use $(…)."))
	}
	r.enter(open)
	inner := r.derive(withoutBackslashes(r.text[open+1:i], m == quoted), open)
	inner.substOnly = true
	inner.lists.around |= Substitution
	first := len(r.script.Commands)
	comment := r.comment
	r.comment = ""
	r.openScope()
	inner.list(outermost)
	inner.readDocuments()
	r.closeScope(true)
	r.comment = comment
	r.depth--
	r.pos = i + 1
	r.output(f, first, m == quoted || m == bracedQuoted || m == hereDocument)
}

// derive returns a reader of text that stands for the offset at. Text that is
// derived again and again is counted, since each level copies it.
func (r *reader) derive(text string, at int) *reader {
	inner := &reader{
		state: r.state, text: text, limit: len(text),
		derived: true, base: r.place(at), depth: r.depth, cur: r.cur,
	}
	inner.lists.around = r.within()
	if r.derived {
		r.spend(len(text))
	}
	return inner
}

func withoutBackslashes(text string, inQuotes bool) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	escapes := "$`\\"
	if inQuotes {
		escapes = "$`\\\""
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte(escapes, text[i+1]) >= 0 {
			i++
		}
		out = append(out, text[i])
	}
	return string(out)
}

// parameter reads ${…} (XCU 2.6.2).
func (r *reader) parameter(f *fields, inQuotes bool) {
	open := r.pos
	if r.template(f, inQuotes) {
		return
	}
	r.pos = open + 2
	counted := r.byteAt(r.pos) == '#' && r.byteAt(r.pos+1) != '}'
	if counted || r.byteAt(r.pos) == '!' && isNameStart(r.byteAt(r.pos+1)) {
		r.pos++
	}
	p, ok := r.parameterName()
	if !ok {
		r.pos = open
		r.textByte(f)
		return
	}
	index := r.subscript()
	op := r.parameterOperator()
	word := r.parameterWord(open, inQuotes)
	switch {
	case counted:
		r.note(ArithmeticUsed)
		r.unknown(f, Arithmetic, "length", inQuotes)
	case r.text[open+2] == '!':
		r.note(ExpansionUnknown)
		f.part(Part{Kind: Variable, Text: p.Text, Quoted: inQuotes})
	case index != "":
		r.element(f, p, index, inQuotes)
	default:
		r.operated(f, p, op, word, inQuotes)
	}
}

// template reads what looks like a parameter but is the placeholder of a
// template: ${{ name }} or ${dotted.name}.
func (r *reader) template(f *fields, inQuotes bool) bool {
	const longest = 100
	rest := r.text[r.pos+2 : min(r.limit, r.pos+2+longest)]
	end := strings.IndexByte(rest, '}')
	if end < 0 {
		return false
	}
	name, length := rest[:end], 2+end+1
	if strings.HasPrefix(name, "{") && strings.HasPrefix(rest[end:], "}}") {
		name, length = strings.Trim(name[1:], " "), length+1
	} else if strings.IndexByte(name, '.') < 0 {
		return false
	}
	if name == "" || !isNameStart(name[0]) || strings.Trim(name, templateName) != "" {
		return false
	}
	r.pos += length
	r.variable(f, Part{Kind: Variable, Text: name}, inQuotes)
	return true
}

const templateName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."

func (r *reader) parameterName() (Part, bool) {
	c := r.byteAt(r.pos)
	if name := r.name(r.pos); name != "" {
		r.pos += len(name)
		return Part{Kind: Variable, Text: name}, true
	}
	start := r.pos
	for c := r.byteAt(r.pos); c >= '0' && c <= '9'; c = r.byteAt(r.pos) {
		r.pos++
	}
	if r.pos > start {
		return Part{Kind: Variable, Text: r.text[start:r.pos]}, true
	}
	if c != 0 && strings.IndexByte("@*#?$!-", c) >= 0 {
		r.pos++
		return specialParameter(string(c)), true
	}
	return Part{}, false
}

// subscript reads the [index] of a bash array.
func (r *reader) subscript() string {
	const longest = 64
	if r.byteAt(r.pos) != '[' {
		return ""
	}
	end := strings.IndexByte(r.text[r.pos:min(r.limit, r.pos+longest)], ']')
	if end < 0 {
		return ""
	}
	index := r.text[r.pos+1 : r.pos+end]
	r.pos += end + 1
	return index
}

// parameterOperator reads the operator behind a parameter's name: "" for
// none, ":" and one byte or one byte alone, "##" and "%%".
func (r *reader) parameterOperator() string {
	start := r.pos
	if r.byteAt(r.pos) == ':' {
		r.pos++
	}
	switch c := r.byteAt(r.pos); c {
	case '-', '=', '?', '+':
		r.pos++
	case '%', '#':
		r.pos++
		if r.byteAt(r.pos) == c {
			r.pos++
		}
	case '}', 0:
	default: // bash: substring, replacement, case
		r.pos++
	}
	return r.text[start:r.pos]
}

// parameterWord reads the word behind the operator and the closing brace.
func (r *reader) parameterWord(open int, inQuotes bool) Word {
	r.enter(open)
	m := braced
	if inQuotes {
		m = bracedQuoted
	}
	f := fields{whole: true}
	r.expand(&f, m)
	r.depth--
	if r.byteAt(r.pos) != '}' {
		r.fail(open, convert.Refuse(convert.InvalidSource,
			"A parameter expansion is not closed.",
			"Close it with a brace, or write \\$ for a dollar sign."))
	}
	r.pos++
	return f.word()
}

// operated adds ${name op word}.
func (r *reader) operated(f *fields, p Part, op string, word Word, inQuotes bool) {
	switch strings.TrimPrefix(op, ":") {
	case "", "?":
	case "-", "=":
		p.Default, p.HasDefault = word.Literal()
	case "%", "%%", "#", "##":
		value, known := r.vars[p.Text].Literal()
		affix, literal := word.Literal()
		if _, set := r.vars[p.Text]; set && known && literal && !strings.ContainsAny(affix, "*?[") {
			if op[0] == '%' {
				value = strings.TrimSuffix(value, affix)
			} else {
				value = strings.TrimPrefix(value, affix)
			}
			r.spend(len(value))
			f.value(Word{{Kind: Literal, Text: value}}, inQuotes)
			return
		}
		fallthrough
	default:
		r.note(ExpansionUnknown)
		p.Quoted = inQuotes
		f.part(p)
		return
	}
	r.variable(f, p, inQuotes)
}

// element adds ${name[index]}: all words of a known array, each a field of
// its own, or one of them.
func (r *reader) element(f *fields, p Part, index string, inQuotes bool) {
	words, known := r.arrays[p.Text]
	i, err := strconv.Atoi(index)
	switch {
	case known && (index == "@" || index == "*"):
		for n, w := range words {
			r.spend(16 + weight(w))
			if n > 0 {
				f.split()
			}
			f.value(w, true)
		}
	case known && err == nil && i >= 0 && i < len(words):
		r.spend(weight(words[i]))
		f.value(words[i], inQuotes)
	case index == "@" || index == "*":
		r.note(ArgumentsUnknown)
		p.Kind, p.Quoted = Arguments, inQuotes
		f.part(p)
	default:
		r.note(ExpansionUnknown)
		p.Quoted = inQuotes
		f.part(p)
	}
}
