package rewrite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/invocation"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/secret"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/spans"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// command finds the pieces of a command's words and reports whether it is a curl command that sends a request.
func (s *Script) command(cmd *script.Command) (sends bool) {
	words := make([]*scriptWord, len(cmd.Words))
	for i := range words {
		if i < len(cmd.Tokens) && cmd.Tokens[i] != nil {
			words[i] = s.byToken[cmd.Tokens[i]]
		}
		if words[i] == nil { // inside backquotes with escapes, which are kept
			text, _ := wordText(cmd.Words[i])
			words[i] = &scriptWord{Token: &script.Token{Word: cmd.Words[i]}, text: text, raw: true}
		}
	}
	args, from, ok := invocation.Call(cmd.Words)
	if !ok {
		s.other(cmd, words)
		s.passwords(cmd, words)
		return false
	}
	for _, w := range words[:from] { // of env
		s.declares(w)
	}
	s.calls++
	place := warning.Command(s.calls, s.lines.Of(cmd.Offset))
	curl.ReportText(cmd.Notes, place, s.warnings)
	c := scriptCommand{Script: s, words: words[from : from+len(args)], place: place}
	return c.read()
}

// other finds the pieces of a command other than curl: assignments after export, and a script passed to a shell, whose
// secrets Read recognizes.
func (s *Script) other(cmd *script.Command, words []*scriptWord) {
	if len(cmd.Words) == 0 {
		return
	}
	name := invocation.BaseName(cmd.Words[0])
	_, inner := invocation.ShellText(cmd)
	for _, w := range words[1:] {
		switch {
		case w.raw, slices.Contains(declaring, name) && s.declares(w):
		case inner || s.source.Functions[name] || name == "echo" || name == "printf":
			w.evaluated()
			s.evaluate = true
			if (name == "echo" || name == "printf" && !strings.Contains(w.text, "%")) && len(w.pieces) == 1 && w.pieces[0].site.Name == "" {
				w.pieces[0].site.Name = s.printedAs(w.From)
			}
		}
	}
}

// declares makes the value of NAME=value a piece and reports whether a word is one.
func (s *Script) declares(w *scriptWord) bool {
	variable, value, assigned := strings.Cut(w.text, "=")
	if w.raw || !assigned || !syntax.IsName(variable) {
		return false
	}
	s.names.Take(variable)
	s.assign(variable, value)
	s.evaluate = true
	s.rename(w, len(variable)+1, variable+"=")
	w.only(len(variable)+1, len(w.text), site.Site{Role: site.Variable, Name: variable, Evaluated: true})
	return true
}

// passwords finds the passwords in the arguments of another command, and in what is printed into it.
func (s *Script) passwords(cmd *script.Command, words []*scriptWord) {
	var input []*scriptWord
	if s.before != nil && s.before.PipesInto == cmd.CommandName() {
		input = s.printed
	}
	s.before, s.printed = cmd, words
	arguments, reads := secret.Arguments(texts(words), texts(input))
	set := func(words []*scriptWord, list []secret.Argument) {
		for _, a := range list {
			if w := words[a.Word]; !w.raw && (len(w.pieces) == 0 || w.pieces[0].site.Role != site.Variable) {
				w.only(a.From, len(w.text), site.Site{Role: site.Credential, Name: a.Name})
			}
		}
	}
	set(words, arguments)
	set(input, reads)
}

func texts(words []*scriptWord) (list []string) {
	for _, w := range words {
		list = append(list, w.text)
	}
	return list
}

// declaring are the commands whose arguments are assignments.
var declaring = []string{"export", "readonly", "local", "declare", "typeset"}

// scriptCommand is one curl command of a script.
type scriptCommand struct {
	*Script
	words []*scriptWord // after curl
	place *warning.ScriptPlace
	scriptOperation
	sends bool
	long  []string // the long names of the letters in the word being read
	known bool     // all of its letters have one
}

// scriptOperation is what is known about the words up to --next.
type scriptOperation struct {
	urls      []*scriptWord
	data      []data // bodies, or with --get queries
	method    bool   // the words include --request
	get       bool
	signed    bool // --aws-sigv4
	users     []*scriptWord
	mediaType string
}

// data is the argument of --data or the like, from an offset of a word on.
type data struct {
	word *scriptWord
	at   int
}

