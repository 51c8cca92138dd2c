package curl

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// operation is one run of arguments, up to --next.
type operation struct {
	*reader
	stdin *input // shared by the operations of a command
	args  *syntax.Scanner

	urls    []string
	open    []int // the indexes of URLs that may be options: a lone unquoted variable, as in curl $OPTS http://…
	uploads []string

	flags map[string]bool   // the options without an argument, and whether they are on
	texts map[string]string // the last argument of each single-valued option

	headers []field
	cookies []string
	queries []string
	parts   []dataPart
	fields  []*request.Field

	multipart bool // there is a form, even if none of its fields is known

	settings []request.Option
	notes    []note
	unusable bool // a URL was dropped
	informs  bool // --help, --version: curl sends nothing
}

// field is a header that the command sets, or removes: "Name:" stops curl from sending it.
type field struct {
	name, value string
	removed     bool
}

// note adds a note unless it is already there.
func (op *operation) note(f warning.Feature, about string) {
	const most = 100 // features are few, but unknown options come from the user
	if n := (note{f, about}); !slices.Contains(op.notes, n) && len(op.notes) < most {
		op.notes = append(op.notes, n)
	}
}

// resolveURLs decides which words are URLs. It excludes a method without -X (curl -v POST https://…) and words that no
// request can be sent to. Words that may hold options count only if there are no others. Then the last one is the URL.
func (op *operation) resolveURLs() {
	if len(op.urls) == 2 && len(op.open) == 0 && op.texts["request"] == "" && slices.Contains(syntax.Methods, op.urls[0]) {
		put(&op.texts, "request", op.urls[0])
		op.urls = op.urls[1:]
		op.note(warning.ChangedShellText, "a method without --request")
	}
	if n := len(op.urls); n > 1 && len(op.open) > 0 {
		op.open = op.open[:min(len(op.open), n-1)]
		op.note(warning.LostShellSyntax, unknownArguments)
	} else {
		op.open = nil
	}
	urls := op.urls[:0]
	for i, text := range op.urls {
		open := len(op.open) > 0 && op.open[0] == i
		if open {
			op.open = op.open[1:]
		}
		switch {
		case open:
		case !usable(text) || op.printed[text]:
			op.unusable = true
			op.variables[strings.Trim(text, "{}")]--
		default:
			urls = append(urls, text)
		}
	}
	op.urls = urls
}

// usable reports whether a request can be sent to a URL. It excludes what only running the script shows, a lone ^ or another word
// without a dot, a slash or a port, and a host with markup in it.
func usable(text string) bool {
	if size := request.VariableLength(text); size > 0 {
		return size < len(text) || !unknownText().MatchString(text)
	}
	host := text
	if _, after, ok := strings.Cut(request.WithSlashes(text), "://"); ok {
		host = after
	} else if strings.Trim(text, ":") == "" || !strings.ContainsAny(text, ".:/{[") && text != "localhost" {
		return false
	}
	host, _, _ = strings.Cut(host, "/")
	return !markup().MatchString(host)
}

var (
	unknownText = expression.Lazy(`^\{\{[0-9]+\}\}$`) // an argument of the script
	markup      = expression.Lazy(`(?i)["\x60^|\\]|</|<(?:a|b|i|u|em|br|code|mark|span|strong)(?: [^>]*)?>`)
)

// header handles -H. As in libcurl, "Name: value" sets a header, "Name:" stops curl from sending its own, "Name;" sends
// an empty one, and an argument without either character is ignored. A line end in the argument begins another header.
// The headers in a file are unknown, so that option is kept.
func (op *operation) header(a syntax.Argument) {
	if name, ok := strings.CutPrefix(a.Value, "@"); ok {
		text, file := op.content(name)
		if file != "" {
			op.settings = append(op.settings, request.Option{Name: "header", Value: "@" + file})
			return
		}
		a.Value = text
	}
	for line := range strings.Lines(a.Value) {
		line = strings.TrimRight(line, "\r\n")
		name, text, sets := strings.Cut(line, ":")
		text = strings.TrimSpace(text)
		removed := sets && text == ""
		if !sets {
			name, sets = strings.CutSuffix(line, ";")
		}
		if name = strings.TrimSpace(name); sets && name != "" {
			op.headers = append(op.headers, field{name, text, removed})
		} else if line != "" {
			op.note(warning.LostMalformed, "--header")
		}
	}
}

