package curl

import (
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// argument is a word of a curl command as a string.
type argument struct {
	text string
	// open reports that the word is a single unquoted variable, which may expand to any number of arguments, or to
	// none.
	open bool
	// unknown reports that the word is "$@" or the like.
	unknown bool
}

// use is an occurrence of an option in a command.
type use struct {
	*syntax.Option
	arg string
	on  bool // false for --no-name
}

// arguments are the words after curl.
type arguments struct {
	words    []argument
	taken    int  // how many words have been taken
	urlsOnly bool // after --
}

// take returns the next word.
func (a *arguments) take() (argument, bool) {
	if a.taken == len(a.words) {
		return argument{}, false
	}
	a.taken++
	return a.words[a.taken-1], true
}

// read parses the words of one operation, up to the end or a --next. It reports whether it stopped at --next.
func (op *operation) read(args *arguments) (next bool) {
	defer op.resolveURLs()
	for {
		word, more := args.take()
		switch {
		case !more:
			return false
		case word.unknown: // already noted by the shell reader
		case args.urlsOnly || !strings.HasPrefix(word.text, "-") || word.text == "-":
			if word.open {
				op.open = append(op.open, len(op.urls))
			}
			op.urls = append(op.urls, word.text)
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

// long reads an option by its long name, which may begin with no- or expand-. The argument is after = or in the next
// word.
func (op *operation) long(text string, args *arguments) {
	name, arg, joined := strings.Cut(text, "=")
	u := use{Option: syntax.Long(name), arg: arg, on: true}
	if rest, ok := strings.CutPrefix(name, "no-"); u.Option == nil && ok {
		if o := syntax.Long(rest); o != nil && o.Kind == syntax.Flag {
			u.Option, u.on = o, false
		}
	}
	rest, expand := strings.CutPrefix(name, "expand-")
	if expand = expand && u.Option == nil; expand {
		u.Option = syntax.Long(rest)
	}
	if u.Option == nil {
		op.note(unknownOption, "--"+name)
		if !joined {
			args.skipUnknown()
		}
		return
	}
	if u.Kind == syntax.Value && !joined && !op.argument(&u, args) {
		return
	}
	if expand {
		u.arg = op.expandVariables(u.arg)
	}
	op.use(u)
}

// argument takes the argument of an option from the next word.
func (op *operation) argument(u *use, args *arguments) bool {
	word, more := args.take()
	if !more {
		op.note(warning.Malformed, "--"+u.Name)
	}
	u.arg = word.text
	return more
}

// short reads a word of one-letter options. The first option that takes an argument takes the rest of the word, or the
// next word. short reports whether it stopped at -:, after which the rest of the word belongs to the next operation.
func (op *operation) short(letters string, args *arguments) (next bool) {
	for letters != "" {
		c, size := utf8.DecodeRuneInString(letters)
		letters = letters[size:]
		u := use{Option: syntax.Letter(c), on: true}
		switch {
		case u.Option == nil:
			op.note(unknownOption, "-"+string(c))
		case u.Name == "next":
			if letters != "" {
				args.taken--
				args.words[args.taken] = argument{text: "-" + letters}
			}
			return true
		case u.Kind != syntax.Value:
			op.use(u)
		default:
			if u.arg = letters; letters != "" || op.argument(&u, args) {
				op.use(u)
			}
			return false
		}
	}
	return false
}

// skipUnknown skips the word after an unknown option if it looks like its argument, that is, neither an option nor a
// URL.
func (a *arguments) skipUnknown() {
	w, more := a.take()
	if more && (w.open || strings.HasPrefix(w.text, "-") || LooksLikeURL(w.text)) {
		a.taken--
	}
}

// LooksLikeURL reports whether text is a URL rather than an argument.
func LooksLikeURL(text string) bool {
	host, _, _ := strings.Cut(text, "/")
	return strings.Contains(text, "://") || strings.HasPrefix(text, "{{") ||
		strings.HasPrefix(text, "localhost") || strings.HasPrefix(text, "www.") ||
		strings.Contains(text, "/") && strings.Contains(host, ".") ||
		strings.Contains(host, ".") && strings.Contains(host, ":")
}

// use applies one option to the operation. Options that don't shape the request become settings.
func (op *operation) use(u use) {
	if size := request.VariableLength(u.arg); size > 0 && size == len(u.arg) && op.unknown(u) {
		return
	}
	switch u.Name {
	case "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json":
		op.data(u)
	case "form", "form-string":
		op.form(u)
	case "header":
		op.header(u)
	case "cookie":
		op.cookie(u)
	case "url":
		if file, ok := strings.CutPrefix(u.arg, "@"); ok { // curl 8.13: a file of URLs
			op.note(warning.LocalFiles, file)
		} else {
			op.urls = append(op.urls, u.arg)
		}
	case "url-query": // like --data-urlencode, except that +content is not encoded
		text, raw := strings.CutPrefix(u.arg, "+")
		if !raw {
			text = op.withFile(op.urlencoded(u.Name, u.arg))
		}
		op.queries = append(op.queries, text)
	case "variable":
		op.variable(u.arg)
	case "upload-file": // the files are matched with the URLs in order
		op.uploads = append(op.uploads, u.arg)
	case "continue-at":
		if u.arg == "-" {
			op.note(warning.Transport, "--continue-at")
		} else {
			op.resume = u.arg + "-"
		}
	case "anyauth":
		op.schemes = map[string]bool{"basic": true, "digest": true}
	case "basic", "digest", "negotiate", "ntlm":
		put(&op.schemes, u.Name, u.on)
	case "ntlm-wb":
		put(&op.schemes, "ntlm", u.on)
	case "get", "globoff", "head", "path-as-is":
		put(&op.flags, u.Name, u.on)
	case "aws-sigv4", "oauth2-bearer", "proto-default", "range", "referer", "request", "user", "user-agent":
		put(&op.texts, u.Name, u.arg)
	case "dump-ca-embed", "help", "manual", "version":
		op.informs = op.informs || u.on
	default:
		op.setting(u)
	}
}

// unknown handles an option whose whole argument is a variable, if the effect of the option depends on the variable's
// value: the name of a header or form field, a file or cookies, a user name with or without a password. A script as the
// target keeps the option.
func (op *operation) unknown(u use) bool {
	switch u.Name {
	case "header", "cookie", "user":
	case "form":
		op.multipart = true
	default:
		return false
	}
	if op.toShell {
		op.settings = append(op.settings, request.Option{Name: u.Name, Value: u.arg})
		return true
	}
	name := strings.Trim(u.arg, "{}")
	op.note(warning.ShellVariable, "--"+u.Name+` "$`+name+`"`)
	op.reader.variables[name]--
	if u.Name == "user" {
		put(&op.texts, u.Name, "")
	}
	return true
}

// put sets a value in a map, which it allocates on first use: most commands use few options.
func put[V any](m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = value
}

// setting stores an option unchanged. It drops a repeated flag.
func (op *operation) setting(u use) {
	o := request.Option{Name: u.Name, Value: u.arg, Bare: u.arg == ""}
	if u.Kind != syntax.Value {
		if was, given := op.given[u.Name]; given && was == u.on {
			return
		}
		put(&op.given, u.Name, u.on)
	}
	if !u.on {
		o.Name = "no-" + o.Name
	}
	if u.Name == "config" {
		if isStdin(u.arg) && op.stdin.known {
			if text, _ := op.content(u.arg); text != "" { // standard input can be read only once
				op.args.words, op.args.taken = append(op.config(text), op.args.words[op.args.taken:]...), 0
			}
			return
		}
		op.note(warning.ConfigFile, "--config")
	}
	op.settings = append(op.settings, o)
}

// variable reads --variable name=content. A variable from the environment or a file remains {{name}}.
func (op *operation) variable(text string) {
	name, content, ok := strings.Cut(text, "=")
	if ok && !strings.HasPrefix(text, "%") && !strings.ContainsAny(name, "@[") {
		put(&op.variables, name, content)
	}
}

// expandVariables replaces the {{name}} of --expand-…. A variable with a function, as in {{name:url}}, remains {{name}}
// and is reported.
func (op *operation) expandVariables(text string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{{")
		inner, after, closed := strings.Cut(rest, "}}")
		if !ok || !closed {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(before)
		name, _, functions := strings.Cut(inner, ":")
		content, known := op.variables[name]
		if functions {
			op.note(warning.ShellSyntax, "--variable")
		}
		op.expanded += len(content)
		if known && !functions && op.expanded <= maxVariables {
			op.budget.Bytes(len(content))
			out.WriteString(content)
		} else {
			out.WriteString("{{" + name + "}}")
		}
		text = after
	}
}

// maxVariables limits the bytes that --variable expands to in one operation. Beyond it, {{name}} is kept.
const maxVariables = 1 << 20
