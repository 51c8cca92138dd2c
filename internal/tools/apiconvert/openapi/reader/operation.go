package reader

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// methods maps properties of a path item to methods; query is new in OpenAPI 3.2.
var methods = map[string]string{
	"get": "GET", "put": "PUT", "post": "POST", "delete": "DELETE", "options": "OPTIONS",
	"head": "HEAD", "patch": "PATCH", "trace": "TRACE", "query": "QUERY",
}

// item holds what the operations of a path item share.
type item struct {
	template    string
	description string
	parameters  *tree.Value
	servers     []*request.Server
	at          *warning.Place
}

func (r *reader) pathItem(template string, item part) {
	resolved := item.v
	if !openapi.IsExternal(item.v) {
		if resolved = r.resolve(item.v, item.at); resolved == nil {
			return
		}
	}
	r.operations(template, part{resolved, item.at})
	if resolved != item.v { // operations next to $ref count, too (OpenAPI 3.1, section 4.8.9)
		siblings := tree.NewObject()
		for name, value := range item.v.Members() {
			if name != "$ref" {
				siblings.Set(name, value)
			}
		}
		r.operations(template, part{siblings, item.at})
	}
}

func (r *reader) operations(template string, of part) {
	v, at := of.v, of.at
	r.budget.Parts(v.Len())
	r.extensions(v, at)
	shared := item{
		template:    template,
		description: openapi.Paragraphs(v.Get("summary").Text(), v.Get("description").Text()),
		parameters:  v.Get("parameters"),
		servers:     r.serverList(v.Get("servers"), at.Field("servers")),
		at:          at,
	}
	before := len(r.api.Requests)
	for name, operation := range v.Members() {
		if method, ok := methods[name]; ok {
			r.operation(shared, method, operation, at.Member(name, 0))
			continue
		}
		if name != "additionalOperations" {
			continue
		}
		for method, additional := range each(operation, at.Field("additionalOperations")) {
			r.budget.Parts(openapi.SmallParts)
			if request.IsToken(method) {
				r.operation(shared, method, additional.v, additional.at)
			} else {
				r.warnings.Add(warning.Malformed, additional.at)
			}
		}
	}
	if shared.description != "" && len(r.api.Requests) == before {
		r.warnings.Add(warning.PathTexts, at)
	}
}

func (r *reader) operation(shared item, method string, v *tree.Value, at *warning.Place) {
	if openapi.IsExternal(v) { // reported for all operations together
		return
	}
	if v = r.resolve(v, at); v == nil {
		return
	}
	r.extensions(v, at)
	r.budget.Parts(openapi.RequestParts)
	req := &request.Request{
		Method: method, Place: at, Deprecated: v.Get("deprecated").Bool(),
		ID: v.Get("operationId").Text(), Name: v.Get("summary").Text(),
	}
	text := v.Get("description").Text()
	if strings.TrimSpace(text) == strings.TrimSpace(shared.description) {
		text = ""
	}
	req.Description = openapi.Paragraphs(text, shared.description, r.externalDocs(v.Get("externalDocs"), at.Field("externalDocs")))
	req.Folder = r.folder(v.Get("tags"), at)
	req.Server = r.server(shared, v.Get("servers"), at)
	req.Security = r.security(v.Get("security"), at.Field("security"))
	r.budget.Bytes(len(req.ID) + len(req.Name) + len(req.Description) + len(shared.template))
	r.path(req, shared.template)
	if req.Server != nil && req.Fragment == openapi.DomainOf(req.Server.URL) {
		req.Fragment = "" // it only distinguishes operations (see owner)
	}
	r.parameters(req, r.merge(shared, v.Get("parameters"), at))
	r.requestBody(req, v.Get("requestBody"), at.Field("requestBody"))
	r.responses(req, v.Get("responses"), at.Field("responses"))
	if v.Get("callbacks").Len() > 0 {
		r.warnings.Add(warning.Callbacks, at.Field("callbacks"))
	}
	r.api.Requests = append(r.api.Requests, req)
}

// server returns the first server of the innermost list that has one.
func (r *reader) server(shared item, own *tree.Value, at *warning.Place) *request.Server {
	for _, list := range [][]*request.Server{r.serverList(own, at.Field("servers")), shared.servers, r.defaults} {
		if len(list) > 0 {
			return list[0]
		}
	}
	return nil
}

// path parses a path template. Some authors distinguish operations with the same path by a query or fragment in the
// template.
func (r *reader) path(req *request.Request, template string) {
	path, fragment, _ := strings.Cut(template, "#")
	path, query, _ := strings.Cut(path, "?")
	req.Fragment = fragment
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	var b strings.Builder
	for _, part := range request.SplitPath(path) {
		switch part.Kind {
		case request.LiteralPart:
			b.WriteString(openapi.Encode(part.Text, openapi.InPath))
		case request.VariablePart:
			b.WriteString("{{" + part.Text + "}}")
		case request.ParameterPart:
			b.WriteString("{" + part.Text + "}")
		}
	}
	req.Path = b.String()
	if query == "" {
		return
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, found := strings.Cut(pair, "=")
		req.Query = append(req.Query, &request.Parameter{
			Name: openapi.Encode(name, openapi.InQueryAsSent), Value: openapi.Encode(value, openapi.InQueryAsSent), Bare: !found, Required: true,
		})
	}
}

func (r *reader) responses(req *request.Request, v *tree.Value, at *warning.Place) {
	for status, p := range each(v, at) {
		r.budget.Parts(1)
		if strings.HasPrefix(status, "x-") {
			r.warnings.Add(warning.Extensions, p.at)
			continue
		}
		response := r.resolve(p.v, p.at)
		if response == nil {
			continue
		}
		r.extensions(response, p.at)
		if status = strings.ToUpper(status); status == "DEFAULT" {
			status = "default"
		}
		described := &request.Response{Status: status, Description: openapi.Paragraphs(response.Get("summary").Text(), response.Get("description").Text())}
		r.budget.Parts(openapi.BodyParts)
		r.budget.Bytes(len(described.Description))
		described.Headers = r.responseHeaders(response.Get("headers"), p.at.Field("headers"))
		described.Bodies = r.content(response.Get("content"), fromServer, p.at.Field("content"))
		described.Saved = slices.ContainsFunc(described.Bodies, isRecorded)
		if response.Get("links").Len() > 0 {
			r.warnings.Add(warning.Links, p.at.Field("links"))
		}
		req.Responses = append(req.Responses, described)
	}
}

// isRecorded reports whether a body is a recorded response: an example without a schema.
func isRecorded(b *request.Body) bool {
	return b.Schema == nil && (b.Text != "" || len(b.Examples) > 0)
}

func (r *reader) responseHeaders(v *tree.Value, at *warning.Place) []*request.Parameter {
	var list []*request.Parameter
	for name, p := range r.objects(v, at, 1) {
		if strings.EqualFold(name, "Content-Type") || !request.IsToken(name) {
			continue
		}
		r.extensions(p.v, p.at)
		d := r.describe(p.v, fromServer, p.at)
		d.parameter.Name, d.parameter.Value = name, d.simple(d.parameter.Explode)
		r.paid(d.parameter)
		list = append(list, d.parameter)
	}
	return list
}
