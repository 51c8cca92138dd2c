package postman

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// address is a URL taken apart as Postman does it: by its delimiters outside
// of {{variables}}, without checking or decoding any part.
type address struct {
	protocol string // without ://
	userinfo string
	host     string
	port     string
	segments []string // of the path, without the slashes; [""] is "/"
	query    []entry
	fragment string

	hasUserinfo, hasPath, hasQuery, hasFragment bool
}

// entry is a name with a value, of a query or an urlencoded form.
type entry struct {
	name, value string
	bare        bool // without "="
}

// mask returns text with every byte of a {{variable}} replaced by "_", so that
// a delimiter found in it is none of a variable's name. The text keeps its
// length.
func mask(text string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	masked := make([]byte, 0, len(text))
	for _, part := range request.Split(text) {
		if part.Kind == request.LiteralPart {
			masked = append(masked, part.Text...)
			continue
		}
		for range len(part.Text) + len("{{}}") {
			masked = append(masked, '_')
		}
	}
	return string(masked)
}

// cutter cuts a text and its masked form at the same places.
type cutter struct{ text, masked string }

func newCutter(text string) cutter { return cutter{text, mask(text)} }

// at cuts at index i a delimiter of size bytes.
func (c cutter) at(i, size int) (before, after cutter) {
	return cutter{c.text[:i], c.masked[:i]}, cutter{c.text[i+size:], c.masked[i+size:]}
}

func (c cutter) split(delimiter byte) []string {
	var pieces []string
	for {
		i := strings.IndexByte(c.masked, delimiter)
		if i < 0 {
			return append(pieces, c.text)
		}
		var before cutter
		before, c = c.at(i, 1)
		pieces = append(pieces, before.text)
	}
}

// trimAddress removes the white space and byte order marks in front of an
// address, and the white space behind it.
func trimAddress(text string) string {
	return strings.TrimRight(strings.TrimLeft(text, "\ufeff \t\r\n\v\f\u00a0"), " \t\r\n")
}

// parseAddress takes a URL apart. Every text is a URL to it; what there is
// none of stays empty. A protocol-relative address (//host/path) is one of https.
func parseAddress(text string) address {
	var a address
	c := newCutter(trimAddress(text))
	if i := strings.IndexByte(c.masked, '#'); i >= 0 {
		var fragment cutter
		c, fragment = c.at(i, 1)
		a.fragment, a.hasFragment = fragment.text, true
	}
	if i := strings.IndexByte(c.masked, '?'); i >= 0 {
		var query cutter
		c, query = c.at(i, 1)
		a.query, a.hasQuery = parseQuery(query), true
	}
	c = cutter{strings.ReplaceAll(c.text, `\`, "/"), strings.ReplaceAll(c.masked, `\`, "/")}
	if i := strings.Index(c.masked, "://"); i >= 0 {
		var protocol cutter
		protocol, c = c.at(i, len("://"))
		a.protocol = protocol.text
		c = c.trimSlashes()
	} else if strings.HasPrefix(c.masked, "//") { // RFC 3986, section 4.2
		a.protocol, c = "https", c.trimSlashes()
	}
	if i := strings.IndexByte(c.masked, '/'); i >= 0 {
		var path cutter
		c, path = c.at(i, 1)
		a.segments, a.hasPath = path.split('/'), true
	}
	a.authority(c)
	return a
}

func (c cutter) trimSlashes() cutter {
	rest := strings.TrimLeft(c.masked, "/")
	return cutter{c.text[len(c.text)-len(rest):], rest}
}

// authority reads userinfo@host:port.
func (a *address) authority(c cutter) {
	if i := strings.LastIndexByte(c.masked, '@'); i >= 0 {
		var userinfo cutter
		userinfo, c = c.at(i, 1)
		a.userinfo, a.hasUserinfo = userinfo.text, true
	}
	if i := strings.LastIndexByte(c.masked, ':'); i >= 0 && !strings.Contains(c.masked[i:], "]") {
		var port cutter
		c, port = c.at(i, 1)
		a.port = port.text
	}
	a.host = c.text
}

func parseQuery(c cutter) []entry {
	var entries []entry
	for _, piece := range c.split('&') {
		if piece != "" {
			entries = append(entries, parseEntry(piece))
		}
	}
	return entries
}

func parseEntry(text string) entry {
	c := newCutter(text)
	i := strings.IndexByte(c.masked, '=')
	if i < 0 {
		return entry{name: text, bare: true}
	}
	name, value := c.at(i, 1)
	return entry{name: name.text, value: value.text}
}

// credentials parts the userinfo of an address at its first colon.
func (a *address) credentials() (user, password string, both bool) {
	c := newCutter(a.userinfo)
	i := strings.IndexByte(c.masked, ':')
	if i < 0 {
		return a.userinfo, "", false
	}
	before, after := c.at(i, 1)
	return before.text, after.text, true
}

// variableName returns the name of the path variable that a segment begins
// with, ":id" or ":id.json", and what stands behind it; "" when there is none.
func variableName(segment string) (name, rest string) {
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

// value returns the address as Postman's url object; raw is its text.
func (a *address) value(raw string) *tree.Value {
	url := tree.NewObject().Set("raw", tree.NewString(raw))
	setText(url, "protocol", a.protocol)
	if a.hasUserinfo {
		user, password, both := a.credentials()
		auth := tree.NewObject().Set("user", tree.NewString(user))
		if both {
			auth.Set("password", tree.NewString(password))
		}
		url.Set("auth", auth)
	}
	if a.host != "" {
		url.Set("host", texts(newCutter(a.host).split('.')))
	}
	setText(url, "port", a.port)
	if a.hasPath {
		url.Set("path", texts(a.segments))
	}
	if a.hasQuery {
		url.Set("query", queryValue(a.query))
	}
	if a.hasFragment {
		url.Set("hash", tree.NewString(a.fragment))
	}
	variables, seen := tree.NewArray(), map[string]bool{}
	for _, segment := range a.segments {
		if name, _ := variableName(segment); name != "" && !seen[name] {
			seen[name] = true
			variables.Append(tree.NewObject().Set("key", tree.NewString(name)))
		}
	}
	if variables.Len() > 0 {
		url.Set("variable", variables)
	}
	return url
}

func queryValue(entries []entry) *tree.Value {
	list := tree.NewArray()
	for _, e := range entries {
		value := tree.NewNull()
		if !e.bare {
			value = tree.NewString(e.value)
		}
		list.Append(tree.NewObject().Set("key", tree.NewString(e.name)).Set("value", value))
	}
	return list
}

func texts(items []string) *tree.Value {
	list := tree.NewArray()
	for _, item := range items {
		list.Append(tree.NewString(item))
	}
	return list
}

// setText sets a member to a string unless it is empty.
func setText(object *tree.Value, name, text string) {
	if text != "" {
		object.Set(name, tree.NewString(text))
	}
}
