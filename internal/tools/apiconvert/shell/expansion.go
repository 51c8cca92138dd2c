package shell

import (
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
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
	case next >= '0' && next <= '9' || specialParameters[string(next)] != "":
		r.pos += 2
		r.variable(f, parameterPart(string(next)), inQuotes)
	default:
		r.textByte(f)
	}
}

// specialParameters are the names of what XCU 2.5.2 has a character for; $@ and
// $* are no variable but any number of arguments.
var specialParameters = map[string]string{
	"@": "arguments", "*": "arguments", "#": "argument_count", "?": "exit_status", "$": "process_id",
	"!": "background_process_id", "-": "shell_options",
}

// parameterPart is what a parameter's name stands for.
func parameterPart(name string) Part {
	p := Part{Kind: Variable, Text: name}
	if name == "@" || name == "*" {
		p.Kind = Arguments
	}
	if special := specialParameters[name]; special != "" {
		p.Text = special
	}
	return p
}

// variable adds a variable: its value if that is known.
func (r *reader) variable(f *fields, p Part, inQuotes bool) {
	if p.Kind == Variable {
		if value, ok := r.known(p.Text); ok {
			r.spend(weight(value))
			r.expanded(p.Text, value)
			f.value(value, inQuotes)
			return
		}
	}
	if p.Kind == Arguments {
		if r.allArguments(f, 1) {
			return
		}
		r.note(ArgumentsUnknown)
	}
	p.Quoted = inQuotes
	f.part(p)
}

// known is the value of a variable or a positional parameter, if it is known.
func (r *reader) known(name string) (Word, bool) {
	if r.parsed != nil {
		return nil, false
	}
	if value, ok := r.argument(name); ok {
		return value, true
	}
	value, ok := r.vars[name]
	return value, ok
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
	if r.parsed != nil {
		r.unknown(f, CommandSubstitution, "command", inQuotes)
		return
	}
	r.connect(first)
	if text, ok := outputOf(r.script.Commands[first:]); ok {
		r.spend(weight(text))
		f.value(trimNewlines(text), inQuotes)
		return
	}
	r.note(SubstitutionUsed)
	if name := credentialCommand(r.script.Commands[first:]); name != "" {
		r.spend(unknownWeight)
		f.part(Part{Kind: CommandSubstitution, Text: name, Quoted: inQuotes})
		return
	}
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
	i, closed := r.behindEscaped(open+1, '`')
	if !closed {
		r.fail(open, convert.Refuse(convert.InvalidSource,
			"A backquote is not closed.",
			"Close the backquote, or use $(…)."))
	}
	r.enter(open)
	escapes := backquoteEscapes
	if m == quoted {
		escapes = quotedBackquoteEscapes
	}
	inner := r.derive(escapes.Replace(r.text[open+1:i]), open)
	if r.parsed != nil && inner.text == r.text[open+1:i] && r.isExact() {
		inner.base, inner.exact = r.place(open+1), true
	}
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

var (
	backquoteEscapes       = strings.NewReplacer("\\$", "$", "\\`", "`", `\\`, `\`)
	quotedBackquoteEscapes = strings.NewReplacer("\\$", "$", "\\`", "`", `\\`, `\`, `\"`, `"`)
)

// What begins with ${: a parameter with what stands in front of its name, the
// [index] of a bash array and the operator; and what looks like one but is a
// template's placeholder, ${{ name }} or ${dotted.name}.
var (
	parameterHead = expression.Lazy(
		`(?s)^\$\{([#!]?)([A-Za-z_]\w*|[0-9]+|[@*#?$!-])(?:\[([^\]]{0,62})\])?(:?(?:%%|##|[^}])?)`)
	template = expression.Lazy(`^\$\{(?:\{ *([A-Za-z_][\w.-]*) *\}\}|([A-Za-z_][\w-]*\.[\w.-]*)\})`)
)

// parameter reads ${…} (XCU 2.6.2).
func (r *reader) parameter(f *fields, inQuotes bool) {
	open := r.pos
	if m := r.match(template()); m != nil {
		r.variable(f, Part{Kind: Variable, Text: m[1] + m[2]}, inQuotes)
		return
	}
	m := r.match(parameterHead())
	if m == nil {
		r.textByte(f)
		return
	}
	p, index := parameterPart(m[2]), m[3]
	start := r.pos
	word := r.parameterWord(open, inQuotes)
	if op := strings.TrimPrefix(m[4], ":"); op == "-" || op == "=" {
		r.recordDefault(start, p.Text, word)
	}
	switch {
	case m[1] == "#":
		r.note(ArithmeticUsed)
		r.unknown(f, Arithmetic, "length", inQuotes)
	case m[1] == "!":
		r.unworked(f, Part{Kind: Variable, Text: p.Text}, ExpansionUnknown, inQuotes)
	case index != "":
		r.element(f, p, index, inQuotes)
	default:
		r.operated(f, p, m[4], word, inQuotes)
	}
}

// unworked adds a part for what is not worked out.
func (r *reader) unworked(f *fields, p Part, n Note, inQuotes bool) {
	r.note(n)
	p.Quoted = inQuotes
	f.part(p)
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
		r.variable(f, p, inQuotes)
	case "-", "=":
		_, isArgument := r.argument(p.Text)
		if value, known := r.known(p.Text); known && len(value) == 0 && (isArgument || op[0] == ':') {
			r.spend(weight(word))
			f.value(word, inQuotes)
			return
		}
		p.Default, p.HasDefault = word.Literal()
		r.variable(f, p, inQuotes)
	case "1", "2", "3", "4", "5", "6", "7", "8", "9": // bash: ${@:2}
		if p.Kind != Arguments || len(word) > 0 || !r.allArguments(f, int(op[1]-'0')) {
			r.unworked(f, p, ExpansionUnknown, inQuotes)
		}
	case "%", "%%", "#", "##":
		value, known := r.vars[p.Text].Literal()
		affix, literal := word.Literal()
		if _, set := r.vars[p.Text]; set && known && literal && !strings.ContainsAny(affix, "*?[") {
			if strings.HasSuffix(op, "%") {
				value = strings.TrimSuffix(value, affix)
			} else {
				value = strings.TrimPrefix(value, affix)
			}
			r.spend(len(value))
			f.value(literalWord(value), inQuotes)
			return
		}
		fallthrough
	default:
		r.unworked(f, p, ExpansionUnknown, inQuotes)
	}
}

// element adds ${name[index]}: all words of a known array, each a field of
// its own, or one of them.
func (r *reader) element(f *fields, p Part, index string, inQuotes bool) {
	words, known := r.arrays[p.Text]
	all := index == "@" || index == "*"
	i, err := strconv.Atoi(index)
	switch {
	case known && all:
		r.fieldsOf(f, words)
	case known && err == nil && i >= 0 && i < len(words):
		r.spend(weight(words[i]))
		f.value(words[i], inQuotes)
	case all:
		p.Kind = Arguments
		r.unworked(f, p, ArgumentsUnknown, inQuotes)
	default:
		r.unworked(f, p, ExpansionUnknown, inQuotes)
	}
}

// fieldsOf adds words, each a field of its own.
func (r *reader) fieldsOf(f *fields, words []Word) {
	f.nothing = f.nothing || len(words) == 0
	for n, w := range words {
		r.spend(16 + weight(w))
		if n > 0 {
			f.split()
		}
		f.value(w, true)
	}
}
