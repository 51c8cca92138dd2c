package powershell

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// webParameter is a parameter of Invoke-WebRequest or Invoke-RestMethod.
type webParameter struct {
	name     string
	isSwitch bool   // takes no value
	option   string // the equivalent curl option, if the value is the same
}

// webParameters are those of PowerShell 7.5. A ! follows a parameter without a value, and = precedes the equivalent
// curl option. Options are written in this order.
var webParameters = func() (all []webParameter) {
	for word := range strings.FieldsSeq(`
		useragent=user-agent outfile=output timeoutsec=max-time connectiontimeoutseconds=connect-timeout
		operationtimeoutseconds=max-time maximumredirection=max-redirs maximumretrycount=retry
		retryintervalsec=retry-delay proxy=proxy unixsocket=unix-socket

		uri method custommethod headers body contenttype websession sessionvariable infile form credential
		authentication token transferencoding httpversion sslprotocol responseheadersvariable statuscodevariable
		maximumfollowrellink erroraction errorvariable warningaction warningvariable informationaction
		informationvariable progressaction outvariable outbuffer pipelinevariable

		usebasicparsing! usedefaultcredentials! skipcertificatecheck! noproxy! passthru! resume! disablekeepalive!
		skipheadervalidation! skiphttperrorcheck! allowunencryptedauthentication! preserveauthorizationonredirect!
		preservehttpmethodonredirect! allowinsecureredirect! proxyusedefaultcredentials! followrellink! verbose! debug!`) {
		name, option, _ := strings.Cut(word, "=")
		name, isSwitch := strings.CutSuffix(name, "!")
		all = append(all, webParameter{name, isSwitch, option})
	}
	return all
}()

var webAliases = map[string]string{
	"ea": "erroraction", "ev": "errorvariable", "wa": "warningaction", "rhv": "responseheadersvariable",
	"sv": "sessionvariable",
}

