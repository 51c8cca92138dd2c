package postman

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// variableTypes are the types of variables that the schema lists.
var variableTypes = []string{"any", "boolean", "number", "string"}

// secretType is a type of variables that Postman writes and its schema does
// not list.
const secretType = "secret"

// variables mends a list of variables. Those of a collection may keep the type
// secret.
func (m mender) variables(parent *tree.Value, at *warning.Place, collection bool) {
	list := m.list(parent, "variable", at)
	if list == nil {
		return
	}
	i := -1
	list.KeepElements(func(v *tree.Value) bool {
		i++
		for _, name := range []string{"id", "key", "name"} {
			m.text(v, name, at.Index(i))
		}
		if !v.Has("key") {
			if id := v.Get("id"); id != nil {
				v.Set("key", tree.NewString(id.Text()))
			} else if name := v.Get("name"); name != nil {
				v.Set("key", tree.NewString(name.Text()))
			} else {
				if v.Len() > 0 {
					m.malformed(at.Index(i))
				}
				return false
			}
		}
		m.description(v, at.Index(i))
		if kind := v.Get("type"); kind != nil && !slices.Contains(variableTypes, kind.Text()) &&
			(!collection || kind.Text() != secretType) {
			v.Delete("type")
		}
		m.flag(v, "system")
		m.disabled(v)
		return true
	})
}

// events mends a list of scripts.
func (m mender) events(parent *tree.Value, at *warning.Place) {
	list := m.list(parent, "event", at)
	if list == nil {
		return
	}
	for i, event := range list.Elements() {
		m.textOrEmpty(event, "listen", at.Index(i))
		m.text(event, "id", at.Index(i))
		m.flag(event, "disabled")
		script := event.Get("script")
		switch script.Kind() {
		case tree.String, tree.Array:
			exec := script.Take()
			script.Become(tree.NewObject().Set("exec", exec))
		default:
			script = m.object(event, "script", at.Index(i))
		}
		if script != nil {
			m.script(script, at.Index(i))
		}
	}
}

func (m mender) script(script *tree.Value, at *warning.Place) {
	for _, name := range []string{"id", "type", "name"} {
		m.text(script, name, at)
	}
	exec := script.Get("exec")
	if exec.Kind() != tree.Array {
		m.text(script, "exec", at)
	}
	for _, line := range exec.Elements() {
		if line.Kind() != tree.String {
			text, _ := line.Scalar()
			line.Become(tree.NewString(text))
		}
	}
	if script.Has("src") {
		m.urlMember(script, "src", at)
	}
}

// headers mends a list of headers; a string is a header per line.
func (m mender) headers(parent *tree.Value, at *warning.Place) {
	if text := parent.Get("header"); text.Kind() == tree.String {
		text.Become(headerLines(text.Text()))
	}
	for _, element := range parent.Get("header").Elements() {
		if element.Kind() == tree.String && strings.TrimSpace(element.Text()) != "" {
			element.Become(headerLine(element.Text()))
		}
	}
	list := m.list(parent, "header", at)
	for i, header := range list.Elements() {
		m.textOrEmpty(header, "key", at.Index(i))
		if value := header.Get("value"); value.Kind() == tree.Array || value.Kind() == tree.Object {
			value.Become(tree.NewString(compact(value)))
		}
		m.textOrEmpty(header, "value", at.Index(i))
		m.disabled(header)
		m.description(header, at.Index(i))
	}
}

func headerLines(text string) *tree.Value {
	list := tree.NewArray()
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if strings.Contains(line, ":") {
			list.Append(headerLine(line))
		}
	}
	return list
}

func headerLine(line string) *tree.Value {
	name, value, _ := strings.Cut(line, ":")
	return tree.NewObject().
		Set("key", tree.NewString(strings.TrimSpace(name))).
		Set("value", tree.NewString(strings.TrimSpace(value)))
}

func (m mender) url(parent *tree.Value, at *warning.Place) { m.urlMember(parent, "url", at) }

// urlMember mends an address. A string becomes an object unless it is empty or
// protocol-relative, which no object can say.
func (m mender) urlMember(parent *tree.Value, name string, at *warning.Place) {
	url := parent.Get(name)
	if url.Kind() == tree.String {
		raw := trimAddress(url.Text())
		if raw == "" || strings.HasPrefix(raw, "//") {
			return
		}
		a := parseAddress(raw)
		url.Become(a.value(raw))
		return
	}
	if url = m.object(parent, name, at); url == nil {
		return
	}
	for _, name := range []string{"raw", "protocol", "port", "hash"} {
		m.text(url, name, at)
	}
	m.pieces(url, "host", at)
	m.pieces(url, "path", at)
	m.complete(url)
	m.query(url, at.Field("query"))
	m.variables(url, at.Field("variable"), false)
}

// pieces makes host or path a string or an array of strings (or of objects
// with a value, which the schema allows in paths).
func (m mender) pieces(url *tree.Value, name string, at *warning.Place) {
	member := url.Get(name)
	if member.Kind() != tree.Array {
		m.text(url, name, at)
		return
	}
	for _, piece := range member.Elements() {
		text, _ := piece.Scalar()
		switch piece.Kind() {
		case tree.String:
		case tree.Object:
			text, _ = piece.Get("value").Scalar()
			piece.Become(tree.NewString(text))
		default:
			piece.Become(tree.NewString(text))
		}
	}
}

