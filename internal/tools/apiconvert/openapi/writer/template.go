package writer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// group holds the requests that become one operation, in order.
type group struct {
	shape
	method   string
	title    naming.Title
	resource string  // resource name of the path
	calls    []*call // those that the server rejects last
	accepted int     // number of the others

	owner string // owner of the servers; "" if unknown

	security *tree.Value // requirements of the operation; nil if undefined
}

// call is a request with its path parsed.
type call struct {
	*request.Request
	// values are the path parameters by position.
	values []*request.Parameter
	// rejected reports that the server rejects the request, but not all requests of its operation.
	rejected bool
}

// writable are the methods that a path item supports in every version of OpenAPI 3.
var writable = map[string]bool{
	"GET": true, "PUT": true, "POST": true, "DELETE": true,
	"OPTIONS": true, "HEAD": true, "PATCH": true, "TRACE": true,
}

// Supports reports whether a document of a version can express a method.
func Supports(method string, to versions.Version) bool {
	return writable[strings.ToUpper(method)] || method == "" || to >= versions.V32 && request.IsToken(method)
}

// shape is a path template. OpenAPI considers two paths equal if they only differ in the names of their parameters.
type shape struct {
	template string
	names    []string
}

// group assigns the requests to operations, in order of first appearance.
func (w *writer) group() []*group {
	shapes := map[string]shape{}
	var groups ordered[[3]string, group] // by path, method and, except for the first, owner
	for _, r := range w.api.Requests {
		method := cmp.Or(r.Method, "GET")
		if upper := strings.ToUpper(method); writable[upper] {
			method = upper
		}
		key, own, values := w.template(r)
		s, known := shapes[key]
		if !known {
			s, shapes[key] = own, own
		} else if s.template != own.template {
			w.warnings.Add(warning.ChangedPathNames, r.Place)
		}
		owner := w.owner(r.Server)
		g := groups.get([3]string{key, method}, group{shape: s, method: method, owner: owner})
		if owner == "" || g.owner == "" || owner == g.owner { // an unknown owner matches any
			g.owner = cmp.Or(g.owner, owner)
		} else {
			s.template += "#" + owner
			g = groups.get([3]string{key, method, owner}, group{shape: s, method: method, owner: owner})
			if g.calls == nil {
				w.warnings.AddNamed(warning.ChangedNames, r.Place, s.template)
			}
		}
		g.calls = append(g.calls, &call{Request: r, values: values})
	}
	for _, g := range groups.list {
		g.reject()
	}
	nameOperations(groups.list)
	for _, g := range groups.list {
		w.warnMerged(g)
	}
	return groups.list
}

// reject moves the requests that the server rejects after the others, if there are any.
func (g *group) reject() {
	var others, rejected []*call
	for _, c := range g.calls {
		if isRejected(c.Request) {
			rejected = append(rejected, c)
		} else {
			others = append(others, c)
		}
	}
	if g.accepted = len(others); g.accepted == 0 {
		g.accepted = len(g.calls)
		return
	}
	for _, c := range rejected {
		c.rejected = true
	}
	g.calls = append(others, rejected...)
}

// isRejected reports whether all known responses to a request have the status 4xx, or if there are none, whether its
// name says that it is invalid.
func isRejected(r *request.Request) bool {
	known := false
	for _, response := range r.Responses {
		if status := response.Status; status != "" && status[0] != '4' {
			return false
		}
		known = known || response.Status != ""
	}
	return known || namesMistake(r.Name)
}

// namesMistake reports whether the name of a request or an example says that it is invalid: "Missing email".
func namesMistake(name string) bool {
	return slices.ContainsFunc(words.Split(name), func(word string) bool { return mistakes[word] })
}

var mistakes = words.Set(`missing invalid malformed wrong incorrect`)

// warnMerged warns about requests that became one operation.
func (w *writer) warnMerged(g *group) {
	if len(g.calls) < 2 {
		return
	}
	var names []string
	places := make([]warning.Place, len(g.calls))
	for i, c := range g.calls {
		places[i] = c.Place
		if name := strings.TrimSpace(c.Name); name != "" && len(names) < maxAlso && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if names == nil {
		names = []string{g.method + " " + g.template}
	}
	w.warnings.AddPlaces(warning.ChangedMergedRequests, places, names...)
}

// addTo adds the operation of a group to its path item. In addition to the methods of older versions, OpenAPI 3.2 has a
// property for QUERY and one for all other methods.
func (g *group) addTo(item, operation *tree.Value) {
	switch {
	case writable[g.method] || g.method == "QUERY":
		item.Set(strings.ToLower(g.method), operation)
	case item.Has("additionalOperations"):
		item.Get("additionalOperations").Set(g.method, operation)
	default:
		item.Set("additionalOperations", tree.NewObject().Set(g.method, operation))
	}
}

// owner returns the registered domain of a server's host, which the servers of one API share. The same path at
// another owner becomes another operation, distinguished by a fragment, which is never sent. owner returns "" for a
// URL without a registered domain: a relative URL, a variable, an IP address, or a name without a dot.
func (w *writer) owner(s *request.Server) string {
	return openapi.DomainOf(w.serverURL(s))
}

// maxPathParameters is the maximum number of parameters in a path; further ones become literals.
const maxPathParameters = 500

// template returns the shape of a request's path, a key that doesn't depend on the names of its parameters, and the
// parameters in order. Variables in the path become parameters.
func (w *writer) template(r *request.Request) (key string, s shape, values []*request.Parameter) {
	declared := map[string]*request.Parameter{}
	for _, p := range r.PathParameters {
		declared[p.Name] = p
	}
	path := r.Path
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	var template, open strings.Builder
	taken := words.Unique{}
	for _, part := range request.SplitPath(path) {
		if part.Kind != request.LiteralPart && len(s.names) == maxPathParameters {
			w.warnings.Add(warning.LostComplexity, r.Place)
			part = request.Part{Kind: request.LiteralPart, Text: part.Text}
		}
		var p *request.Parameter
		switch part.Kind {
		case request.LiteralPart:
			text := openapi.Encode(part.Text, openapi.InPath)
			template.WriteString(text)
			open.WriteString(text)
			continue
		case request.ParameterPart:
			if p = declared[part.Text]; p == nil {
				p = &request.Parameter{Name: part.Text}
			}
		case request.VariablePart:
			p = &request.Parameter{Name: part.Text, Value: "{{" + part.Text + "}}"}
			if v := w.variables.get(part.Text); v != nil {
				p.Description = v.Description
			}
		}
		plain := naming.ParameterName(part.Text)
		name := taken.Name(plain)
		if name != part.Text {
			w.warnings.AddNamed(warning.ChangedNames, r.Place, part.Text+" to "+name)
		}
		template.WriteString("{" + name + "}")
		open.WriteString("{}")
		s.names = append(s.names, name)
		values = append(values, p)
	}
	s.template = template.String()
	return open.String(), s, values
}
