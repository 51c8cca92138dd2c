package posix

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// dollar reads what a $ introduces (XCU 2.6). A $ that introduces nothing is literal.
func (r *Reader) dollar(f *Fields, m mode) {
	inQuotes := m.inQuotes()
	next := r.ByteAt(r.Pos + 1)
	switch {
	case next == '\'' && !inQuotes:
		r.ansiQuoted(f)
	case next == '"' && !inQuotes: // bash: a string to be translated
		r.Pos++
		r.doubleQuoted(f)
	case next == '(':
		r.parenthesized(f, inQuotes)
	case next == '{':
		r.parameter(f, inQuotes)
	case script.IsNameStart(next):
		name := r.Name(r.Pos + 1)
		r.Pos += 1 + len(name)
		r.variable(f, script.Part{Kind: script.Variable, Text: name}, inQuotes)
	case next >= '0' && next <= '9' || specialParameters[string(next)] != "":
		r.Pos += 2
		r.variable(f, parameterPart(string(next)), inQuotes)
	default:
		r.textByte(f)
	}
}

// specialParameters names the special parameters of XCU 2.5.2. $@ and $* are not variables but any number of arguments.
var specialParameters = map[string]string{
	"@": "arguments", "*": "arguments", "#": "argument_count", "?": "exit_status", "$": "process_id",
	"!": "background_process_id", "-": "shell_options",
}

// Parameter adds a positional or special parameter of another shell.
func (r *Reader) Parameter(f *Fields, name string) { r.variable(f, parameterPart(name), true) }

func parameterPart(name string) script.Part {
	p := script.Part{Kind: script.Variable, Text: name}
	if name == "@" || name == "*" {
		p.Kind = script.Arguments
	}
	p.Text = cmp.Or(specialParameters[name], name)
	return p
}

// variable adds a variable, or its value if that is known.
func (r *Reader) variable(f *Fields, p script.Part, inQuotes bool) {
	if p.Kind == script.Variable {
		r.Use(p.Text)
		if value, ok := r.known(p.Text); ok {
			r.Spend(Weight(value))
			r.Expanded(p.Text, value, f.AfterSlash())
			f.Value(value, inQuotes)
			return
		}
	}
	if p.Kind == script.Arguments {
		if r.allArguments(f, 1) {
			return
		}
		r.Note(script.ArgumentsUnknown)
	}
	p.Quoted = inQuotes
	f.Part(p)
}

// known returns the value of a variable or positional parameter, if it is known.
func (r *Reader) known(name string) (script.Word, bool) {
	if r.parses {
		return nil, false
	}
	if value, ok := r.argument(name); ok {
		return value, true
	}
	value, ok := r.Vars[name]
	return value, ok
}

// Unknown adds a part named after its kind and its number in the script.
func (r *Reader) Unknown(f *Fields, kind script.Kind, name string, inQuotes bool) {
	r.named[name]++
	r.Spend(unknownWeight)
	f.Part(script.Part{Kind: kind, Text: name + "_" + strconv.Itoa(r.named[name]), Quoted: inQuotes})
}

// parenthesized reads $((…)) or $(…).
func (r *Reader) parenthesized(f *Fields, inQuotes bool) {
	open := r.Pos
	if end, ok := r.arithmeticEnd(open + 1); ok {
		r.Pos = end
		r.Note(script.ArithmeticUsed)
		r.Unknown(f, script.Arithmetic, "arithmetic", inQuotes)
		return
	}
	first := len(r.script.Commands)
	r.substitution(open)
	r.output(f, first, inQuotes)
}

// processSubstitution reads bash's <(…) or >(…).
func (r *Reader) processSubstitution(f *Fields) {
	first := len(r.script.Commands)
	r.substitution(r.Pos)
	r.Note(script.ProcessSubstituted)
	r.Unknown(f, script.ProcessSubstitution, "process", false)
	if !r.parses {
		r.connect(first)
		f.parts[len(f.parts)-1].Output = printed(printing(r.script.Commands[first:], r.level+1)).From()
	}
}

