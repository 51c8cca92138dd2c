package curl

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// read reads the arguments of one operation, up to the end or a --next. It reports whether it stopped at --next.
func (op *operation) read() (next bool) {
	defer op.resolveURLs()
	for {
		a, more := op.args.Scan()
		switch {
		case !more:
			return false
		case a.Operand.Unknown: // already noted by the shell reader
		case a.Written == "":
			if a.Operand.Open {
				op.open = append(op.open, len(op.urls))
			}
			op.urls = append(op.urls, a.Operand.Text)
		case a.Option == nil:
			op.note(unknownOption, a.Written)
		case a.Name == "next":
			return true
		case a.Missing:
			op.note(warning.LostMalformed, "--"+a.Name)
		default:
			if a.Expand {
				op.note(warning.LostShellSyntax, "--expand-"+a.Name)
			}
			op.use(a)
		}
	}
}

// use applies one option to the operation. Options that don't shape the request become settings.
func (op *operation) use(a syntax.Argument) {
	if size := request.VariableLength(a.Value); size > 0 && size == len(a.Value) && op.unknown(a) {
		return
	}
	switch a.Name {
	case "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json":
		op.data(a)
	case "form", "form-string":
		op.form(a)
	case "header":
		op.header(a)
	case "cookie":
		op.cookie(a)
	case "url":
		if file, ok := strings.CutPrefix(a.Value, "@"); ok { // curl 8.13: a file of URLs
			op.note(warning.LostLocalFiles, file)
		} else {
			op.urls = append(op.urls, a.Value)
		}
	case "url-query": // like --data-urlencode, except that +content is not encoded
		text, raw := strings.CutPrefix(a.Value, "+")
		if !raw {
			text = op.withFile(op.urlencoded(a.Name, a.Value))
		}
		op.queries = append(op.queries, text)
	case "upload-file": // the files are matched with the URLs in order
		op.uploads = append(op.uploads, a.Value)
	case "anyauth":
		put(&op.flags, "basic", true)
		put(&op.flags, "digest", true)
	case "ntlm-wb":
		put(&op.flags, "ntlm", a.On)
	case "basic", "digest", "get", "globoff", "head", "negotiate", "ntlm", "path-as-is":
		put(&op.flags, a.Name, a.On)
	case "aws-sigv4", "oauth2-bearer", "proto-default", "range", "referer", "request", "user", "user-agent":
		put(&op.texts, a.Name, a.Value)
	case "dump-ca-embed", "help", "manual", "version":
		op.informs = op.informs || a.On
	default:
		op.setting(a)
	}
}

// unknown handles an option whose whole argument is a variable, if the effect of the option depends on the variable's
// value: the name of a header or form field, a file or cookies, a user name with or without a password. A script as the
// target keeps the option.
func (op *operation) unknown(a syntax.Argument) bool {
	switch a.Name {
	case "header", "cookie", "user":
	case "form":
		op.multipart = true
	default:
		return false
	}
	if op.toShell {
		op.settings = append(op.settings, request.Option{Name: a.Name, Value: a.Value})
		return true
	}
	name := strings.Trim(a.Value, "{}")
	op.note(warning.LostShellVariable, "--"+a.Name+` "$`+name+`"`)
	op.variables[name]--
	if a.Name == "user" {
		put(&op.texts, a.Name, "")
	}
	return true
}

// put sets a value in a map, which it allocates on first use: most commands use few options.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// setting stores an option unchanged. It drops a repeated flag.
func (op *operation) setting(a syntax.Argument) {
	o := request.Option{Name: a.Name, Value: a.Value, Bare: a.Value == ""}
	if !a.HasArgument {
		if was, given := op.flags[a.Name]; given && was == a.On {
			return
		}
		put(&op.flags, a.Name, a.On)
	}
	if !a.On {
		o.Name = "no-" + o.Name
	}
	if a.Name == "config" {
		if isStdin(a.Value) && !op.stdin.unknown && op.stdin.file == "" {
			if text, _ := op.content(a.Value); text != "" { // standard input can be read only once
				op.args.Insert(op.config(text))
			}
			return
		}
		op.note(warning.LostConfigFile, "--config")
	}
	op.settings = append(op.settings, o)
}

// configLine matches a line of a -K file: an option with or without its dashes, and its argument, which may be quoted.
// After a name without dashes, = or a colon is optional.
var (
	configLine    = expression.Lazy(`^[ \t]*(?:(-[^ \t\r\n]+)|([^ \t\r\n=:#]+)[ \t]*[=:]?)[ \t]*(?:"((?:[^"\\]|\\.)*)|([^ \t\r\n]*))`)
	configEscapes = strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\r`, "\r", `\v`, "\v", `\\`, `\`, `\"`, `"`)
)

// config returns the options of a -K file as words of the command line, each with its argument.
func (op *operation) config(text string) (words []syntax.Word) {
	for line := range strings.Lines(text) {
		op.budget.Parts(1)
		m := configLine().FindStringSubmatch(line)
		if m == nil || strings.HasPrefix(m[1]+m[2], "#") {
			continue
		}
		name := strings.TrimLeft(m[1]+m[2], "-")
		o := syntax.Long(name)
		if len(name) == 1 {
			if o = syntax.Letter(rune(name[0])); o != nil {
				name = o.Name
			}
		}
		if o == nil || o.HasArgument {
			name += "=" + configEscapes.Replace(m[3]) + m[4]
		}
		words = append(words, syntax.Word{Text: "--" + name})
	}
	return words
}
