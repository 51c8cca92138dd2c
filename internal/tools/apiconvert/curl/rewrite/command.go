package rewrite

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/invocation"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
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
	args, ok := invocation.Call(cmd.Words)
	if !ok {
		s.other(cmd, words)
		return false
	}
	s.calls++
	place := warning.Command(s.calls, s.lines.Of(cmd.Offset))
	curl.ReportText(cmd.Notes, place, s.warnings)
	c := scriptCommand{Script: s, cmd: cmd, words: words[len(words)-len(args):], place: place}
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
		variable, value, assigned := strings.Cut(w.text, "=")
		switch {
		case w.raw:
		case slices.Contains(declaring, name) && assigned && syntax.IsName(variable):
			s.names.Take(variable)
			s.evaluate = true
			s.rename(w, len(variable)+1, variable+"=")
			w.pieces = []piece{{text: variable + "=", kept: true},
				{text: value, site: site.Site{Role: site.Variable, Name: variable, Evaluated: true}}}
		case inner || s.source.Functions[name] || name == "echo" || name == "printf":
			w.pieces[0].site.Evaluated = true
			s.evaluate = s.evaluate || name != "echo" && name != "printf"
		}
	}
}

// declaring are the commands whose arguments are assignments.
var declaring = []string{"export", "readonly", "local", "declare", "typeset"}

// scriptCommand is one curl command of a script.
type scriptCommand struct {
	*Script
	cmd   *script.Command
	words []*scriptWord // after curl
	place *warning.Place
	next  int
	scriptOperation
	sends bool
}

// scriptOperation is what is known about the words up to --next.
type scriptOperation struct {
	urls      []*scriptWord
	data      []*scriptWord // bodies, or with --get queries
	method    bool          // the words include --request
	get       bool
	reads     bool // a here-document is the body
	signed    bool // --aws-sigv4
	users     []*scriptWord
	mediaType string
}

// read finds the pieces of all words and reports whether a request is sent.
func (c *scriptCommand) read() bool {
	urlsOnly := false
	for c.next < len(c.words) {
		w := c.words[c.next]
		c.next++
		switch {
		case isOpen(w.Word):
			c.sends = true
		case urlsOnly || !strings.HasPrefix(w.text, "-") || w.text == "-":
			c.url(w, 0)
			c.urls = append(c.urls, w)
		case w.text == "--":
			urlsOnly = true
		case w.text == "--next":
			c.end()
		case strings.HasPrefix(w.text, "--"):
			c.long(w)
		default:
			c.short(w)
		}
	}
	c.end()
	return c.sends
}

// isOpen reports whether a word may expand to any number of arguments.
func isOpen(w script.Word) bool {
	return len(w) == 1 && (w[0].Kind == script.Arguments || w[0].Kind != script.Literal && !w[0].Quoted)
}

// long reads an option by its long name. It expands an abbreviated name.
func (c *scriptCommand) long(w *scriptWord) {
	name, _, joined := strings.Cut(w.text[2:], "=")
	o := syntax.Long(name)
	if rest, ok := strings.CutPrefix(name, "no-"); o == nil && ok {
		o = syntax.Long(rest)
	} else if rest, ok := strings.CutPrefix(name, "expand-"); o == nil && ok {
		o = syntax.Long(rest)
	} else if o != nil && (o.Name != name || w.Misquoted) && !joined {
		c.rename(w, len(w.text), "--"+o.Name)
	}
	switch {
	case o == nil:
		if !joined && c.next < len(c.words) && !strings.HasPrefix(c.words[c.next].text, "-") && !curl.LooksLikeURL(c.words[c.next].text) {
			c.next++ // apparently its argument
		}
	case o.Kind != syntax.Value:
		c.get = c.get || o.Name == "get"
	case joined:
		c.argument(o, w, len("--")+len(name)+len("="))
	default:
		c.argument(o, c.take(), 0)
	}
}

// take returns the next word, or an empty one at the end.
func (c *scriptCommand) take() *scriptWord {
	if c.next == len(c.words) {
		return &scriptWord{Token: &script.Token{}, raw: true}
	}
	c.next++
	return c.words[c.next-1]
}