// webParameterOf finds a parameter by its name, an alias or an unambiguous prefix.
func webParameterOf(name string) webParameter {
	name = cmp.Or(webAliases[name], name)
	var found []webParameter
	for _, p := range webParameters {
		if p.name == name {
			return p
		}
		if strings.HasPrefix(p.name, name) {
			found = append(found, p)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return webParameter{}
}

func isWebSwitch(name string) bool { return webParameterOf(name).isSwitch }

// webRequest is an invocation of a web cmdlet that is being read.
type webRequest struct {
	*psReader
	words      []script.Word // of the curl command
	parameters map[string]psValue
	headers    map[string]bool // names already written, in lower case
}

// send builds the curl command that sends the same request as a web cmdlet.
func (p *psReader) send(cmd *script.Command, arguments []psArgument, in psValue, piped bool) {
	w := webRequest{psReader: p, parameters: map[string]psValue{}, headers: map[string]bool{}}
	var unknown []string
	for _, a := range arguments {
		name := "uri"
		if a.name != "" {
			name = webParameterOf(a.name).name
		}
		if name == "" {
			unknown = append(unknown, "powershell-"+a.name)
			continue
		}
		w.parameters[name] = a.value
	}
	if piped && !w.has("body") {
		w.parameters["body"] = in
	}
	w.words = append(w.words, script.LiteralWord("curl"))
	w.request()
	for _, name := range unknown {
		w.bare(name)
	}
	cmd.Words = w.words
}

func (w *webRequest) option(name string, value script.Word) {
	w.Spend(posix.Weight(value))
	w.bare(name)
	w.words = append(w.words, value)
}

func (w *webRequest) bare(name string) { w.words = append(w.words, script.LiteralWord("--"+name)) }

func (w *webRequest) has(parameter string) bool {
	_, given := w.parameters[parameter]
	return given
}

// text returns a parameter's string. ok reports whether the parameter was passed.
func (w *webRequest) text(name string) (script.Word, bool) {
	v, ok := w.parameters[name]
	if !ok || v.kind == psRaw && len(v.word) == 1 && v.word[0].Text == "null" {
		return nil, false
	}
	return w.textOf(v), true
}

// request writes the words of the curl command. It turns off URL globbing, which PowerShell doesn't have.
func (w *webRequest) request() {
	method := ""
	for _, name := range []string{"method", "custommethod"} {
		if text, ok := w.text(name); ok {
			if literal, known := text.Literal(); known {
				method = strings.ToUpper(literal)
				text = script.LiteralWord(method)
			}
			w.option("request", text)
		}
	}
	if address, ok := w.text("uri"); ok {
		w.bare("globoff")
		w.option("url", address)
	}
	w.allHeaders()
	w.authentication()
	for _, p := range webParameters {
		if p.option == "" {
			break
		}
		if text, ok := w.text(p.name); ok {
			w.option(p.option, text)
		}
	}
	if w.has("skipcertificatecheck") {
		w.bare("insecure")
	}
	if w.has("noproxy") {
		w.option("noproxy", script.LiteralWord("*"))
	}
	w.body(method)
}

func (w *webRequest) header(name string, value script.Word) {
	name = strings.TrimSpace(name)
	lower := strings.ToLower(name)
	if name == "" || w.headers[lower] {
		return
	}
	w.headers[lower] = true
	if len(value) == 0 {
		w.option("header", script.LiteralWord(name+";"))
		return
	}
	w.option("header", append(script.LiteralWord(name+": "), value...))
}

// allHeaders adds the headers of -ContentType, of -Headers and of the session.
func (w *webRequest) allHeaders() {
	given, session := w.parameters["headers"], w.parameters["websession"]
	for _, v := range []psValue{given, session} {
		if v.kind != psUnknown && v.table == nil {
			w.textOf(v)
			w.Note(script.ArgumentsUnknown)
		}
	}
	if text, ok := w.text("contenttype"); ok {
		w.header("Content-Type", text)
	}
	w.fields(given.table)
	if session.kind == psSession {
		w.session(session.table)
	}
	if text, ok := w.text("transferencoding"); ok {
		w.header("Transfer-Encoding", text)
	}
}

// session adds the properties of a session.
func (w *webRequest) session(t *psTable) {
	for name, v := range t.entries {
		switch {
		case strings.EqualFold(name, "UserAgent") && !w.has("useragent") && !w.headers["user-agent"]:
			w.option("user-agent", w.textOf(v))
		case strings.EqualFold(name, "Headers"):
			w.fields(v.table)
		}
	}
	if len(t.cookies) == 0 {
		return
	}
	var f posix.Fields // a single header
	for i, cookie := range t.cookies {
		if i > 0 {
			f.Text("; ")
		}
		w.add(&f, cookie[0])
		f.Text("=")
		w.add(&f, cookie[1])
	}
	w.option("cookie", f.Word())
}

// fields adds the headers in a table. Developer tools copy the HTTP/2 pseudo-headers (RFC 9113, section 8.3.1) without
// their colon. If all of them are present, they are dropped.
func (w *webRequest) fields(t *psTable) {
	if t == nil {
		return
	}
	pseudo := []string{"authority", "method", "path", "scheme"}
	partial := slices.ContainsFunc(pseudo, func(name string) bool {
		return !slices.ContainsFunc(t.names, func(known string) bool { return strings.EqualFold(known, name) })
	})
	for name, value := range t.entries {
		if partial || !slices.Contains(pseudo, strings.ToLower(name)) {
			w.header(name, w.textOf(value))
		}
	}
}

// authentication adds the curl options for -Token and -UseDefaultCredentials.
func (w *webRequest) authentication() {
	if token, ok := w.text("token"); ok {
		w.option("oauth2-bearer", token)
	}
	if w.has("credential") {
		w.textOf(psValue{kind: psExpression, at: w.parameters["credential"].at})
	}
	if w.has("usedefaultcredentials") {
		w.bare("negotiate")
		w.option("user", script.LiteralWord(":"))
	}
}

func (w *webRequest) body(method string) {
	if file, ok := w.text("infile"); ok {
		w.option("data-binary", append(script.LiteralWord("@"), file...))
	}
	if form := w.parameters["form"].table; form != nil {
		for name, v := range form.entries {
			w.option("form-string", append(script.LiteralWord(name+"="), w.textOf(v)...))
		}
	}
	v := w.parameters["body"]
	switch {
	case !w.has("body"):
	case v.table != nil:
		for name, value := range v.table.entries {
			w.option("data-urlencode", append(script.LiteralWord(url.QueryEscape(name)+"="), w.textOf(value)...))
		}
		if method == "" || method == "GET" {
			w.bare("get")
		}
	default:
		w.option("data-raw", w.textOf(v))
		if method == "" {
			w.option("request", script.LiteralWord("GET"))
		}
	}
}
