package powershell

import (
	"net/url"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Parameters of Invoke-WebRequest and Invoke-RestMethod, with and without a value. They include those that change nothing
// in the request.
var (
	valueParameters = script.SetOf(`uri method custommethod headers body contenttype websession useragent outfile infile
		timeoutsec maximumredirection proxy erroraction ea errorvariable warningaction outvariable statuscodevariable
		responseheadersvariable`)
	switchParameters = script.SetOf(`skipcertificatecheck usebasicparsing verbose passthru skiphttperrorcheck
		skipheadervalidation allowunencryptedauthentication disablekeepalive`)
)

// options are the parameters whose value is that of an option of curl, in the order in which they are written.
var options = []struct{ parameter, option string }{
	{"useragent", "user-agent"}, {"outfile", "output"}, {"timeoutsec", "max-time"}, {"maximumredirection", "max-redirs"},
	{"proxy", "proxy"},
}

// webRequest is an invocation of a web cmdlet as a command of curl.
type webRequest struct {
	*reader
	words      []script.Word
	parameters map[string]value
	headers    map[string]bool // names already written, in lower case
}

// send reads the arguments of a web cmdlet and builds the command of curl that sends the same request.
func (p *reader) send(cmd *script.Command) {
	w := webRequest{reader: p, parameters: map[string]value{}, headers: map[string]bool{}}
	for p.toArgument() {
		p.CountWord()
		w.parameter()
	}
	w.bare("curl")
	w.request()
	cmd.Words = w.words
}

// parameter reads a parameter of the cmdlet: -name value, -name:value, -name, or the URL alone.
func (w *webRequest) parameter() {
	at, name := w.Pos, "uri"
	if w.ByteAt(at) == '-' && script.IsNameStart(w.ByteAt(at+1)) {
		w.Pos = w.Span(at+1, &script.NameBytes)
		name = strings.ToLower(w.Text[at+1 : w.Pos])
		if valueParameters[name] && (w.ByteAt(w.Pos) == ':' || !w.toArgument()) {
			w.Pos++
		}
	}
	_, twice := w.parameters[name]
	switch {
	case !twice && valueParameters[name] && w.toArgument():
		w.parameters[name] = w.argument()
	case !twice && switchParameters[name]:
		w.parameters[name] = value{at: at}
	default:
		w.Fail(at, rejectedParameter)
	}
}

func (w *webRequest) bare(word string) { w.words = append(w.words, script.LiteralWord(word)) }

func (w *webRequest) option(name string, v script.Word) {
	w.Spend(posix.Weight(v))
	w.bare("--" + name)
	w.words = append(w.words, v)
}

// text returns a parameter's string. ok reports whether the parameter was passed and is not $null.
func (w *webRequest) text(name string) (word script.Word, ok bool) {
	v, ok := w.parameters[name]
	if !ok || v.isNull() {
		return nil, false
	}
	return w.textOf(v), true
}

// request writes the words of the curl command. It turns off URL globbing, which PowerShell doesn't have.
func (w *webRequest) request() {
	method := ""
	for _, name := range []string{"method", "custommethod"} {
		if word, ok := w.text(name); ok {
			if literal, known := word.Literal(); known {
				method = strings.ToUpper(literal)
				word = script.LiteralWord(method)
			}
			w.option("request", word)
		}
	}
	if address, ok := w.text("uri"); ok {
		w.bare("--globoff")
		w.option("url", address)
	}
	if word, ok := w.text("contenttype"); ok {
		w.header("Content-Type", word)
	}
	if v, ok := w.parameters["headers"]; ok {
		w.fields(v)
	}
	if v, ok := w.parameters["websession"]; ok {
		w.session(v)
	}
	for _, o := range options {
		if word, ok := w.text(o.parameter); ok {
			w.option(o.option, word)
		}
	}
	if _, ok := w.parameters["skipcertificatecheck"]; ok {
		w.bare("--insecure")
	}
	w.body(method)
}

func (w *webRequest) header(name string, v script.Word) {
	name = strings.TrimSpace(name)
	lower := strings.ToLower(name)
	if name == "" || w.headers[lower] {
		return
	}
	w.headers[lower] = true
	if len(v) == 0 {
		w.option("header", script.LiteralWord(name+";"))
		return
	}
	w.option("header", append(script.LiteralWord(name+": "), v...))
}

// fields adds the headers in a table. Developer tools copy the HTTP/2 pseudo-headers (RFC 9113, section 8.3.1) without
// their colon. If all of them are present, they are dropped.
func (w *webRequest) fields(v value) {
	if v.kind != hash {
		w.Fail(v.at, rejectedHeaders)
	}
	pseudo := []string{"authority", "method", "path", "scheme"}
	partial := slices.ContainsFunc(pseudo, func(name string) bool {
		return !slices.ContainsFunc(v.table.fields, func(known field) bool { return strings.EqualFold(known.name, name) })
	})
	for _, f := range v.table.fields {
		if partial || !slices.Contains(pseudo, strings.ToLower(f.name)) {
			w.header(f.name, w.textOf(f.value))
		}
	}
}

// session adds the user agent and the cookies of a session.
func (w *webRequest) session(v value) {
	if v.kind != session {
		w.Fail(v.at, rejectedHeaders)
	}
	for _, agent := range v.table.fields {
		if _, given := w.parameters["useragent"]; !given && !w.headers["user-agent"] {
			w.option("user-agent", w.textOf(agent.value))
		}
	}
	var f posix.Fields // a single header
	for i, cookie := range v.table.cookies {
		if i > 0 {
			f.Text("; ")
		}
		w.add(&f, cookie[0])
		f.Text("=")
		w.add(&f, cookie[1])
	}
	if len(v.table.cookies) > 0 {
		w.option("cookie", f.Word())
	}
}

func (w *webRequest) body(method string) {
	if file, ok := w.text("infile"); ok {
		w.option("data-binary", append(script.LiteralWord("@"), file...))
	}
	v, ok := w.parameters["body"]
	switch {
	case !ok || v.isNull():
	case v.kind == hash:
		for _, f := range v.table.fields {
			w.option("data-urlencode", append(script.LiteralWord(url.QueryEscape(f.name)+"="), w.textOf(f.value)...))
		}
		if method == "" || method == "GET" {
			w.bare("--get")
		}
	default:
		w.option("data-raw", w.textOf(v))
		if method == "" {
			w.option("request", script.LiteralWord("GET"))
		}
	}
}
