package rewrite

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/invocation"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/secret"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
)

// wordsOf returns the words of a command.
func (s *Script) wordsOf(cmd *script.Command) []*scriptWord {
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
	return words
}

// command finds the sites of a command's words and reports whether it is a curl command that sends a request.
func (s *Script) command(cmd *script.Command) (sends bool) {
	words := s.wordsOf(cmd)
	args, from, ok := invocation.Call(cmd.Words)
	if !ok {
		sends = s.other(cmd, words)
		s.passwords(cmd, words)
		return sends
	}
	for _, w := range words[:from] { // of env
		s.declares(w)
	}
	return s.curl(words[from : from+len(args)])
}

// other finds the sites of a command other than curl: assignments after export, and a script passed to a shell, whose
// secrets Read recognizes. It reports whether that script may contain a curl command.
func (s *Script) other(cmd *script.Command, words []*scriptWord) (sends bool) {
	if len(cmd.Words) == 0 {
		return false
	}
	name := invocation.BaseName(cmd.Words[0])
	text, inner := invocation.ShellText(cmd)
	if array := key().FindStringSubmatch(words[0].text); array != nil && array[1] != "" && !words[0].raw {
		s.Evaluates = true
		s.element(words[0], array[1])
	}
	for _, w := range words[1:] {
		switch {
		case w.raw, script.Declares[name] && s.declares(w):
		case inner || s.source.Functions[name] || name == "echo" || name == "printf":
			w.site.Evaluated = true
			s.Evaluates = true
			if (name == "echo" || name == "printf" && !strings.Contains(w.text, "%")) && w.site.Name == "" && !digests[cmd.PipesInto] {
				w.site.Name = s.printedAs(w.From)
			}
		}
	}
	return inner && slices.ContainsFunc(text, func(p script.Part) bool { return strings.Contains(p.Text, "curl") })
}

// digests are the commands whose output says nothing about what they read.
var digests = script.SetOf("openssl sha256sum sha1sum sha512sum shasum md5sum md5 cksum wc")

// declares makes the value of NAME=value a site and reports whether a word is one.
func (s *Script) declares(w *scriptWord) bool {
	variable, value, assigned := strings.Cut(w.text, "=")
	if w.raw || !assigned || !script.IsName(variable) {
		return false
	}
	s.names.Take(variable)
	s.assign(variable, value)
	s.Evaluates = true
	s.rename(w, len(variable)+1, variable+"=")
	w.mark(len(variable)+1, len(w.text), site.Site{Role: site.Variable, Name: variable, Evaluated: true})
	return true
}

// passwords finds the passwords in the arguments of another command, and in what is printed into it.
func (s *Script) passwords(cmd *script.Command, words []*scriptWord) {
	var input []*scriptWord
	if n := len(cmd.Feeders); n > 0 {
		input = s.wordsOf(cmd.Feeders[n-1])
	}
	arguments, reads := secret.Arguments(texts(words), texts(input))
	set := func(words []*scriptWord, list []secret.Argument) {
		for _, a := range list {
			if w := words[a.Word]; !w.raw && w.site.Role != site.Variable {
				w.mark(a.From, len(w.text), site.Site{Role: site.Credential, Name: a.Name})
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

// curl finds the sites of the words after curl and reports whether a request is sent.
func (s *Script) curl(words []*scriptWord) (sends bool) {
	texts := make([]syntax.Word, len(words))
	for i, w := range words {
		texts[i] = syntax.NewWord(w.text, w.Word)
	}
	scanner := syntax.NewScanner(texts)
	for {
		a, more := scanner.Scan()
		if !more {
			return sends
		}
		w := words[a.Word]
		switch {
		case a.Operand.Open || a.Operand.Unknown:
			sends = true
			continue
		case a.Written == "":
			sends = true
			w.argument("url", 0)
			continue
		case a.Letter == len("-"):
			s.letters(w)
		case a.Option != nil && a.On && !a.Expand && w.text == a.Written && w.text != "--"+a.Name:
			s.rename(w, len(w.text), "--"+a.Name)
		}
		if a.Option != nil && !a.Missing && a.HasArgument {
			sends = sends || a.Name == "url" || a.Name == "config"
			words[a.ValueWord].argument(a.Name, a.ValueFrom)
		}
	}
}

// letters replaces the letters of a word by long names, unless one has none or is -q, which older releases recognize only
// in this form. The argument after them becomes a separate word, unless a shell would expand a tilde or a pattern in it.
func (s *Script) letters(w *scriptWord) {
	long, end := "", len("-")
	for o := (&syntax.Option{}); !o.HasArgument && end < len(w.text); end++ {
		o = syntax.Letter(rune(w.text[end]))
		if o == nil || o.Name == "next" || o.Name == "disable" {
			return
		}
		long += "--" + o.Name + " "
	}
	switch {
	case end == len(w.text):
		s.rename(w, end, strings.TrimSuffix(long, " "))
	case end < w.To-w.From && !strings.ContainsAny(s.source.Text[w.From+end:w.To], "~*?[{"):
		s.rename(w, end, long)
	}
}

// rename replaces the first length bytes of a word by an option name, provided that the source has the same bytes
// there.
func (s *Script) rename(w *scriptWord, length int, option string) {
	if !w.raw && strings.HasPrefix(s.source.Text[w.From:w.To], w.text[:length]) {
		w.option, w.length = option, length
	}
}

// argument makes the argument of an option, which begins at an offset of a word, a site.
func (w *scriptWord) argument(option string, from int) {
	if w.raw {
		return
	}
	w.mark(from, len(w.text), site.Site{Role: site.Option, Name: option})
	if bodies[option] && (option == "data-raw" || !strings.HasPrefix(w.value, "@")) {
		w.site = site.Site{Role: site.Body, MediaType: request.FormType}
	}
}

var bodies = script.SetOf("data data-ascii data-binary data-raw json")

// arrays finds the sites of arrays that contain arguments of curl.
func (s *Script) arrays() {
	var words []*scriptWord
	read := func() {
		if len(words) > 0 && strings.HasPrefix(words[0].text, "-") {
			s.curl(words)
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
		w.site.Evaluated = true
		words = append(words, w)
	}
	read()
}