// substitution reads the $( or the like at an offset, the commands after it and the closing parenthesis.
func (r *Reader) substitution(open int) {
	r.Pos = open + 2
	if !r.substituted(open, true) {
		r.Fail(open, convert.Reject(convert.InvalidSource,
			"A command substitution is not closed.", "Close it with a parenthesis."))
	}
}

// substituted reads the commands of the substitution at an offset up to its parenthesis, if it has one, and reports
// whether it found that.
func (r *Reader) substituted(open int, parenthesis bool) (closed bool) {
	comment, substOnly := r.Comment, r.substOnly
	r.Enter(open)
	r.Comment, r.substOnly = "", true
	r.level++
	r.openScope()
	if closed = r.list(parenthesis); !parenthesis {
		r.readDocuments()
	}
	r.closeScope(true)
	r.level--
	r.Comment, r.substOnly = comment, substOnly
	r.Depth--
	return closed
}

// output adds the output of a substitution whose commands begin at first.
func (r *Reader) output(f *Fields, first int, inQuotes bool) {
	if r.parses {
		r.Unknown(f, script.CommandSubstitution, "command", inQuotes)
		return
	}
	r.connect(first)
	commands := r.script.Commands[first:]
	out := outputOf(commands, r.level+1)
	if out.Kind == script.Text {
		r.Spend(Weight(out.Word))
		f.Value(trimNewlines(out.Word), inQuotes)
		for _, cmd := range commands {
			if r.Cur != nil && cmd.Level == r.level+1 {
				r.Cur.Sources = append(r.Cur.Sources, cmd)
			}
		}
		return
	}
	if name := cmp.Or(generator(commands), credentialCommand(commands)); name != "" {
		r.Spend(unknownWeight)
		f.Part(script.Part{Kind: script.CommandSubstitution, Text: name, Quoted: inQuotes})
		return
	}
	if path, _ := out.Word.Literal(); out.Kind == script.File && fileName(path) != "" {
		r.file(f, path, inQuotes)
		return
	}
	from := printed(printing(commands, r.level+1)).From()
	name := r.program(commands)
	if from != nil && r.functions[name] == nil {
		name = "command" // curl or jq say nothing about the response
	}
	r.Unknown(f, script.CommandSubstitution, name, inQuotes)
	last := &f.parts[len(f.parts)-1]
	last.Output = from
	for _, cmd := range commands {
		if cmd.Level == r.level+1 {
			last.JSON = PrintsJSON(cmd)
		}
	}
}

// file adds the content of a file, named after it.
func (r *Reader) file(f *Fields, path string, inQuotes bool) {
	name, known := r.files[path]
	if !known {
		name = fileName(path)
		r.named[name]++
		name += "_" + strconv.Itoa(r.named[name])
		r.files[path] = name
	}
	r.Spend(unknownWeight)
	f.Part(script.Part{Kind: script.CommandSubstitution, Text: name, File: path, Quoted: inQuotes})
}

// trimNewlines removes trailing newlines (XCU 2.6.3).
func trimNewlines(w script.Word) script.Word {
	for len(w) > 0 && w[len(w)-1].Kind == script.Literal {
		last := w[len(w)-1]
		last.Text = strings.TrimRight(last.Text, "\n")
		w = w[: len(w)-1 : len(w)-1]
		if last.Text != "" {
			return append(w, last)
		}
	}
	return w
}

// backquoted reads `…` (XCU 2.6.3). Its commands are read after the backslashes before $, ` and \ are removed. Each
// nested level of backquotes doubles the backslashes, so there are few levels.
func (r *Reader) backquoted(f *Fields, m mode) {
	open := r.Pos
	i, closed := r.afterEscaped(open+1, '`')
	if !closed {
		r.Fail(open, convert.Reject(convert.InvalidSource,
			"A backquote is not closed.", "Close the backquote, or use $(…)."))
	}
	escapes := backquoteEscapes
	if m == quoted {
		escapes = quotedBackquoteEscapes
	}
	first := len(r.script.Commands)
	r.deriveFrom(escapes.Replace(r.Text[open+1:i]), open, open+1).substituted(0, false)
	r.Pos = i + 1
	r.output(f, first, m.inQuotes())
}

