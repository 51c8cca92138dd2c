package powershell

import (
	"net/url"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	windows "github.com/convertd/convertd/internal/tools/apiconvert/shell/cmd"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// parameters are those of Invoke-WebRequest and Invoke-RestMethod that change the request, and the cookies of a session,
// with the options of curl for them, in the order in which these are written.
var parameters = []struct{ name, option, prefix string }{
	{"method", "request", ""}, {"uri", "url", ""}, {"contenttype", "header", "Content-Type: "}, {"headers", "header", ""},
	{"useragent", "user-agent", ""}, {"cookies", "cookie", ""}, {"outfile", "output", ""}, {"timeoutsec", "max-time", ""},
	{"maximumredirection", "max-redirs", ""}, {"proxy", "proxy", ""}, {"infile", "data-binary", "@"}, {"body", "data-raw", ""},
}

// Parameters with and without a value. They include those that change nothing in the request.
var (
	valueParameters = script.SetOf(`uri method headers body contenttype websession useragent outfile infile timeoutsec
		maximumredirection proxy erroraction ea`)
	switchParameters = script.SetOf("skipcertificatecheck usebasicparsing verbose skiphttperrorcheck skipheadervalidation")
)

// request reads the arguments of a web cmdlet and writes the command of curl that sends the same request. It turns off URL
// globbing, which PowerShell doesn't have.
func (p *reader) request() {
	passed := map[string]value{}
	for p.toArgument() {
		p.parameter(passed)
	}
	p.write("curl")
	p.write("--globoff")
	if _, ok := passed["skipcertificatecheck"]; ok {
		p.write("--insecure")
	}
	for _, known := range parameters {
		switch v, ok := passed[known.name]; {
		case !ok:
		case known.name == "headers":
			p.headers(v, passed)
		case known.name == "body":
			p.body(v, passed["method"])
		default:
			p.option(known.option, known.prefix, v)
		}
	}
}

// parameter reads a parameter of a web cmdlet: -name value, -name:value, -name, the URL alone, or @name for those in a
// table.
func (p *reader) parameter(passed map[string]value) {
	at, c, name := p.Pos, p.ByteAt(p.Pos), "uri"
	named := (c == '-' || c == '@') && script.IsNameStart(p.ByteAt(at+1))
	if named {
		p.Pos = p.Span(at+1, &script.NameBytes)
		name = strings.ToLower(p.Text[at+1 : p.Pos])
	}
	switch splatted := p.values[name]; {
	case named && c == '@':
		if splatted.kind != hash {
			p.Fail(at, rejectedTable)
		}
		p.passAll(passed, splatted)
	case switchParameters[name] && p.ByteAt(p.Pos) != ':':
		p.pass(passed, name, value{kind: raw, at: at, word: script.LiteralWord("true")})
	default:
		if named && p.ByteAt(p.Pos) == ':' {
			p.Pos++
		}
		if !valueParameters[name] || !p.toArgument() {
			p.Fail(at, rejectedParameter)
		}
		p.pass(passed, name, p.argument())
	}
}

// passAll passes the entries of a table, or the user agent and the cookies of a session.
func (p *reader) passAll(passed map[string]value, v value) {
	for _, f := range v.table.fields {
		p.pass(passed, strings.ToLower(f.name), f.value)
	}
}

// pass passes a value to a parameter, unless it is $null.
func (p *reader) pass(passed map[string]value, name string, v value) {
	p.CountWord()
	isSwitch := switchParameters[name] && v.is("true")
	if _, twice := passed[name]; twice || !isSwitch && !valueParameters[name] && name != "cookies" {
		p.Fail(v.at, rejectedParameter)
	}
	switch verb, literal := v.word.Literal(); {
	case v.is("null"):
		return
	case name == "websession" && v.kind == session:
		p.passAll(passed, v)
	case name == "websession", name == "headers" && v.kind != hash:
		p.Fail(v.at, rejectedTable)
	case name == "method" && literal:
		v.word = script.LiteralWord(strings.ToUpper(verb))
	}
	passed[name] = v
}

func (p *reader) write(word string) { p.Cur.Words = append(p.Cur.Words, script.LiteralWord(word)) }

// option adds an option of curl whose value is a prefix and a string.
func (p *reader) option(name, prefix string, v value) {
	word := append(script.LiteralWord(prefix), p.textOf(v)...)
	p.Spend(posix.Weight(word))
	p.write("--" + name)
	p.Cur.Words = append(p.Cur.Words, word)
}

// headers adds the headers in a table. Developer tools copy the HTTP/2 pseudo-headers (RFC 9113, section 8.3.1) without
// their colon. If all of them are present, they are dropped.
func (p *reader) headers(v value, passed map[string]value) {
	pseudo := script.SetOf("authority method path scheme")
	fields := slices.DeleteFunc(slices.Clone(v.table.fields), func(f field) bool { return pseudo[strings.ToLower(f.name)] })
	if len(fields) > len(v.table.fields)-len(pseudo) {
		fields = v.table.fields
	}
	_, typed := passed["contenttype"]
	for _, f := range fields {
		switch {
		case typed && strings.EqualFold(f.name, "Content-Type"):
		case len(p.textOf(f.value)) == 0:
			p.option("header", f.name+";", f.value)
		default:
			p.option("header", f.name+": ", f.value)
		}
	}
}

func (p *reader) body(v, method value) {
	verb, known := method.word.Literal()
	if v.kind != hash {
		p.option("data-raw", "", v)
		if known && verb == "" {
			p.option("request", "", literal("GET"))
		}
		return
	}
	for _, f := range v.table.fields {
		p.option("data-urlencode", url.QueryEscape(f.name)+"=", f.value)
	}
	if known && (verb == "" || verb == "GET") {
		p.write("--get")
	}
}

// aliased matches the parameters that show that curl is the alias of a cmdlet in Windows PowerShell, and --%.
var aliased = expression.Lazy(`(?i)^-(?:uri|headers|method|body|usebasicparsing|contenttype|outfile|websession|-%)$`)

// native reads the arguments of curl.
func (p *reader) native(name string) {
	p.write(name)
	for p.toArgument() {
		p.CountWord()
		at := p.Pos
		w := p.textOf(p.argument())
		if option, ok := w.Literal(); ok && aliased().MatchString(option) {
			p.Fail(at, rejectedAlias)
		}
		p.Cur.Words = append(p.Cur.Words, unescapedQuotes(w))
	}
}

var unescapedQuote = expression.Lazy(`(?:^|[^\\])(?:\\\\)*"`)

// unescapedQuotes removes the backslashes that PowerShell before 7.3 needs before the quotes of an argument, if every
// quote has one.
func unescapedQuotes(w script.Word) script.Word {
	out := slices.Clone(w)
	for i, part := range w {
		if part.Kind == script.Literal {
			if unescapedQuote().MatchString(part.Text) {
				return w
			}
			out[i].Text = windows.Unescape(part.Text)
		}
	}
	return out
}

// toArgument moves to the next argument of a command and reports whether there is one.
func (p *reader) toArgument() bool {
	p.blanks()
	return !p.ends("\n#;|)}&>")
}

// argument reads an argument of a command: a value, or a bare string up to a blank.
func (p *reader) argument() value {
	at := p.Pos
	if c := p.Text[at]; strings.IndexByte("'\"(@${", c) >= 0 {
		v := p.operand()
		if p.endsArgument() {
			return v
		}
		if c != '$' || p.ends(".[") {
			p.Fail(p.Pos, rejectedExpression)
		}
		p.Pos = at
	}
	v := p.interpolate(bare)
	v.at = at
	return v
}

// endsArgument reports whether the cursor is at the end of an argument.
func (p *reader) endsArgument() bool {
	return p.ends(" \t\n;|)}>") || p.Text[p.Pos] == '`' && p.Continued() > 0
}
