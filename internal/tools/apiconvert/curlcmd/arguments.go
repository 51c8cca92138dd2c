package curlcmd

import (
	"strings"
	"unicode/utf8"
)

// arguments are the words behind curl.
type arguments struct {
	words    []argument
	taken    int  // of the words
	urlsOnly bool // behind --
}

// take returns the next word.
func (a *arguments) take() (argument, bool) {
	if a.taken == len(a.words) {
		return argument{}, false
	}
	a.taken++
	return a.words[a.taken-1], true
}

// putBack makes text the next word, in the place of the last one taken.
func (a *arguments) putBack(text string) {
	a.taken--
	a.words[a.taken] = argument{text: text}
}

// read takes the words of one operation: up to the end, or to a --next, of
// which it reports that it was there.
func (op *operation) read(args *arguments) (next bool) {
	defer op.settle()
	for {
		word, more := args.take()
		switch {
		case !more:
			return false
		case word.unknown: // the shell reader has noted it
		case args.urlsOnly || !strings.HasPrefix(word.text, "-") || word.text == "-":
			op.positional(word)
		case word.text == "--":
			args.urlsOnly = true
		case word.text == "--next":
			return true
		case strings.HasPrefix(word.text, "--"):
			op.long(word.text[2:], args)
		case op.short(word.text[1:], args):
			return true
		}
	}
}

// long reads an option by its long name, with --no- and --expand- in front
// and its argument behind = or in the next word.
func (op *operation) long(text string, args *arguments) {
	name, arg, joined := strings.Cut(text, "=")
	on, expand := true, false
	o := longOption(name)
	if rest, ok := strings.CutPrefix(name, "no-"); o == nil && ok {
		if o = longOption(rest); o != nil && o.kind == flag {
			on = false
		} else {
			o = nil
		}
	}
	if rest, ok := strings.CutPrefix(name, "expand-"); o == nil && ok {
		o, expand = longOption(rest), true
	}
	if o == nil {
		op.unknown(name)
		if !joined {
			args.skipUnknown()
		}
		return
	}
	if o.kind == value && !joined {
		word, more := args.take()
		if !more {
			op.changed("argument_missing", o.name)
			return
		}
		arg = word.text
	}
	if expand {
		arg = op.expandVariables(arg)
	}
	op.use(use{option: o, arg: arg, on: on})
}

// short reads a word of one-letter options; the first that takes an argument
// takes the rest of the word, or the next one. It reports a -: among them,
// behind which the rest of the word is the next operation's.
func (op *operation) short(letters string, args *arguments) (next bool) {
	for letters != "" {
		c, size := utf8.DecodeRuneInString(letters)
		letters = letters[size:]
		var o *option
		if c < utf8.RuneSelf {
			o = byShort()[c]
		}
		switch {
		case o == nil:
			op.unknown(string(c))
		case o.name == "next":
			if letters != "" {
				args.putBack("-" + letters)
			}
			return true
		case o.kind != value:
			op.use(use{option: o, on: true})
		case letters != "":
			op.use(use{option: o, arg: letters, on: true})
			return false
		default:
			word, more := args.take()
			if !more {
				op.changed("argument_missing", o.name)
				return false
			}
			op.use(use{option: o, arg: word.text, on: true})
		}
	}
	return false
}

// unknown notes an option that curl does not have. What the user wrote is
// told only as far as it can be a name.
func (op *operation) unknown(name string) {
	const longest = 40
	name = strings.Map(func(c rune) rune {
		if c == '-' || c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			return c
		}
		return -1
	}, name)
	op.note(Note{Kind: UnknownOption, Option: name[:min(len(name), longest)]})
}

// skipUnknown leaves out the word behind an unknown option when it looks like
// its argument: no option, and no URL.
func (a *arguments) skipUnknown() {
	word, more := a.take()
	if more && (word.open || strings.HasPrefix(word.text, "-") || looksLikeURL(word.text)) {
		a.taken--
	}
}

func looksLikeURL(text string) bool {
	host, _, _ := strings.Cut(text, "/")
	return strings.Contains(text, "://") || strings.HasPrefix(text, "{{") ||
		strings.HasPrefix(text, "localhost") || strings.HasPrefix(text, "www.") ||
		strings.Contains(text, "/") && strings.Contains(host, ".") ||
		strings.Contains(host, ".") && strings.Contains(host, ":")
}

// use takes one option into the operation. Those that do not shape the request
// become settings.
func (op *operation) use(u use) {
	switch u.name {
	case "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json":
		op.data(u)
	case "form", "form-string":
		op.form(u)
	case "header":
		op.header(u)
	case "cookie":
		op.cookie(u)
	case "url":
		op.url(u)
	case "url-query":
		op.urlQuery(u)
	case "variable":
		op.variable(u)
	case "upload-file": // the files go with the URLs in their order
		op.uploads = append(op.uploads, u.arg)
	case "continue-at":
		op.continueAt(u)
	case "anyauth", "aws-sigv4", "basic", "digest", "negotiate", "ntlm", "ntlm-wb", "oauth2-bearer":
		op.auth(u)
	case "get", "globoff", "head", "path-as-is":
		put(&op.flags, u.name, u.on)
	case "proto-default", "range", "referer", "request", "user", "user-agent":
		put(&op.texts, u.name, u.arg)
	case "dump-ca-embed", "help", "manual", "version":
		op.informs = op.informs || u.on
	default:
		op.setting(u)
	}
}

// put sets a value in a map that may not be there yet: most commands use few
// options.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// setting keeps an option as it is; a flag that says nothing new is left out.
func (op *operation) setting(u use) {
	if was, given := op.given[u.option]; given && was == u.on && u.kind != value {
		return
	}
	if u.kind != value {
		put(&op.given, u.option, u.on)
	}
	op.settings = append(op.settings, Setting{Option: u.name, Value: u.arg, Off: !u.on, Secret: u.secret})
	if u.told != "" && u.on {
		op.note(Note{Kind: Lost, Feature: u.told, Option: u.name})
	}
}

// positional takes a URL. A lone unquoted variable beside URLs holds options,
// as in curl $OPTS http://…; which one it is shows at the end.
func (op *operation) positional(a argument) {
	if a.open {
		op.open = append(op.open, len(op.urls))
	}
	op.urls = append(op.urls, a.text)
}
