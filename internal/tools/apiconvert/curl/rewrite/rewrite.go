package rewrite

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/extract"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/spans"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Script is a POSIX script to be rewritten.
type Script struct {
	source    *script.Source
	budget    *budget.Budget
	words     []*scriptWord // one for each token, in order
	byToken   map[*script.Token]*scriptWord
	names     syntax.Names
	secrets   map[string]*request.Variable // variables for secrets
	assigned  map[script.Expanded]int      // the values that are assigned to a variable, numbered for each variable
	values    map[string]int               // how many values are assigned to each variable
	arguments map[string]string            // the variables that the arguments of the script are assigned to, by number
	edits     []spans.Edit                 // in order, not nested

	// Evaluates says that the requests also depend on assignments, here-documents or scripts for another shell. Then
	// some secrets can be recognized only in the requests that curl.Read returns.
	Evaluates bool
	// Sends says that a command is curl with a URL. If not, only curl.Read knows whether the script sends a request, as
	// in CMD="curl …"; $CMD.
	Sends bool
}

// scriptWord is a token with its site, which is a part of its text. {{name}} represents a variable in the text.
type scriptWord struct {
	*script.Token
	text                 string
	before, value, after string // the parts of the text; value is the site's
	site                 site.Site
	lines                []string // the lines of value, if each is a value for the site
	raw                  bool     // the text is kept as it is, since it cannot be quoted again

	option string // replaces the option name at the beginning of the word
	length int    // length of that option name
}

// mark makes text[from:to] the site of a word.
func (w *scriptWord) mark(from, to int, as site.Site) {
	w.before, w.value, w.after, w.site = w.text[:from], w.text[from:to], w.text[to:], as
}

// current returns the text of a word with the current value of its site.
func (w *scriptWord) current() string {
	if w.lines != nil {
		return w.before + strings.Join(w.lines, "\n") + w.after
	}
	return w.before + w.value + w.after
}

// Parse parses a POSIX script. ok is false for what only package curl reads: a script in another dialect, one that a shell
// would read differently, and the commands of a file or of several blocks of a document, which are not one script. It
// fails like curl.Read.
func Parse(src *extract.Script, b *budget.Budget, warnings *warning.List) (s *Script, ok bool, err error) {
	if src.Found {
		return nil, false, nil
	}
	source, ok, err := shell.Parse(shell.Normalize(src.Text), b)
	if err != nil || !ok {
		return nil, ok, src.Relocate(err)
	}
	s = &Script{
		source: source, budget: b,
		byToken: make(map[*script.Token]*scriptWord, len(source.Tokens)),
		secrets: map[string]*request.Variable{}, assigned: map[script.Expanded]int{}, values: map[string]int{},
		arguments: map[string]string{},
	}
	s.words = make([]*scriptWord, 0, len(source.Tokens))
	for _, t := range source.Tokens {
		s.token(t)
	}
	curl.ReportUnread(src.Unread, warnings)
	for _, cmd := range source.Commands {
		b.Parts(1 + len(cmd.Words))
		if printed().MatchString(source.Text[cmd.Offset:]) {
			return nil, false, nil
		}
		s.Sends = s.command(cmd) || s.Sends
	}
	s.arrays()
	return s, s.documents(), nil
}

// printed matches the beginning of what is no command, but was printed by one: a member of JSON, or a header.
var printed = expression.Lazy(`^(?:[{\[]?"[^"\n]*" ?:|[A-Za-z][\w-]*: )`)

// token adds a token with the site that doesn't depend on its context.
func (s *Script) token(t *script.Token) {
	s.budget.Text(t.To - t.From)
	if n := len(s.words); n > 0 && t.Kind == script.CommentToken && s.words[n-1].Kind == script.CommentToken &&
		strings.TrimSpace(s.source.Text[s.words[n-1].To:t.From]) == "" { // lines of one comment, such as a private key
		t = &script.Token{Kind: t.Kind, From: s.words[n-1].From, To: t.To}
		s.words = s.words[:n-1]
	}
	w := &scriptWord{Token: t}
	s.words = append(s.words, w)
	s.byToken[t] = w
	source := s.source.Text[t.From:t.To]
	switch t.Kind {
	case script.CommentToken:
		w.raw, w.text = true, source
		w.mark(0, len(source), site.Site{Role: site.Prose})
	default:
		var quotable bool
		if w.text, quotable = wordText(t.Word); !quotable || t.Document != nil && t.Document.Inexact {
			w.raw, w.text = true, source
			w.mark(0, len(source), site.Site{Role: site.Identifier})
			return
		}
		s.Evaluates = s.Evaluates || t.Name != "" || t.Array != "" || t.Document != nil
		as := site.Site{Role: site.Field, Evaluated: t.Document != nil || t.Kind == script.OperandToken}
		switch {
		case t.Name != "":
			s.names.Take(t.Name)
			s.assign(t.Name, w.text)
			as = site.Site{Role: site.Variable, Name: t.Name, Evaluated: true}
		case t.Array != "":
			s.element(w, t.Array)
			return
		default:
			as.Name = s.compared()
		}
		w.mark(0, len(strings.TrimSuffix(w.text, "\n")), as)
		s.argument(t)
	}
	for _, p := range t.Word {
		if p.Kind == script.Variable {
			s.names.Take(p.Text)
		}
	}
}

