package shell

import (
	"net/url"
	"strings"
)

// webParameters are the parameters of Invoke-WebRequest and Invoke-RestMethod
// (PowerShell 7.5): true for those that take no value. An abbreviation stands
// for the one parameter that begins with it.
var webParameters = map[string]bool{
	"uri": false, "method": false, "custommethod": false, "headers": false, "body": false, "contenttype": false,
	"websession": false, "sessionvariable": false, "useragent": false, "infile": false, "outfile": false, "form": false,
	"credential": false, "authentication": false, "token": false, "timeoutsec": false, "connectiontimeoutseconds": false,
	"operationtimeoutseconds": false, "maximumredirection": false, "maximumretrycount": false, "retryintervalsec": false,
	"proxy": false, "proxycredential": false, "certificate": false, "certificatethumbprint": false, "transferencoding": false,
	"httpversion": false, "sslprotocol": false, "unixsocket": false, "responseheadersvariable": false,
	"statuscodevariable": false, "maximumfollowrellink": false, "erroraction": false, "errorvariable": false,
	"warningaction": false, "warningvariable": false, "informationaction": false, "informationvariable": false,
	"progressaction": false, "outvariable": false, "outbuffer": false, "pipelinevariable": false,
	"usebasicparsing": true, "usedefaultcredentials": true, "skipcertificatecheck": true, "noproxy": true, "passthru": true,
	"resume": true, "disablekeepalive": true, "skipheadervalidation": true, "skiphttperrorcheck": true,
	"allowunencryptedauthentication": true, "preserveauthorizationonredirect": true, "preservehttpmethodonredirect": true,
	"allowinsecureredirect": true, "proxyusedefaultcredentials": true, "followrellink": true, "verbose": true, "debug": true,
}

// webAliases are the parameters' other names.
var webAliases = map[string]string{"ea": "erroraction", "ev": "errorvariable", "wa": "warningaction", "rhv": "responseheadersvariable", "sv": "sessionvariable"}

// webParameter is the full name of a parameter, "" for none.
func webParameter(name string) string {
	if _, ok := webParameters[name]; ok {
		return name
	}
	if full, ok := webAliases[name]; ok {
		return full
	}
	found := ""
	for full := range webParameters {
		if strings.HasPrefix(full, name) {
			if found != "" {
				return ""
			}
			found = full
		}
	}
	return found
}

func webSwitches(name string) bool { return webParameters[webParameter(name)] }

func otherSwitches(name string) bool {
	switch name {
	case "raw", "compress", "force", "asplaintext", "asarray", "verbose", "usebasicparsing":
		return true
	}
	return false
}

// webRequest is a call of a web cmdlet, as far as it has been read.
type webRequest struct {
	*psReader
	words      []Word // of the curl command
	parameters map[string]psValue
	headers    map[string]bool // the names that are written, in lower case
}

// send adds the curl command that sends what a web cmdlet sends.
func (p *psReader) send(at int, arguments []psArgument, in psValue, piped bool) {
	cmd := p.start(&Command{Offset: p.place(at), Within: p.psWithin(), feeder: fedByNothing})
	cur := p.cur
	p.cur = cmd
	w := webRequest{psReader: p, parameters: map[string]psValue{}, headers: map[string]bool{}}
	w.words = append(w.words, literalWord("curl"))
	var unknown []string
	for _, a := range arguments {
		name := a.name
		if name == "" {
			name = "uri"
		} else if name = webParameter(name); name == "" {
			unknown = append(unknown, a.name)
			continue
		}
		w.parameters[name] = a.value
	}
	if _, given := w.parameters["body"]; piped && in.kind != psUnknown && !given {
		w.parameters["body"] = in
	}
	w.request()
	for _, name := range unknown {
		w.words = append(w.words, literalWord("--powershell-"+name))
	}
	cmd.Words = w.words
	p.cur = cur
	p.emit(cmd)
}

// option adds an option of curl with a value.
func (w *webRequest) option(name string, value Word) {
	w.spend(weight(value))
	w.words = append(w.words, literalWord("--"+name), value)
}

// text is a parameter's text; ok says that it was given.
func (w *webRequest) text(name string) (Word, bool) {
	v, ok := w.parameters[name]
	if !ok || v.kind == psRaw && len(v.word) == 1 && v.word[0].Text == "null" {
		return nil, false
	}
	return w.textOf(v), true
}

// plainOptions are the parameters that are options of curl.
var plainOptions = []struct{ parameter, option string }{
	{"useragent", "user-agent"}, {"outfile", "output"}, {"timeoutsec", "max-time"}, {"connectiontimeoutseconds", "connect-timeout"},
	{"operationtimeoutseconds", "max-time"}, {"maximumredirection", "max-redirs"}, {"maximumretrycount", "retry"},
	{"retryintervalsec", "retry-delay"}, {"proxy", "proxy"}, {"proxycredential", "proxy-user"}, {"certificate", "cert"},
	{"certificatethumbprint", "cert"}, {"unixsocket", "unix-socket"},
}

