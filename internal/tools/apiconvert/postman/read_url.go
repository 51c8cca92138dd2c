package postman

import (
	"net/url"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// addressOf takes a url apart, an object or a string. ok is false when it
// holds nothing.
func addressOf(v *tree.Value) (a address, ok bool) {
	if v.Kind() == tree.String {
		a = parseAddress(v.Text())
		return a, a.host != "" || a.hasPath
	}
	if v.Kind() != tree.Object {
		return a, false
	}
	a.protocol = strings.TrimRight(strings.TrimSpace(v.Get("protocol").Text()), ":/")
	a.host = strings.TrimSpace(pieceText(v.Get("host"), "."))
	a.port = v.Get("port").Text()
	a.fragment = v.Get("hash").Text()
	if auth := v.Get("auth"); auth.Get("user").Kind() == tree.String {
		a.userinfo, a.hasUserinfo = auth.Get("user").Text(), true
		if password := auth.Get("password"); password.Kind() == tree.String {
			a.userinfo += ":" + password.Text()
		}
	}
	switch path := v.Get("path"); {
	case path.Kind() == tree.Array && path.Len() > 0:
		a.hasPath = true
		for _, segment := range path.Elements() {
			a.segments = append(a.segments, segment.Text())
		}
	case path.Text() != "":
		a.hasPath = true
		a.segments = newCutter(strings.TrimPrefix(path.Text(), "/")).split("/")
	}
	return a, a.host != "" || a.hasPath
}

// url reads the address of a request: its server, path, query and fragment.
func (r *reader) url(read *request.Request, a address, v *tree.Value, at *warning.Place) {
	if a.hasUserinfo {
		r.userinfo(read, &a, at)
	}
	read.Server = r.server(&a)
	read.Fragment = a.fragment
	r.path(read, a.segments, v.Get("variable"))
	if v.Kind() != tree.Object {
		for _, e := range a.query {
			read.Query = append(read.Query, &request.Parameter{
				Name: encode(e.Name, inQueryName), Value: encode(e.Value, inQuery), Bare: e.Bare,
			})
		}
		return
	}
	for _, one := range v.Get("query").Elements() {
		p := parameter(one)
		// Postman shows ?a=b&&c=d as a parameter without name and value.
		if p.Name == "" && p.Value == "" {
			continue
		}
		p.Bare = one.Get("value").Kind() != tree.String && !one.Get("equals").Bool()
		p.Name, p.Value = encode(p.Name, inQueryName), encode(p.Value, inQuery)
		read.Query = append(read.Query, p)
	}
}

// server returns the server of an address, nil when it has none.
func (r *reader) server(a *address) *request.Server {
	if a.host == "" {
		return nil
	}
	text := a.host
	if a.protocol != "" {
		text = a.protocol + "://" + text
	}
	if a.port != "" {
		text += ":" + a.port
	}
	text = strings.TrimRight(text, "/")
	if known := r.servers[text]; known != nil {
		return known
	}
	server := &request.Server{URL: text}
	if r.draft {
		return server
	}
	r.servers[text] = server
	r.api.Servers = append(r.api.Servers, server)
	return server
}

// path reads the segments of a path: ":id" and "{id}" are path parameters,
// "{{id}}" stays a variable.
func (r *reader) path(read *request.Request, segments []string, variables *tree.Value) {
	var path strings.Builder
	seen := map[string]bool{}
	for _, segment := range segments {
		path.WriteByte('/')
		name, rest := variableName(segment)
		parts := request.SplitPath(rest)
		if name != "" {
			parts = slices.Insert(parts, 0, request.Part{Kind: request.ParameterPart, Text: name})
		}
		for _, part := range parts {
			r.budget.Parts(1)
			switch {
			case part.Kind == request.LiteralPart:
				part.Text = encode(part.Text, inPath)
			case part.Kind == request.ParameterPart && !seen[part.Text]:
				seen[part.Text] = true
				read.PathParameters = append(read.PathParameters, &request.Parameter{Name: part.Text, Required: true})
			}
			path.WriteString(part.String())
		}
	}
	read.Path = path.String()
	if len(read.PathParameters) == 0 {
		return
	}
	known := map[string]*tree.Value{}
	for _, v := range variables.Elements() {
		known[v.Get("key").Text()] = v
	}
	for _, p := range read.PathParameters {
		v := known[p.Name]
		p.Value, p.Description = valueText(v.Get("value")), description(v)
	}
}

// userinfo makes the user and password of an address basic authentication,
// which is how they are sent when nothing else authenticates.
func (r *reader) userinfo(read *request.Request, a *address, at *warning.Place) {
	if a.userinfo == "" || a.userinfo == ":" {
		return
	}
	if len(r.api.Effective(read).First()) > 0 {
		r.warnings.Add(warning.AuthDetails, at)
		return
	}
	user, password, _ := a.credentials()
	read.Security = needs(&request.Auth{Kind: request.Basic, Username: unescape(user), Password: unescape(password)})
}

// unescape undoes percent-encoding; text whose encoding is broken stays.
func unescape(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return strings.ToValidUTF8(plain, "\ufffd")
	}
	return text
}
