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
		} else {
			masked = append(masked, strings.Repeat("_", len(part.Text)+len("{{}}"))...)
		}
	}
	return string(masked)
}

// cut cuts a text, as strings.Cut does, at the first separator outside of
// variables.
func cut(text, separator string) (before, after string, found bool) {
	if i := strings.Index(mask(text), separator); i >= 0 {
		return text[:i], text[i+len(separator):], true
	}
	return text, "", false
}

// split splits a text, as strings.Split does, at separators outside of
// variables.
func split(text string, separator byte) []string {
	var pieces []string
	masked := mask(text)
	for {
		i := strings.IndexByte(masked, separator)
		if i < 0 {
			return append(pieces, text)
		}
		pieces = append(pieces, text[:i])
		text, masked = text[i+1:], masked[i+1:]
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
	text, a.fragment, a.hasFragment = cut(trimAddress(text), "#")
	text, query, ok := cut(text, "?")
	if a.hasQuery = ok; ok {
		a.query = parseQuery(query)
	}
	text = strings.ReplaceAll(text, `\`, "/")
	if protocol, rest, ok := cut(text, "://"); ok {
		a.protocol, text = protocol, strings.TrimLeft(rest, "/")
	} else if strings.HasPrefix(text, "//") { // RFC 3986, section 4.2
		a.protocol, text = "https", strings.TrimLeft(text, "/")
	}
	authority, path, ok := cut(text, "/")
	if a.hasPath = ok; ok {
		a.segments = split(path, '/')
	}
	a.authority(authority)
	return a
}

// authority reads userinfo@host:port.
func (a *address) authority(text string) {
	masked := mask(text)
	if i := strings.LastIndexByte(masked, '@'); i >= 0 {
		a.userinfo, a.hasUserinfo = text[:i], true
		text, masked = text[i+1:], masked[i+1:]
	}
	if i := strings.LastIndexByte(masked, ':'); i >= 0 && !strings.Contains(masked[i:], "]") {
		text, a.port = text[:i], text[i+1:]
	}
	a.host = text
}

func parseQuery(text string) []entry {
	var entries []entry
	for _, piece := range split(text, '&') {
		if piece != "" {
			entries = append(entries, parseEntry(piece))
		}
	}
	return entries
}

func parseEntry(text string) entry {
	name, value, valued := cut(text, "=")
	return entry{name: name, value: value, bare: !valued}
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
		user, password, both := cut(a.userinfo, ":")
		auth := tree.NewObject().Set("user", tree.NewString(user))
		if both {
			auth.Set("password", tree.NewString(password))
		}
		url.Set("auth", auth)
	}
	if a.host != "" {
		url.Set("host", texts(split(a.host, '.')))
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
