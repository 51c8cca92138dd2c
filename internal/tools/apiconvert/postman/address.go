package postman

import (
	"strconv"
	"strings"
	"unicode/utf8"

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
	query    []request.Pair
	fragment string

	hasUserinfo, hasPath, hasQuery, hasFragment bool
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
		masked = append(masked, strings.Repeat("_", len(part.String()))...)
	}
	return string(masked)
}

// cutter cuts a text and its masked form at the same places.
type cutter struct{ text, masked string }

func newCutter(text string) cutter { return cutter{text, mask(text)} }

// at cuts at index i a delimiter of size bytes; nothing is cut before the text.
func (c cutter) at(i, size int) (before, after cutter, ok bool) {
	if i < 0 {
		return c, cutter{}, false
	}
	return cutter{c.text[:i], c.masked[:i]}, cutter{c.text[i+size:], c.masked[i+size:]}, true
}

// cut is strings.Cut.
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

// trimAddress removes the white space and byte order marks in front of an
// address, and the white space behind it.
func trimAddress(text string) string {
	return strings.TrimRight(strings.TrimLeft(text, "\ufeff \t\r\n\v\f\u00a0"), " \t\r\n")
}

// parseAddress takes a URL apart. Every text is a URL to it; what there is
// none of stays empty. A protocol-relative address (//host/path) is one of https.
func parseAddress(text string) address {
	var a address
	c, fragment, hasFragment := newCutter(trimAddress(text)).cut("#")
	c, query, hasQuery := c.cut("?")
	c = cutter{strings.ReplaceAll(c.text, `\`, "/"), strings.ReplaceAll(c.masked, `\`, "/")}
	if protocol, rest, ok := c.cut("://"); ok {
		a.protocol, c = protocol.text, rest.trimSlashes()
	} else if strings.HasPrefix(c.masked, "//") { // RFC 3986, section 4.2
		a.protocol, c = "https", c.trimSlashes()
	}
	c, path, hasPath := c.cut("/")
	if a.hasPath = hasPath; hasPath {
		a.segments = path.split("/")
	}
	a.query, a.hasQuery = parseQuery(query.text), hasQuery
	a.fragment, a.hasFragment = fragment.text, hasFragment
	a.authority(c)
	return a
}

func (c cutter) trimSlashes() cutter {
	rest := strings.TrimLeft(c.masked, "/")
	return cutter{c.text[len(c.text)-len(rest):], rest}
}

// authority reads userinfo@host:port.
func (a *address) authority(c cutter) {
	if userinfo, rest, ok := c.at(strings.LastIndexByte(c.masked, '@'), 1); ok {
		a.userinfo, a.hasUserinfo, c = userinfo.text, true, rest
	}
	if host, port, ok := c.at(strings.LastIndexByte(c.masked, ':'), 1); ok && !strings.Contains(port.masked, "]") {
		a.port, c = port.text, host
	}
	a.host = c.text
}

// parseQuery parts a query or a form; & within {{…}} parts nothing.
func parseQuery(text string) []request.Pair {
	var pairs []request.Pair
	for p := range request.Pairs(text, '&') {
		if p.Name != "" || !p.Bare {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// credentials parts the userinfo of an address at its first colon.
func (a *address) credentials() (user, password string, both bool) {
	before, after, both := newCutter(a.userinfo).cut(":")
	return before.text, after.text, both
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

// object is an address that was taken apart as Postman's url object; raw is its
// text.
func (a *address) object(raw string) *tree.Value {
	var query *tree.Value
	if a.hasQuery {
		query = queryValue(a.query...)
	}
	variables, seen := tree.NewArray(), map[string]bool{}
	for _, segment := range a.segments {
		if name, _ := variableName(segment); name != "" && !seen[name] {
			seen[name] = true
			variables.Append(tree.NewObject().Set("key", tree.NewString(name)))
		}
	}
	return a.value(raw, query, variables)
}

// value is Postman's url object with a query, nil for none, and a list of
// variables.
func (a *address) value(raw string, query, variables *tree.Value) *tree.Value {
	url := tree.NewObject()
	setText(url, "raw", raw)
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
		url.Set("host", texts(newCutter(a.host).split(".")))
	}
	setText(url, "port", a.port)
	if a.segments != nil {
		url.Set("path", texts(a.segments))
	}
	if query != nil {
		url.Set("query", query)
	}
	if a.hasFragment {
		url.Set("hash", tree.NewString(a.fragment))
	}
	if variables.Len() > 0 {
		url.Set("variable", variables)
	}
	return url
}

func queryValue(pairs ...request.Pair) *tree.Value {
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

// position is where in an address a text stands.
type position uint8

const (
	inPath position = iota
	inQuery
	inQueryName
)

// reserved are the printable ASCII characters that Postman percent-encodes in
// each position (the sets of the URL standard), and those that would end the
// part they stand in.
var reserved = [...]string{
	inPath:      " \"<>`#?{}\\",
	inQuery:     " \"<>'#&",
	inQueryName: " \"<>'#&=",
}

// encode writes text as it is sent: what Postman encodes is encoded, what is
// encoded already stays, variables stay. A percent sign that encodes nothing
// is encoded itself.
func encode(text string, where position) string {
	return request.Encode(text, func(rest string) bool {
		c := rest[0]
		if c == '%' {
			_, encoded := escapedByte(rest)
			return encoded
		}
		return c > ' ' && c < 0x7f && strings.IndexByte(reserved[where], c) < 0
	})
}

// escapedByte is the byte that text's beginning is the percent-encoding of.
func escapedByte(text string) (c byte, ok bool) {
	if len(text) < 3 || text[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[1:3], 16, 8)
	return byte(n), err == nil
}

// kept are the characters that stay percent-encoded when an address is shown,
// because they would mean something else or because Postman would not encode
// them again.
var kept = [...]string{
	inPath:      "#%&+/:;=?@[\\]{|}!$'()*,^~",
	inQuery:     "#%&+,;{|}",
	inQueryName: "#%&+,;{|}=",
}

// decode writes text that is encoded as it is sent in the form in which Postman
// shows it, so that Postman sends the same or an equal one.
func decode(text string, where position) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		var plain []byte // what stands encoded from here on
		for c, ok := escapedByte(text[i:]); ok; c, ok = escapedByte(text[i+3*len(plain):]) {
			plain = append(plain, c)
		}
		if plain == nil {
			out.WriteByte(text[i])
			i++
		}
		for len(plain) > 0 {
			r, size := utf8.DecodeRune(plain)
			encoded := text[i : i+3*size]
			if r < ' ' || r == 0x7f || r == utf8.RuneError || r < utf8.RuneSelf && strings.IndexByte(kept[where], byte(r)) >= 0 {
				out.WriteString(encoded)
			} else {
				out.WriteRune(r)
			}
			plain, i = plain[size:], i+len(encoded)
		}
	}
	return out.String()
}