// read finds the pieces of all words and reports whether a request is sent.
func (c *scriptCommand) read() bool {
	texts := make([]syntax.Word, len(c.words))
	for i, w := range c.words {
		texts[i] = syntax.NewWord(w.text, w.Word)
	}
	scanner := syntax.NewScanner(texts)
	for {
		a, more := scanner.Scan()
		if !more {
			c.end()
			return c.sends
		}
		w := c.words[a.Word]
		switch {
		case a.Operand.Open || a.Operand.Unknown:
			c.sends = true
			continue
		case a.Written == "":
			c.url(w, 0)
			c.urls = append(c.urls, w)
			continue
		case a.To > 0:
			c.letter(w, a)
		case a.Option != nil && a.On && !a.Expand && w.text == a.Written && (w.text != "--"+a.Name || w.Misquoted):
			c.rename(w, len(w.text), "--"+a.Name)
		}
		switch {
		case a.Option == nil || a.Missing:
		case a.Name == "next":
			c.end()
		case a.Kind == syntax.Value:
			c.argument(a.Option, c.words[a.ValueWord], a.ValueFrom)
		default:
			c.get = c.get || a.Name == "get"
		}
	}
}

// letter replaces the letters of a word by long names when it reads the last, except -q, which older releases recognize
// only in this form.
func (c *scriptCommand) letter(w *scriptWord, a syntax.Argument) {
	if a.From == len("-") {
		c.long, c.known = nil, true
	}
	if a.Option == nil || a.Name == "next" || a.Name == "disable" {
		c.known = false
		return
	}
	c.long = append(c.long, "--"+cmp.Or(syntax.Older[a.Name], a.Name))
	switch {
	case !c.known:
	case a.To == len(w.text):
		c.rename(w, a.To, strings.Join(c.long, " "))
	case a.Kind == syntax.Value && c.separates(w, a.To):
		c.rename(w, a.To, strings.Join(c.long, " ")+" ")
	}
}

// rename replaces the first length bytes of a word by an option name, provided that the source has the same bytes
// there or the word is quoted again.
func (s *Script) rename(w *scriptWord, length int, option string) {
	if !w.raw && (w.Misquoted || strings.HasPrefix(s.source.Text[w.From:w.To], w.text[:length])) {
		w.option, w.length = option, length
	}
}

// separates reports whether the argument after an option's letter can become a separate word. A shell would expand a
// tilde or a pattern in it.
func (c *scriptCommand) separates(w *scriptWord, at int) bool {
	return !w.raw && at < w.To-w.From && !strings.ContainsAny(c.source.Text[w.From+at:w.To], "~*?[{")
}

// argument finds the pieces of an option's argument, which begins at offset at of a word.
func (c *scriptCommand) argument(o *syntax.Option, w *scriptWord, at int) {
	if w.raw {
		return
	}
	text, end := w.text[at:], len(w.text)
	whole := func(as site.Site) { w.only(at, end, as) }
	switch o.Name {
	case "url":
		c.url(w, at)
		c.urls = append(c.urls, w)
	case "header", "proxy-header":
		c.header(w, at)
	case "cookie":
		if strings.Contains(text, "=") || strings.HasPrefix(text, "{{") {
			c.open(w, at, spans.Cookies)
		} else {
			whole(site.Site{Role: site.Option, Name: "cookie-jar"}) // a file name
		}
	case "user", "proxy-user":
		c.users = append(c.users, w)
		w.user(at)
	case "oauth2-bearer":
		whole(site.Site{Role: site.Credential, Name: "token"})
	case "data", "data-ascii", "data-binary", "data-raw", "json":
		if o.Name == "json" {
			c.mediaType = request.JSONType
		}
		if o.Name == "data-raw" || !strings.HasPrefix(text, "@") {
			c.data = append(c.data, data{w, at})
		}
	case "data-urlencode", "form", "form-string", "url-query", "variable":
		w.named(o.Name, at)
	default:
		whole(site.Site{Role: site.Option, Name: o.Name})
		c.sends = c.sends || o.Name == "config"
		c.method = c.method || o.Name == "request"
		c.signed = c.signed || o.Name == "aws-sigv4"
	}
}

func (c *scriptCommand) header(w *scriptWord, at int) {
	text := w.text[at:]
	name, value, ok := strings.Cut(text, ":")
	if !ok || strings.Contains(text, "\n") {
		w.only(at, len(w.text), site.Site{Role: site.HeaderLines})
		return
	}
	value = strings.TrimLeft(value, " \t")
	if name = strings.TrimSpace(name); strings.EqualFold(name, "Content-Type") {
		c.mediaType = strings.TrimSpace(value)
	}
	w.only(len(w.text)-len(value), len(w.text), site.Site{Role: site.Header, Name: name})
}