// short reads a word of one-letter options and replaces them by long names, except -q, which older releases recognize
// only in this form.
func (c *scriptCommand) short(w *scriptWord) {
	var long []string
	letters, known := w.text[1:], true
	for letters != "" {
		r, size := utf8.DecodeRuneInString(letters)
		letters = letters[size:]
		o := syntax.Letter(r)
		if o == nil || o.Name == "next" || o.Name == "disable" {
			if known = false; o != nil && o.Name == "next" {
				c.end()
			}
			continue
		}
		name := o.Name
		if syntax.Older[name] != "" {
			name = syntax.Older[name]
		}
		long = append(long, "--"+name)
		if o.Kind != syntax.Value {
			c.get = c.get || o.Name == "get"
			continue
		}
		at := len(w.text) - len(letters)
		if known && letters == "" {
			c.rename(w, at, strings.Join(long, " "))
		} else if known && c.separates(w, at) {
			c.rename(w, at, strings.Join(long, " ")+" ")
		}
		if letters == "" {
			w, at = c.take(), 0
		}
		c.argument(o, w, at)
		return
	}
	if known {
		c.rename(w, len(w.text), strings.Join(long, " "))
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
	text := w.text[at:]
	switch o.Name {
	case "url":
		c.url(w, at)
		c.urls = append(c.urls, w)
		return
	case "header", "proxy-header":
		c.header(w, at, text)
		return
	case "cookie":
		if strings.Contains(text, "=") || strings.HasPrefix(text, "{{") {
			w.pieces = append(kept(w.text[:at]), c.pairs(text, ';', site.Cookie)...)
			return
		}
	case "user", "proxy-user":
		c.user(w, at, text)
		return
	case "oauth2-bearer":
		w.pieces = append(kept(w.text[:at]), piece{text: text, site: site.Site{Role: site.Credential, Name: "token"}})
		return
	case "data", "data-ascii", "data-binary", "data-raw", "json":
		if o.Name == "json" {
			c.mediaType = request.JSONType
		}
		c.reads = c.reads || text == "@-"
		if o.Name == "data-raw" || !strings.HasPrefix(text, "@") {
			w.pieces = append(kept(w.text[:at]), piece{text: text, site: site.Site{Role: site.Body}})
			c.data = append(c.data, w)
		}
		return
	case "data-urlencode", "form", "form-string", "url-query", "variable":
		c.named(o, w, at, text)
		return
	case "config":
		c.sends = true
	case "request":
		c.method = true
	case "aws-sigv4":
		c.signed = true
	}
	name := o.Name
	if name == "cookie" {
		name = "cookie-jar" // a file name
	}
	w.pieces = append(kept(w.text[:at]), piece{text: text, site: site.Site{Role: site.Option, Name: name}})
}

// kept returns text as a piece without a site.
func kept(text string) []piece {
	if text == "" {
		return nil
	}
	return []piece{{text: text, kept: true}}
}

func (c *scriptCommand) header(w *scriptWord, at int, text string) {
	name, value, ok := strings.Cut(text, ":")
	if !ok || strings.Contains(text, "\n") {
		w.pieces = append(kept(w.text[:at]), piece{text: text, site: site.Site{Role: site.HeaderLines}})
		return
	}
	blanks := len(value) - len(strings.TrimLeft(value, " \t"))
	name = strings.TrimSpace(name)
	if strings.EqualFold(name, "Content-Type") {
		c.mediaType = strings.TrimSpace(value)
	}
	w.pieces = append(kept(w.text[:len(w.text)-len(value)+blanks]),
		piece{text: value[blanks:], site: site.Site{Role: site.Header, Name: name}})
}

// user finds the password of name:password. A name without a password is a credential if it looks like a key or is a
// variable.
func (c *scriptCommand) user(w *scriptWord, at int, text string) {
	c.users = append(c.users, w)
	name, password, ok := strings.Cut(text, ":")
	as := site.Site{Role: site.Credential, Name: "password"}
	if ok && password != "" {
		w.pieces = append(kept(w.text[:at]), piece{text: name, site: site.Site{Role: site.Field, Name: "username"}},
			piece{text: ":", kept: true}, piece{text: password, site: as})
		return
	}
	if as.Name = "apiKey"; !request.IsKey(name) && request.VariableLength(name) != len(name) {
		as = site.Site{Role: site.Field, Name: "username"}
	}
	w.pieces = append(kept(w.text[:at]), piece{text: name, site: as}, piece{text: text[len(name):], kept: true})
}

// named finds the content of name=content.
func (c *scriptCommand) named(o *syntax.Option, w *scriptWord, at int, text string) {
	name, content, ok := strings.Cut(text, "=")
	front := w.text[:len(w.text)-len(content)]
	if !ok {
		name, content, front = "", text, w.text[:at]
	}
	role, rest := site.Field, ""
	switch {
	case o.Name == "form" && strings.ContainsAny(content[:min(1, len(content))], "@<"), !ok && strings.Contains(content, "@"):
		return // a file
	case o.Name == "form":
		if i := strings.Index(content, ";"); i >= 0 && !strings.HasPrefix(content, `"`) {
			content, rest = content[:i], content[i:]
		}
	case o.Name == "url-query" || o.Name == "data-urlencode" && name == "key":
		role = site.Query
	}
	w.pieces = append(append(kept(front), piece{text: content, site: site.Site{Role: role, Name: name}}), kept(rest)...)
}

// pairs returns the values of name=value pairs as pieces.
func (c *scriptCommand) pairs(text string, separator byte, role site.Role) (all []piece) {
	at := 0
	c.budget.Parts(4 * strings.Count(text, string(separator)))
	for p := range request.Pairs(text, separator) {
		if p.Bare || p.Value == "" {
			continue
		}
		as := site.Site{Role: role, Name: strings.TrimSpace(p.Name)}
		all = append(all, piece{before: text[at:p.At], text: p.Value, site: as})
		at = p.At + len(p.Value)
	}
	return append(all, kept(text[at:])...)
}

// url finds the password and the query in a URL.
func (c *scriptCommand) url(w *scriptWord, at int) {
	c.sends = true
	if w.raw {
		return
	}
	address, rest := w.text[at:], ""
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address, rest = address[:i+1], address[i+1:]
	}
	pieces := kept(w.text[:at])
	if scheme, authority, ok := strings.Cut(address, "://"); ok {
		end := curl.AuthorityEnd(authority)
		user, _, hasUser := cutLast(authority[:end], "@")
		name, password, hasPassword := strings.Cut(user, ":")
		if hasUser && hasPassword && password != "" {
			pieces = append(pieces, piece{text: scheme + "://" + name + ":", kept: true},
				piece{text: password, site: site.Site{Role: site.Credential, Name: "password"}})
			address = authority[len(user):]
		}
	}
	pieces = append(pieces, piece{text: address, site: site.Site{Role: site.Path}})
	w.pieces = append(pieces, c.pairs(rest, '&', site.Query)...)
}