// hasHeader reports whether -H sets or removes a header.
func (op *operation) hasHeader(name string) bool {
	return slices.ContainsFunc(op.headers, func(h field) bool { return strings.EqualFold(h.name, name) })
}

// cookie handles -b: cookies if there is a =, or else the name of a file.
func (op *operation) cookie(a syntax.Argument) {
	switch {
	case strings.Contains(a.Value, "=") || request.VariableLength(a.Value) == len(a.Value):
		op.cookies = append(op.cookies, a.Value)
	case a.Value != "" && op.toShell:
		op.settings = append(op.settings, request.Option{Name: a.Name, Value: a.Value})
	case a.Value != "":
		op.note(warning.LostCookieFile, "--cookie")
	}
}

// allHeaders returns the headers of -H and of the options that imply one, over which -H takes precedence. It omits the
// removal of a header that another -H sets.
func (op *operation) allHeaders() []field {
	set := map[string]bool{}
	for _, h := range op.headers {
		set[strings.ToLower(h.name)] = set[strings.ToLower(h.name)] || !h.removed
	}
	var all []field
	for _, h := range op.headers {
		if !h.removed || !set[strings.ToLower(h.name)] {
			all = append(all, h)
		}
	}
	add := func(name, text string, given bool) {
		if given && !op.hasHeader(name) {
			all = append(all, field{name, strings.TrimSpace(text), text == ""})
		}
	}
	agent, hasAgent := op.texts["user-agent"]
	add("User-Agent", agent, hasAgent)
	referer, automatic := strings.CutSuffix(op.texts["referer"], ";auto")
	if automatic {
		op.note(warning.LostCURLOption, "--referer")
	}
	add("Referer", referer, referer != "")
	add("Cookie", strings.Join(op.cookies, ";"), len(op.cookies) > 0)
	json := slices.ContainsFunc(op.parts, func(p dataPart) bool { return p.option == "json" })
	add("Content-Type", request.JSONType, json)
	add("Accept", request.JSONType, json)
	bytes, hasRange := op.texts["range"]
	if hasRange && strings.Trim(bytes, "0123456789") == "" {
		bytes += "-"
	}
	add("Range", "bytes="+bytes, hasRange)
	return all
}

// authentication returns how one request authenticates, or nil if curl doesn't. user is the name:password of the URL,
// over which -u takes precedence. several reports that curl chooses among the schemes that the server offers.
func (op *operation) authentication(user string) (a *request.Auth, several bool) {
	given, ok := op.texts["user"]
	name, password, _ := strings.Cut(given, ":")
	if !ok {
		name, password, _ = strings.Cut(user, ":")
		name, password = percent.Decode(name), percent.Decode(password)
	}
	token, bearer := op.texts["oauth2-bearer"]
	signature, signs := op.texts["aws-sigv4"]
	switch {
	case op.hasHeader("Authorization"):
		return nil, false
	case bearer:
		return &request.Auth{Kind: request.Bearer, Token: token}, false
	case !ok && user == "":
		return nil, false
	}
	a = &request.Auth{Username: name, Password: password}
	chosen := 0
	for _, scheme := range []string{"basic", "digest", "negotiate", "ntlm"} {
		if op.flags[scheme] {
			chosen++
		}
	}
	switch {
	case signs && chosen == 0:
		a.Kind, a.Settings = request.AWSSignature4, signatureSettings(signature)
	case signs || chosen > 1:
		return a, true
	case op.flags["digest"]:
		a.Kind = request.Digest
	case op.flags["ntlm"]:
		a.Kind = request.NTLM
		if domain, name, ok := strings.Cut(a.Username, `\`); ok {
			a.Username, a.Settings = name, []request.Option{{Name: "domain", Value: domain}}
		}
	case op.flags["negotiate"]:
		a = &request.Auth{Kind: request.OtherScheme, Key: syntax.Negotiate}
	}
	return a, false
}

// signatureSettings parses provider1:provider2:region:service of --aws-sigv4.
func signatureSettings(text string) (settings []request.Option) {
	parts := append(strings.Split(text, ":"), "", "", "")
	for i, name := range []string{"region", "service"} {
		if parts[i+2] != "" {
			settings = append(settings, request.Option{Name: name, Value: parts[i+2]})
		}
	}
	if !strings.HasPrefix(text, "aws:amz") && text != "" {
		settings = append(settings, request.Option{Name: "provider", Value: text})
	}
	return settings
}