// user finds the password of name:password. A name without a password is a credential if it looks like a key or is a
// variable.
func (w *scriptWord) user(at int) {
	name, password, _ := strings.Cut(w.text[at:], ":")
	as := site.Site{Role: site.Field, Name: "username"}
	if (password == "" || password == "x" || password == "X") && (request.IsKey(name) || request.VariableLength(name) == len(name)) {
		as = site.Site{Role: site.Credential, Name: "apiKey"}
	}
	w.only(at, at+len(name), as)
	w.mark(len(w.text)-len(password), len(w.text), site.Site{Role: site.Credential, Name: "password"})
}

// named finds the content of name=content, unless it is the name of a file.
func (w *scriptWord) named(option string, at int) {
	text := w.text[at:]
	name, content, ok := strings.Cut(text, "=")
	if !ok {
		name, content = "", text
	}
	from, to, role := len(w.text)-len(content), len(w.text), site.Field
	switch {
	case option == "form" && strings.ContainsAny(content[:min(1, len(content))], "@<"), !ok && strings.Contains(content, "@"):
		w.only(from, to, site.Site{Role: site.Identifier})
		return
	case option == "form":
		if i := strings.Index(content, ";"); i >= 0 && !strings.HasPrefix(content, `"`) {
			to = from + i
		}
	case option == "url-query" || option == "data-urlencode" && name == "key":
		role = site.Query
	}
	w.only(from, to, site.Site{Role: role, Name: name})
}

// open adds the values in the text from an offset on as pieces.
func (c *scriptCommand) open(w *scriptWord, at int, open spans.Opener) {
	w.pieces = slices.DeleteFunc(w.pieces, func(p piece) bool { return p.to > at })
	open(w.text[at:], "", func(s spans.Span) {
		c.budget.Parts(4)
		w.mark(at+s.From, at+s.To, site.Site{Role: s.Role, Name: s.Name})
	})
}

// url finds the password and the query in a URL.
func (c *scriptCommand) url(w *scriptWord, at int) {
	c.sends = true
	if w.raw {
		return
	}
	from, query := at, len(w.text)
	if i := strings.IndexAny(w.text[at:], "?#"); i >= 0 {
		query = at + i + 1
	}
	w.pieces = nil
	address := w.text[at:query]
	_, authority, ok := strings.Cut(request.WithSlashes(address), "://")
	if !ok {
		authority = address
	}
	if authority != "" {
		end := max(0, strings.LastIndexByte(authority[:curl.AuthorityEnd(authority)], '@'))
		if _, password, _ := strings.Cut(authority[:end], ":"); password != "" {
			from = query - len(authority) + end
			w.mark(from-len(password), from, site.Site{Role: site.Credential, Name: "password"})
		}
	}
	w.mark(from, query, site.Site{Role: site.Path})
	path := len(w.pieces)
	c.open(w, query, spans.Query)
	for i := range w.pieces[path:] {
		name := &w.pieces[path+i].site.Name
		*name = site.QueryName(address, *name)
	}
}

// end completes an operation with what depends on all of its words.
func (c *scriptCommand) end() {
	if len(c.urls) == 2 && !c.method && slices.Contains(syntax.Methods, c.urls[0].text) && !c.urls[0].raw {
		c.urls[0].option, c.urls[0].pieces = "--request ", nil
		c.warnings.AddNamed(warning.ChangedShellText, c.place, "a method without --request")
	}
	c.mediaType = cmp.Or(c.mediaType, request.FormType)
	for _, d := range c.data {
		d.word.only(d.at, len(d.word.text), site.Site{Role: site.Body, MediaType: c.mediaType})
		if c.get {
			c.open(d.word, d.at, spans.Query)
		}
	}
	for _, w := range c.users {
		for i := range w.pieces {
			if p := &w.pieces[i]; c.signed && p.site.Name == "username" {
				p.site = site.Site{Role: site.Credential, Name: "awsAccessKey"}
			} else if c.signed && p.site.Name == "password" {
				p.site.Name = "awsSecretKey"
			}
		}
	}
	c.scriptOperation = scriptOperation{}
}

// arrays finds the pieces of arrays that contain arguments of curl.
func (s *Script) arrays() {
	var words []*scriptWord
	read := func() {
		if len(words) > 0 && strings.HasPrefix(words[0].text, "-") {
			c := scriptCommand{Script: s, words: words}
			c.read()
		}
		words = nil
	}
	for _, w := range s.words {
		if w.Array == "" || w.raw {
			continue
		}
		if len(words) > 0 && words[0].Array != w.Array {
			read()
		}
		w.evaluated()
		words = append(words, w)
	}
	read()
}

// evaluated marks the text of a word as evaluated.
func (w *scriptWord) evaluated() {
	for i := range w.pieces {
		w.pieces[i].site.Evaluated = true
	}
}