func cutLast(text, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(text, separator); i >= 0 {
		return text[:i], text[i+len(separator):], true
	}
	return "", text, false
}

// end completes an operation with what depends on all of its words.
func (c *scriptCommand) end() {
	if len(c.urls) == 2 && !c.method && slices.Contains(syntax.Methods, c.urls[0].text) && !c.urls[0].raw {
		c.urls[0].option, c.urls[0].pieces = "--request ", kept(c.urls[0].text)
		c.warnings.AddNamed(warning.ShellText, c.place, "a method without --request")
	}
	c.mediaType = cmp.Or(c.mediaType, request.FormType)
	if c.reads && c.cmd != nil {
		c.types[c.cmd] = c.mediaType
	}
	for _, w := range c.data {
		last := &w.pieces[len(w.pieces)-1]
		if last.site.MediaType = c.mediaType; c.get {
			w.pieces = append(w.pieces[:len(w.pieces)-1], c.pairs(last.text, '&', site.Query)...)
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
		w.pieces[0].site.Evaluated = true
		words = append(words, w)
	}
	read()
}

// documents sets the media types of the here-documents that commands send.
func (s *Script) documents() {
	for _, w := range s.words {
		if w.Document == nil || w.raw {
			continue
		}
		if mediaType, sent := s.types[w.Document.Command]; sent {
			w.pieces[0].site.Role, w.pieces[0].site.MediaType = site.Body, mediaType
		}
	}
}
