package collection

import (
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// URL is a URL split as Postman splits it: by its delimiters outside of {{variables}}, without validating or
// decoding any part.
type URL struct {
	Protocol string // without ://
	Userinfo string
	Host     string
	Port     string
	Segments []string // of the path, without the slashes; [""] is "/"
	Query    []request.Pair
	Fragment string

	HasUserinfo, HasPath, HasQuery, HasFragment bool
}

// mask replaces every byte of a {{variable}} by "_", so that a delimiter found in the result is not part of a
// variable's name. The length stays the same.
func mask(text string) string {
	return request.Substitute(text, func(name string) string { return strings.Repeat("_", len(name)+len("{{}}")) })
}

// cutter cuts a text and its masked form at the same offsets.
type cutter struct{ text, masked string }

func newCutter(text string) cutter { return cutter{text, mask(text)} }

// at cuts a delimiter of size bytes at index i. A negative index cuts nothing.
func (c cutter) at(i, size int) (before, after cutter, ok bool) {
	if i < 0 {
		return c, cutter{}, false
	}
	return cutter{c.text[:i], c.masked[:i]}, cutter{c.text[i+size:], c.masked[i+size:]}, true
}

// cut is like strings.Cut.
func (c cutter) cut(delimiter string) (before, after cutter, ok bool) {
	return c.at(strings.Index(c.masked, delimiter), len(delimiter))
}

func (c cutter) split(delimiter string) []string {
	var pieces []string
	for {
		piece, rest, more := c.cut(delimiter)
		if pieces = append(pieces, piece.text); !more {
			return pieces
		}
		c = rest
	}
}

// TrimURL removes white space and byte order marks before a URL, and white space after it.
func TrimURL(text string) string {
	return strings.TrimRight(strings.TrimLeft(text, "\ufeff \t\r\n\v\f\u00a0"), " \t\r\n")
}

// ParseURL splits a URL. It accepts any text; missing parts are empty. A protocol-relative URL (//host/path)
// gets https.
func ParseURL(text string) URL {
	var a URL
	c, fragment, hasFragment := newCutter(request.WithSlashes(TrimURL(text))).cut("#")
	c, query, hasQuery := c.cut("?")
	c = cutter{strings.ReplaceAll(c.text, `\`, "/"), strings.ReplaceAll(c.masked, `\`, "/")}
	if protocol, rest, ok := c.cut("://"); ok {
		a.Protocol, c = protocol.text, rest.trimSlashes()
	} else if strings.HasPrefix(c.masked, "//") { // RFC 3986, section 4.2
		a.Protocol, c = "https", c.trimSlashes()
	}
	c, path, hasPath := c.cut("/")
	if a.HasPath = hasPath; hasPath {
		a.Segments = path.split("/")
	}
	a.Query, a.HasQuery = ParseQuery(query.text), hasQuery
	a.Fragment, a.HasFragment = fragment.text, hasFragment
	a.authority(c)
	return a
}

func (c cutter) trimSlashes() cutter {
	rest := strings.TrimLeft(c.masked, "/")
	return cutter{c.text[len(c.text)-len(rest):], rest}
}

// authority parses userinfo@host:port.
func (a *URL) authority(c cutter) {
	if userinfo, rest, ok := c.at(strings.LastIndexByte(c.masked, '@'), 1); ok {
		a.Userinfo, a.HasUserinfo, c = userinfo.text, true, rest
	}
	if host, port, ok := c.at(strings.LastIndexByte(c.masked, ':'), 1); ok && !strings.Contains(port.masked, "]") {
		a.Port, c = port.text, host
	}
	a.Host = c.text
}

// ParseQuery splits a query or a form. An & within {{…}} doesn't count.
func ParseQuery(text string) []request.Pair {
	var pairs []request.Pair
	for p := range request.Pairs(text, '&') {
		if p.Name != "" || !p.Bare {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// Credentials splits the userinfo of a URL at its first colon.
func (a *URL) Credentials() (user, password string, both bool) {
	before, after, both := newCutter(a.Userinfo).cut(":")
	return before.text, after.text, both
}

// PathVariable returns the name of the path variable at the start of a segment, ":id" or ":id.json", and the
// rest. The name is "" if there is no path variable.
func PathVariable(segment string) (name, rest string) {
	if !strings.HasPrefix(segment, ":") {
		return "", segment
	}
	name = segment[1:]
	if i := strings.IndexByte(name, '.'); i >= 0 {
		name, rest = name[:i], name[i:]
	}
	if !request.VariableName(name) || strings.Contains(name, "/") {
		return "", segment
	}
	return name, rest
}

// Object returns a parsed URL as Postman's url object; raw is its source.
func (a *URL) Object(raw string) *tree.Value {
	var query *tree.Value
	if a.HasQuery {
		query = QueryValue(a.Query...)
	}
	variables, seen := tree.NewArray(), map[string]bool{}
	for _, segment := range a.Segments {
		if name, _ := PathVariable(segment); name != "" && !seen[name] {
			seen[name] = true
			variables.Append(tree.NewObject().Set("key", tree.NewString(name)))
		}
	}
	return a.Value(raw, query, variables)
}

// Value returns Postman's url object with a list of variables and a query, which may be nil.
func (a *URL) Value(raw string, query, variables *tree.Value) *tree.Value {
	url := tree.NewObject()
	url.SetText("raw", raw)
	url.SetText("protocol", a.Protocol)
	if a.HasUserinfo {
		user, password, both := a.Credentials()
		auth := tree.NewObject().Set("user", tree.NewString(user))
		if both {
			auth.Set("password", tree.NewString(password))
		}
		url.Set("auth", auth)
	}
	if a.Host != "" {
		url.Set("host", tree.NewStrings(newCutter(a.Host).split(".")))
	}
	url.SetText("port", a.Port)
	if a.Segments != nil {
		url.Set("path", tree.NewStrings(a.Segments))
	}
	if query != nil {
		url.Set("query", query)
	}
	if a.HasFragment {
		url.Set("hash", tree.NewString(a.Fragment))
	}
	if variables.Len() > 0 {
		url.Set("variable", variables)
	}
	return url
}

func QueryValue(pairs ...request.Pair) *tree.Value {
	list := tree.NewArray()
	for _, p := range pairs {
		value := tree.NewNull()
		if !p.Bare {
			value = tree.NewString(p.Value)
		}
		list.Append(tree.NewObject().Set("key", tree.NewString(p.Name)).Set("value", value))
	}
	return list
}

// Position is a part of a URL. It determines what is percent-encoded.
type Position uint8

const (
	InPath Position = iota
	InQuery
	InQueryName
)

// reserved are the printable ASCII characters that Postman percent-encodes in each position (the sets of the URL
// standard), and those that would end the part they are in.
var reserved = [...]string{
	InPath:      " \"<>`#?{}\\",
	InQuery:     " \"<>'#&",
	InQueryName: " \"<>'#&=",
}

// Encode encodes text as Postman sends it. It keeps variables and percent-encoded bytes, and encodes a percent
// sign that doesn't begin an encoded byte.
func Encode(text string, where Position) string {
	return request.Encode(text, func(rest string) bool {
		c := rest[0]
		if c == '%' {
			_, encoded := percent.Byte(rest)
			return encoded
		}
		return c > ' ' && c < 0x7f && strings.IndexByte(reserved[where], c) < 0
	})
}

// kept are the characters that remain percent-encoded when a URL is shown, because they would mean something
// else or because Postman wouldn't encode them again.
var kept = [...]string{
	InPath:      "#%&+/:;=?@[\\]{|}!$'()*,^~",
	InQuery:     "#%&+,;{|}",
	InQueryName: "#%&+,;{|}=",
}

// encodedRun matches an encoded ASCII character, or encoded bytes that may be other characters.
var encodedRun = expression.Lazy(`%[0-7][0-9A-Fa-f]|(?:%[89A-Fa-f][0-9A-Fa-f])+`)

// Decode converts encoded text to the form that Postman shows, such that Postman sends the same or an equal URL.
func Decode(text string, where Position) string {
	if !strings.Contains(text, "%") {
		return text
	}
	return encodedRun().ReplaceAllStringFunc(text, func(run string) string {
		plain := percent.Decode(run)
		if plain[0] < ' ' || plain[0] == 0x7f || strings.Contains(kept[where], plain) || !utf8.ValidString(plain) {
			return run
		}
		return plain
	})
}

// SplitPath splits the path of a url object again if its segments hold delimiters. Like Postman, it reads what follows ?
// as the query, and what follows # as the fragment, which isn't sent.
func SplitPath(url *tree.Value) {
	path := url.Get("path")
	text := strings.Join(path.Texts(), "/")
	if path.Kind() == tree.String {
		text = strings.TrimPrefix(text, "/")
	}
	c, fragment, hasFragment := newCutter(text).cut("#")
	c, query, hasQuery := c.cut("?")
	segments := c.split("/")
	if text == "" || !hasFragment && !hasQuery && (path.Kind() == tree.String || len(segments) == path.Len()) {
		return
	}
	url.Set("path", tree.NewStrings(segments))
	if !hasFragment && !hasQuery {
		return
	}
	list := QueryValue(ParseQuery(query.text)...)
	if hasFragment {
		url.Set("hash", tree.NewString(fragment.text))
	} else {
		for _, p := range url.Get("query").Elements() {
			list.Append(p.Take())
		}
	}
	url.Set("query", list)
}

// URLOf reads a url object. ok is false when it is empty.
func URLOf(v *tree.Value) (a URL, ok bool) {
	a.Protocol = strings.TrimRight(strings.TrimSpace(v.Get("protocol").Text()), ":/")
	a.Host = strings.TrimSpace(strings.Join(v.Get("host").Texts(), "."))
	a.Port = v.Get("port").Text()
	a.Fragment = v.Get("hash").Text()
	if auth := v.Get("auth"); auth.Get("user").Kind() == tree.String {
		a.Userinfo, a.HasUserinfo = auth.Get("user").Text(), true
		if password := auth.Get("password"); password.Kind() == tree.String {
			a.Userinfo += ":" + password.Text()
		}
	}
	switch path := v.Get("path"); {
	case path.Kind() == tree.Array && path.Len() > 0:
		a.HasPath, a.Segments = true, path.Texts()
	case path.Text() != "":
		a.HasPath = true
		a.Segments = newCutter(strings.TrimPrefix(path.Text(), "/")).split("/")
	}
	return a, a.Host != "" || a.HasPath
}