// request writes the words of the curl command. PowerShell knows no patterns in
// an address, so curl must not either.
func (w *webRequest) request() {
	method := ""
	for _, name := range []string{"method", "custommethod"} {
		if text, ok := w.text(name); ok {
			if literal, known := text.Literal(); known {
				method = strings.ToUpper(literal)
				text = literalWord(method)
			}
			w.option("request", text)
		}
	}
	if address, ok := w.text("uri"); ok {
		w.words = append(w.words, literalWord("--globoff"))
		w.option("url", address)
	}
	w.allHeaders()
	w.authentication()
	for _, o := range plainOptions {
		if text, ok := w.text(o.parameter); ok {
			w.option(o.option, text)
		}
	}
	if _, ok := w.parameters["skipcertificatecheck"]; ok {
		w.words = append(w.words, literalWord("--insecure"))
	}
	if _, ok := w.parameters["noproxy"]; ok {
		w.option("noproxy", literalWord("*"))
	}
	w.body(method)
}

// header adds a field.
func (w *webRequest) header(name string, value Word) {
	name = strings.TrimSpace(name)
	if name == "" || w.headers[strings.ToLower(name)] {
		return
	}
	w.headers[strings.ToLower(name)] = true
	if len(value) == 0 {
		w.option("header", literalWord(name+";"))
		return
	}
	w.option("header", append(literalWord(name+": "), value...))
}

// allHeaders adds the fields of -ContentType, of -Headers and of the session.
func (w *webRequest) allHeaders() {
	given, ok := w.parameters["headers"]
	if ok && given.table == nil {
		w.note(ArgumentsUnknown)
	}
	if text, ok := w.text("contenttype"); ok {
		w.header("Content-Type", text)
	}
	session := w.parameters["websession"].session
	if given.table != nil {
		w.fields(given.table)
	}
	if session != nil {
		if session.headers != nil {
			w.fields(session.headers)
		}
		_, agent := w.parameters["useragent"]
		if len(session.agent) > 0 && !agent && !w.headers["user-agent"] {
			w.option("user-agent", session.agent)
		}
		if len(session.cookies) > 0 {
			w.option("cookie", session.cookies)
		}
	} else if _, given := w.parameters["websession"]; given {
		w.note(ArgumentsUnknown)
	}
	if text, ok := w.text("transferencoding"); ok {
		w.header("Transfer-Encoding", text)
	}
}

// fields adds the fields of a table. Developer tools copy the pseudo-header
// fields of HTTP/2 (RFC 9113, section 8.3.1) without their colon.
func (w *webRequest) fields(t *psTable) {
	pseudo := map[string]bool{"authority": false, "method": false, "path": false, "scheme": false}
	found := 0
	for _, name := range t.names {
		if seen, ok := pseudo[strings.ToLower(name)]; ok && !seen {
			pseudo[strings.ToLower(name)] = true
			found++
		}
	}
	for i, name := range t.names {
		if pseudo[strings.ToLower(name)] && found == len(pseudo) {
			continue
		}
		w.header(name, w.textOf(t.values[i]))
	}
}

// authentication adds what -Credential, -Token and their like stand for.
func (w *webRequest) authentication() {
	kind, _ := w.text("authentication")
	scheme, _ := kind.Literal()
	if token, ok := w.text("token"); ok {
		w.option("oauth2-bearer", token)
		return
	}
	if v, ok := w.parameters["credential"]; ok {
		user := w.textOf(v)
		if v.kind == psList && len(v.list) > 1 {
			user = append(append(Word{}, w.textOf(v.list[0])...), Part{Kind: Literal, Text: ":"})
			user = append(user, w.textOf(v.list[1])...)
		}
		if scheme != "" && !strings.EqualFold(scheme, "Basic") && !strings.EqualFold(scheme, "None") {
			w.note(ArgumentsUnknown)
		}
		w.option("user", user)
	}
	if _, ok := w.parameters["usedefaultcredentials"]; ok {
		w.words = append(w.words, literalWord("--negotiate"))
		w.option("user", literalWord(":"))
	}
}

// body adds what the request carries.
func (w *webRequest) body(method string) {
	if file, ok := w.text("infile"); ok {
		w.option("data-binary", append(literalWord("@"), file...))
	}
	if form := w.parameters["form"].table; form != nil {
		for i, name := range form.names {
			v := form.values[i]
			if v.kind == psFile {
				w.option("form", append(literalWord(name+"=@"), v.word...))
			} else {
				w.option("form-string", append(literalWord(name+"="), w.textOf(v)...))
			}
		}
	}
	v, ok := w.parameters["body"]
	switch {
	case !ok:
	case v.kind == psFile:
		w.option("data-binary", append(literalWord("@"), v.word...))
	case v.table != nil:
		for i, name := range v.table.names {
			w.option("data-urlencode", append(literalWord(url.QueryEscape(name)+"="), w.textOf(v.table.values[i])...))
		}
		if method == "" || method == "GET" {
			w.words = append(w.words, literalWord("--get"))
		}
	default:
		w.option("data-raw", w.textOf(v))
		if method == "" {
			w.option("request", literalWord("GET"))
		}
	}
}