// complete adds what only raw says: everything when there is neither host nor
// path, the query when there is no list of it.
func (m mender) complete(url *tree.Value) {
	raw := url.Get("raw").Text()
	if raw == "" {
		return
	}
	all := pieceText(url.Get("host"), ".") == "" && url.Get("path").Len() == 0 && url.Get("path").Text() == ""
	if !all && (url.Has("query") || !strings.Contains(raw, "?")) {
		return
	}
	a := parseAddress(raw)
	for name, value := range a.value(raw).Members() {
		if name == "query" || all {
			if old := url.Get(name); old.Len() == 0 && old.Text() == "" {
				url.Set(name, value)
			}
		}
	}
}

// pieceText joins a host or path that is a string or an array of strings.
func pieceText(v *tree.Value, separator string) string {
	if v.Kind() != tree.Array {
		return v.Text()
	}
	pieces := make([]string, 0, v.Len())
	for _, piece := range v.Elements() {
		pieces = append(pieces, piece.Text())
	}
	return strings.Join(pieces, separator)
}

func (m mender) query(url *tree.Value, at *warning.Place) {
	query := url.Get("query")
	if query.Kind() == tree.String {
		query.Become(queryValue(parseQuery(newCutter(strings.TrimPrefix(query.Text(), "?")))))
	}
	for _, element := range query.Elements() {
		if element.Kind() == tree.String {
			e := parseEntry(element.Text())
			element.Become(queryValue([]entry{e}).Element(0))
		}
	}
	for i, parameter := range m.list(url, "query", at).Elements() {
		for _, name := range []string{"key", "value"} {
			if parameter.Get(name).Kind() != tree.Null {
				m.text(parameter, name, at.Index(i))
			}
		}
		m.disabled(parameter)
		m.description(parameter, at.Index(i))
	}
}

// authTypes are the kinds of authentication that the schema lists.
var authTypes = []string{
	"apikey", "awsv4", "basic", "bearer", "digest", "edgegrid", "hawk", "noauth", "ntlm", "oauth1", "oauth2",
}

// auth mends an authentication: its attributes become lists. One without a
// type says nothing and becomes null. A kind that the schema does not list
// becomes a bearer token when that is how it is sent, or none.
func (m mender) auth(auth *tree.Value, at *warning.Place) {
	kind := auth.Get("type").Text()
	if auth.Kind() != tree.Object || kind == "" {
		if auth.Kind() != tree.Null && auth.Len() > 0 {
			m.malformed(at)
		}
		auth.Become(tree.NewNull())
		return
	}
	if kind == "jwt" {
		m.warnings.Add(warning.AuthDetails, at)
		auth.Set("type", tree.NewString("bearer"))
		if !auth.Has("bearer") {
			auth.Set("bearer", tree.NewArray())
		}
	} else if !slices.Contains(authTypes, kind) {
		m.warnings.Add(warning.Authentication, at)
		auth.Set("type", tree.NewString("noauth"))
	}
	for _, name := range authTypes {
		if name != "noauth" && auth.Has(name) {
			m.attributes(auth.Get(name), at)
		}
	}
}

func (m mender) attributes(attributes *tree.Value, at *warning.Place) {
	if attributes.Kind() == tree.Object {
		list := tree.NewArray()
		for key, value := range attributes.Members() {
			kind := "any"
			switch value.Kind() {
			case tree.String:
				kind = "string"
			case tree.True, tree.False:
				kind = "boolean"
			case tree.Number:
				kind = "number"
			}
			list.Append(tree.NewObject().
				Set("key", tree.NewString(key)).Set("value", value).Set("type", tree.NewString(kind)))
		}
		attributes.Become(list)
	}
	if attributes.Kind() != tree.Array {
		attributes.Become(tree.NewArray())
	}
	m.objects(attributes, at)
	for _, attribute := range attributes.Elements() {
		m.textOrEmpty(attribute, "key", at)
		m.text(attribute, "type", at)
	}
}

func (m mender) proxy(parent *tree.Value, at *warning.Place) {
	proxy := m.object(parent, "proxy", at)
	if proxy == nil {
		return
	}
	m.text(proxy, "match", at)
	m.text(proxy, "host", at)
	m.flag(proxy, "tunnel")
	m.flag(proxy, "disabled")
	if port := proxy.Get("port"); port != nil {
		if text, _ := port.Scalar(); digits(text) {
			port.Become(tree.NewNumber(text))
		} else {
			proxy.Delete("port")
		}
	}
}

func (m mender) certificate(parent *tree.Value, at *warning.Place) {
	certificate := m.object(parent, "certificate", at)
	if certificate == nil {
		return
	}
	m.text(certificate, "name", at)
	m.text(certificate, "passphrase", at)
	for _, name := range []string{"key", "cert"} {
		if file := certificate.Get(name); file.Kind() == tree.String {
			file.Become(tree.NewObject().Set("src", tree.NewString(file.Text())))
		}
		m.object(certificate, name, at)
	}
	matches := certificate.Get("matches")
	if matches != nil && matches.Kind() != tree.Array {
		certificate.Delete("matches")
		return
	}
	for _, match := range matches.Elements() {
		if match.Kind() != tree.String {
			text, _ := match.Scalar()
			match.Become(tree.NewString(text))
		}
	}
}