// derive returns a reader of text, whose position in the source is at. Text derived from derived text is charged to the
// budget, since each level copies it.
func (r *Reader) derive(text string, at int) *Reader {
	if r.derived {
		r.Spend(len(text))
	}
	return &Reader{
		State: r.State, Text: text, Limit: len(text),
		derived: true, base: r.place(at), origin: -1, Depth: r.Depth, Cur: r.Cur,
		Lists: ListState{around: r.Within(), dead: !r.runs()},
	}
}

// deriveFrom derives text from what is at from. If that is the same, positions in it stay exact.
func (r *Reader) deriveFrom(text string, at, from int) *Reader {
	inner := r.derive(text, at)
	if strings.HasPrefix(r.Text[from:], text) {
		if r.origin >= 0 {
			inner.origin = r.origin + from
		}
		if r.exact {
			inner.base, inner.exact = r.place(from), true
		}
	}
	return inner
}

var (
	backquoteEscapes       = strings.NewReplacer("\\$", "$", "\\`", "`", `\\`, `\`)
	quotedBackquoteEscapes = strings.NewReplacer("\\$", "$", "\\`", "`", `\\`, `\`, `\"`, `"`)
)

// Patterns for what ${ introduces: a parameter with its prefix, the [index] of a bash array and the operator; and
// template placeholders that look like one, ${{ name }} or ${dotted.name}.
var (
	parameterHead = expression.Lazy(
		`(?s)^\$\{([#!]?)([A-Za-z_]\w*|[0-9]+|[@*#?$!-])(?:\[([^\]]{0,62})\])?(:?(?:%%|##|[^}])?)`)
	template = expression.Lazy(`^\$\{(?:\{ *([A-Za-z_][\w.-]*) *\}\}|([A-Za-z_][\w-]*\.[\w.-]*)\})`)
)

// parameter reads ${…} (XCU 2.6.2).
func (r *Reader) parameter(f *Fields, inQuotes bool) {
	open := r.Pos
	if m := r.Match(template()); m != nil {
		r.variable(f, script.Part{Kind: script.Variable, Text: m[1] + m[2]}, inQuotes)
		return
	}
	m := r.Match(parameterHead())
	if m == nil {
		r.textByte(f)
		return
	}
	p, index := parameterPart(m[2]), m[3]
	start, first := r.Pos, len(r.tokens)
	operand := r.parameterWord(open, inQuotes, strings.TrimPrefix(m[4], ":"))
	word := operand.Word()
	r.recordDefault(first, start, p.Text, strings.TrimPrefix(m[4], ":"), inQuotes, word)
	switch {
	case m[1] == "#":
		r.Note(script.ArithmeticUsed)
		r.Unknown(f, script.Arithmetic, "length", inQuotes)
	case m[1] == "!" && r.arrays[p.Text] == nil:
		p.Kind = script.Variable
		r.unsupported(f, p, script.ExpansionUnknown, inQuotes)
	case index != "":
		r.element(f, p, index, m[1] == "!", inQuotes)
	case strings.TrimPrefix(m[4], ":") == "+" && p.Kind == script.Variable:
		r.alternative(f, p, m[4], operand, inQuotes)
	default:
		r.operated(f, p, m[4], word, inQuotes)
	}
}

func (r *Reader) unsupported(f *Fields, p script.Part, n script.Note, inQuotes bool) {
	r.Note(n)
	p.Quoted = inQuotes
	f.Part(p)
}

// alternative adds ${name:+words}: the words, unless the variable is known to be empty.
func (r *Reader) alternative(f *Fields, p script.Part, op string, operand *Fields, inQuotes bool) {
	r.Use(p.Text)
	value, known := r.known(p.Text)
	_, isArgument := r.argument(p.Text)
	switch {
	case r.parses:
		r.unsupported(f, p, script.ExpansionUnknown, inQuotes)
	case known && len(value) == 0 && (op == ":+" || isArgument):
	case inQuotes || f.unsplit:
		word := operand.Word()
		r.Spend(Weight(word))
		f.Value(word, true)
	default:
		r.fieldsOf(f, operand.words())
	}
	if !known {
		r.Note(script.ExpansionUnknown)
	}
}

// parameterWord reads the word after an operator, and the closing brace. Only the word after an unquoted + has several
// fields.
func (r *Reader) parameterWord(open int, inQuotes bool, op string) *Fields {
	r.Enter(open)
	m := braced
	if inQuotes {
		m = bracedQuoted
	}
	f := &Fields{unsplit: r.parses || inQuotes || op != "+", operand: op != "" && strings.Contains("-=+?", op)}
	r.expand(f, m)
	r.Depth--
	if r.ByteAt(r.Pos) != '}' {
		r.Fail(open, convert.Reject(convert.InvalidSource,
			"A parameter expansion is not closed.", "Close it with a brace, or write \\$ for a dollar sign."))
	}
	r.Pos++
	return f
}

// operated adds ${name op word}.
func (r *Reader) operated(f *Fields, p script.Part, op string, word script.Word, inQuotes bool) {
	switch strings.TrimPrefix(op, ":") {
	case "", "?":
		r.variable(f, p, inQuotes)
	case "-", "=":
		_, isArgument := r.argument(p.Text)
		assigns := strings.HasSuffix(op, "=") && !isArgument && script.IsNameStart(p.Text[0])
		value, known := r.known(p.Text)
		if known && len(value) == 0 && (isArgument || op[0] == ':') {
			r.Spend(Weight(word))
			f.Value(word, inQuotes)
			if assigns {
				r.set(p.Text, word)
				r.recordSetting(p.Text, true)
			}
			return
		}
		p.Default, p.HasDefault = defaultText(word)
		if len(word) == 1 {
			p.Output = word[0].Output
		}
		if assigns && !known && p.HasDefault {
			r.set(p.Text, script.Word{p})
			r.recordSetting(p.Text, true)
		}
		r.variable(f, p, inQuotes)
	case "1", "2", "3", "4", "5", "6", "7", "8", "9": // bash: ${@:2}
		if op[0] != ':' || p.Kind != script.Arguments || len(word) > 0 || !r.allArguments(f, int(op[1]-'0')) {
			r.unsupported(f, p, script.ExpansionUnknown, inQuotes)
		}
	default:
		r.Use(p.Text)
		known, set := r.Vars[p.Text]
		value, literal := known.Literal()
		affix, isText := word.Literal()
		trimmed, ok := trim(op, value, affix)
		switch {
		case set && literal && isText && ok:
			f.Value(script.LiteralWord(trimmed), inQuotes)
			r.Spend(len(value))
		case r.parses || !script.IsNameStart(p.Text[0]):
			r.unsupported(f, p, script.ExpansionUnknown, inQuotes)
		default: // what it makes of the variable has another name
			r.Note(script.ExpansionUnknown)
			r.Unknown(f, script.CommandSubstitution, p.Text, inQuotes)
		}
	}
}

// fieldsOf adds words, each as a field. Where nothing is split, it joins them with the first character of IFS.
func (r *Reader) fieldsOf(f *Fields, words []script.Word) {
	f.nothing = f.nothing || len(words) == 0
	separator := " "
	if ifs, known := r.Vars["IFS"]; known {
		r.Use("IFS")
		text, _ := ifs.Literal()
		_, size := utf8.DecodeRuneInString(text)
		separator = text[:size]
	}
	for n, w := range words {
		r.Spend(16 + Weight(w))
		switch {
		case n > 0 && f.unsplit:
			f.Text(separator)
		case n > 0:
			f.split()
		}
		f.Value(w, true)
	}
}