// element makes the value of an element of an array a site. It may be named after the array or, in an associative array,
// after its key.
func (s *Script) element(w *scriptWord, array string) {
	s.names.Take(array)
	name, from := array, 0
	if m := key().FindStringSubmatch(w.text); m != nil {
		name, from = m[2]+"\n"+name, len(m[0])
		s.rename(w, from, m[0])
	}
	s.assign(name, w.text[from:])
	w.mark(from, len(w.text), site.Site{Role: site.LocalVariable, Name: name, Evaluated: true})
}

// key matches the key of an element, [key]=value in an array's parentheses or NAME[key]=value.
var key = expression.Lazy(`^([A-Za-z_]\w*)?\[([^][]+)\]=`)

// compared returns the variable that the last word is compared with, as in [ "$NAME" = word ], or "".
func (s *Script) compared() string {
	n := len(s.words) - 1
	if n < 2 || s.words[n-1].text != "=" && s.words[n-1].text != "==" && s.words[n-1].text != "!=" {
		return ""
	}
	with := s.words[n-2].text
	if with == "" || request.VariableLength(with) < len(with) {
		return ""
	}
	return strings.Trim(with, "{}")
}

// argument names an argument of the script after the variable that it is assigned to, as in NAME=${1:-default}. The
// default, whose token precedes that of the word, is a value of the variable.
func (s *Script) argument(t *script.Token) {
	if t.Name == "" || len(t.Word) != 1 || t.Word[0].Kind != script.Variable || script.IsName(t.Word[0].Text) {
		return
	}
	s.arguments[t.Word[0].Text] = t.Name
	if n := len(s.words) - 2; n >= 0 && t.Word[0].HasDefault && s.words[n].Kind == script.OperandToken && s.words[n].From > t.From {
		s.words[n].site.Name = t.Name
	}
}

// wordText returns a word with {{name}} for its variables and reports whether they are distinguishable from literal
// text.
func wordText(w script.Word) (text string, ok bool) {
	if text, literal := w.Literal(); literal {
		return text, true
	}
	var b strings.Builder
	for _, p := range w {
		if p.Kind == script.Literal {
			b.WriteString(p.Text)
			continue
		}
		if p.To == 0 || !request.VariableName(p.Text) {
			return "", false
		}
		b.WriteString("{{" + p.Text + "}}")
	}
	return b.String(), true
}

// Sites calls emit for the site of every word, in token order.
func (s *Script) Sites(emit func(site.Site)) {
	at, line := 0, 1
	place := warning.Line(line)
	for _, w := range s.words {
		if w.From > at { // an operand follows its word
			if n := strings.Count(s.source.Text[at:w.From], "\n"); n > 0 {
				line += n
				place = warning.Line(line)
			}
			at = w.From
		}
		w.site.Within = place
		switch {
		case w.value == "":
		case w.lines != nil:
			for i := range w.lines {
				emit(w.site.In(&w.lines[i]))
			}
		case w.site.Role == site.Variable, w.site.Role == site.LocalVariable:
			emit(w.site.As(w.value, func(text string) { s.set(w, text) }))
		default:
			emit(w.site.In(&w.value))
		}
	}
}

// set replaces the value that is assigned to a variable. If the whole value is a secret, the user sets the variable
// instead; the default of an expansion is removed.
func (s *Script) set(w *scriptWord, text string) {
	name := w.site.Name
	switch {
	case w.Kind == script.OperandToken && request.VariableLength(text) == len(text):
		w.value = ""
		s.names.Use(w.Name)
		return
	case text != "" && text != "{{"+name+"}}":
		w.value = text
		return
	}
	n := s.assigned[script.Expanded{Name: name, Value: w.text[len(w.before) : len(w.text)-len(w.after)]}]
	if key, array, keyed := strings.Cut(name, "\n"); keyed {
		name = array + "_" + key
	} else if n > 1 || w.Array != "" {
		name += "_" + strconv.Itoa(n) // the variable has another value before
	}
	w.value = "{{" + s.shellName(name) + "}}"
}

// assign numbers the values that are assigned to a variable.
func (s *Script) assign(name, value string) {
	if key := (script.Expanded{Name: name, Value: value}); s.assigned[key] == 0 {
		s.values[name]++
		s.assigned[key] = s.values[name]
	}
}

// shellName returns the shell variable for a name in double braces, either the script's own or one generated for a
// secret, and records that the user must set it.
func (s *Script) shellName(name string) string {
	if s.secrets[name] != nil || !s.names.Taken(name) {
		return s.names.Of(name, s.secrets[name])
	}
	s.names.Use(name)
	return name
}

