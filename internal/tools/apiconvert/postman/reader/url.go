package reader

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// url reads the URL of a request: its server, path, query and fragment.
func (r *reader) url(read *request.Request, a collection.URL, v *tree.Value) {
	read.Server = r.server(&a)
	read.Fragment = a.Fragment
	r.path(read, a.Segments, v.Get("variable"))
	for _, one := range v.Get("query").Elements() {
		p := parameter(one)
		// Postman shows ?a=b&&c=d as a parameter without name and value.
		if p.Name == "" && p.Value == "" {
			continue
		}
		p.Bare = one.Get("value").Kind() != tree.String && !one.Get("equals").Bool()
		p.Name, p.Value = collection.Encode(p.Name, collection.InQueryName), collection.Encode(p.Value, collection.InQuery)
		read.Query = append(read.Query, p)
	}
}

// server returns the server of a URL, or nil if it has none.
func (r *reader) server(a *collection.URL) *request.Server {
	if a.Host == "" {
		return nil
	}
	text := a.Host
	if a.Protocol != "" {
		text = a.Protocol + "://" + text
	}
	if a.Port != "" {
		text += ":" + a.Port
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
// "{{id}}" stays a variable. ":id.json" is the parameter id, unless a path variable has the whole name.
func (r *reader) path(read *request.Request, segments []string, variables *tree.Value) {
	var path strings.Builder
	seen := map[string]bool{}
	known := map[string]*tree.Value{}
	for _, v := range variables.Elements() {
		known[v.Get("key").Text()] = v
	}
	for _, segment := range segments {
		path.WriteByte('/')
		name, rest := collection.PathVariable(segment)
		if rest != "" && name != "" && known[name+rest] != nil && request.VariableName(name+rest) {
			name, rest = name+rest, ""
		}
		parts := request.SplitPath(rest)
		if name != "" {
			parts = slices.Insert(parts, 0, request.Part{Kind: request.ParameterPart, Text: name})
		}
		for _, part := range parts {
			r.budget.Parts(1)
			switch {
			case part.Kind == request.LiteralPart:
				part.Text = collection.Encode(part.Text, collection.InPath)
			case part.Kind == request.ParameterPart && !seen[part.Text]:
				seen[part.Text] = true
				read.PathParameters = append(read.PathParameters, &request.Parameter{Name: part.Text, Required: true})
			}
			path.WriteString(part.String())
		}
	}
	read.Path = path.String()
	for _, v := range variables.Elements() {
		if name := v.Get("key").Text(); name != "" && !seen[name] {
			r.warnings.AddNamed(warning.LostUnusedVariables, v, name)
		}
	}
	for _, p := range read.PathParameters {
		v := known[p.Name]
		p.Value, p.Description = percent.Decode(collection.ValueText(v.Get("value"))), collection.Description(v)
	}
}

// userinfo turns the user and password of a URL into basic authentication, which is how they are sent if
// nothing else authenticates.
func (r *reader) userinfo(read *request.Request, a *collection.URL, v *tree.Value) {
	if a.Userinfo == "" || a.Userinfo == ":" {
		return
	}
	authenticates := func(h *tree.Value) bool {
		return strings.EqualFold(strings.TrimSpace(h.Get("key").Text()), "Authorization") && !h.Get("disabled").Bool()
	}
	if len(r.api.Effective(read).First()) > 0 || slices.ContainsFunc(v.Get("header").Elements(), authenticates) {
		r.warnings.Add(warning.LostAuthDetails, v.Get("url"))
		return
	}
	user, password, _ := a.Credentials()
	read.Security = request.Require(&request.Auth{Kind: request.Basic, Username: percent.Decode(user), Password: percent.Decode(password)})
}