// Text returns the script with the secrets replaced by variables. names are the variables for secrets that the script
// doesn't set.
func (s *Script) Text(names []string) []byte {
	for _, name := range names {
		s.secrets[name] = &request.Variable{Name: name, Secret: true, Invented: true}
	}
	for _, w := range s.words {
		s.budget.Parts(1)
		s.rewrite(w)
	}
	text := s.apply(s.source.From, s.source.To)
	if s.source.Heading != "" {
		text = string(syntax.Comment(nil, s.source.Heading)) + text
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return s.head(text)
}

// head inserts the comment that lists the variables to set, below the shebang line.
func (s *Script) head(text string) []byte {
	if len(s.names.Used) == 0 {
		return []byte(text)
	}
	first := ""
	if strings.HasPrefix(text, "#!") {
		line, rest, _ := strings.Cut(text, "\n")
		first, text = line+"\n", rest
	}
	out := syntax.Needs([]byte(first), s.names.Used, s.arguments)
	return append(append(out, '\n'), strings.TrimLeft(text, "\n")...)
}

// rewrite adds the edit of a word.
func (s *Script) rewrite(w *scriptWord) {
	text := w.current()
	switch changed := text != w.text; {
	case w.raw && changed:
		s.edit(w.From, w.To, text)
	case w.raw:
	case changed && w.Kind == script.OperandToken:
		s.edit(w.From, w.To, s.operand(w, text))
	case changed && w.Document != nil:
		s.rewriteDocument(w, text)
	case changed:
		s.edit(w.From, w.To, string(syntax.AppendWord([]byte(w.option), s.segments(w, text[w.length:]), literalWord)))
	case w.option != "":
		s.edit(w.From, w.From+w.length, w.option)
	}
}

// edit adds an edit, which replaces the edits within its range.
func (s *Script) edit(from, to int, with string) {
	i := len(s.edits)
	for i > 0 && s.edits[i-1].From >= from {
		i--
	}
	j := i
	for j < len(s.edits) && s.edits[j].To <= to {
		j++
	}
	s.edits = slices.Replace(s.edits, i, j, spans.Edit{From: from, To: to, With: with})
}

// apply returns text[from:to] with its edits applied.
func (s *Script) apply(from, to int) string {
	i, _ := slices.BinarySearchFunc(s.edits, from, func(e spans.Edit, at int) int { return e.From - at })
	var out strings.Builder
	for ; i < len(s.edits) && s.edits[i].To <= to; i++ {
		out.WriteString(s.source.Text[from:s.edits[i].From])
		out.WriteString(s.edits[i].With)
		from = s.edits[i].To
	}
	out.WriteString(s.source.Text[from:to])
	s.budget.Bytes(out.Len())
	return out.String()
}

// maxBefore is how many bytes before a substitution are searched for its name.
const maxBefore = 64

// printedAs returns the name of what a word of a command in a substitution prints, as in NAME=$(echo secret) or
// "Bearer $(echo secret)", or "". The word begins at an offset.
func (s *Script) printedAs(at int) string {
	return nameOf(beforeSubstitution().FindStringSubmatch(s.source.Text[max(0, at-maxBefore):at]))
}

// nameOf returns the name that a match of named has, or "".
func nameOf(match []string) string {
	switch {
	case match == nil:
		return ""
	case match[1] != "":
		return "token"
	case match[2] != "":
		return "password"
	}
	return match[3]
}

// named matches a scheme, a user name or the name of a value before what the shell expands.
const named = `(?:(?i:(bearer|token|basic)) |(?:^|[\s"'])([\w.@+-]+|\{\{\w+\}\}):|([\w.-]+)["']?(?:=|: ?)["']?)`

var (
	beforeSubstitution = expression.Lazy(named + "(?:\\$\\(|`)[^()`]*$")
	variableSent       = expression.Lazy(named + `\{\{(\w+)\}\}`)
)

// maxNames limits the names that the lines of a here-document may have.
const maxNames = 16

// documents names the lines of here-documents that a loop reads after what its requests send, as in
// while read -r key; do curl -H "X-Api-Key: $key" "$URL"; done <<EOF. ok is false if such lines cannot be rewritten.
func (s *Script) documents() (ok bool) {
	read, names := map[string]bool{}, map[string]bool{}
	for _, cmd := range s.source.Commands {
		for i, w := range cmd.Words {
			if name, literal := w.Literal(); i > 0 && literal && cmd.CommandName() == "read" {
				read[name] = true
			}
		}
	}
	if len(read) == 0 {
		return true
	}
	for _, w := range s.words {
		s.budget.Text(len(w.text))
		for _, m := range variableSent().FindAllStringSubmatch(w.text, -1) {
			if read[m[4]] && len(names) < maxNames {
				names[m[4]], names[nameOf(m)] = true, true
			}
		}
	}
	name := strings.Join(slices.Sorted(maps.Keys(names)), "\n")
	for _, w := range s.words {
		if w.Document == nil || !w.Document.Input {
			continue
		}
		if w.raw {
			return false
		}
		w.lines, w.site.Name = strings.Split(w.value, "\n"), name
		s.budget.Parts(len(w.lines))
	}
	return true
}
