package reader

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// item holds what the operations of a path item share.
type item struct {
	part
	template    string
	description string
	server      *request.Server
}

func (r *reader) pathItem(template string, p part) {
	resolved := p
	if !openapi.IsExternal(p.Value) {
		if resolved = r.follow(p); resolved.Value == nil {
			return
		}
	}
	r.operations(template, resolved)
	if resolved != p { // operations next to $ref count, too (OpenAPI 3.1, section 4.8.9)
		r.operations(template, p)
	}
}

func (r *reader) operations(template string, p part) {
	shared := item{
		part:        p,
		template:    template,
		description: openapi.Paragraphs(p.text("summary"), p.text("description")),
		server:      r.firstServer(p.field("servers")),
	}
	before := len(r.api.Requests)
	for c := range shape.PathItem.Children(p.Value) {
		method, operation := strings.ToUpper(c.Name), p.inner(c.Value)
		if c.Entry >= 0 { // an additional operation
			method = c.Key
		}
		switch {
		case c.Kind != shape.Operation:
		case request.IsToken(method):
			r.operation(shared, method, operation)
		default:
			r.warnings.Add(warning.LostMalformed, operation.at)
		}
	}
	if shared.description != "" && len(r.api.Requests) == before {
		r.warnings.Add(warning.LostPathTexts, p.at)
	}
}

func (r *reader) operation(shared item, method string, p part) {
	if openapi.IsExternal(p.Value) { // reported for all operations together
		return
	}
	if p = r.follow(p); p.Value == nil {
		return
	}
	req := &request.Request{
		Method: method, Place: p.at, Deprecated: p.Get("deprecated").Bool(),
		ID: p.text("operationId"), Name: p.text("summary"),
		Description: openapi.Paragraphs(p.text("description"), shared.description, externalDocs(p)),
		Folder:      r.folder(p.field("tags")),
		Server:      cmp.Or(r.firstServer(p.field("servers")), shared.server, r.server),
		Security:    r.security(p.field("security")),
	}
	r.budget.Parts(openapi.RequestParts)
	r.budget.Bytes(len(req.ID) + len(req.Name) + len(req.Description) + len(shared.template))
	r.path(req, shared.template)
	if req.Server != nil && req.Fragment == openapi.DomainOf(req.Server.URL) {
		req.Fragment = "" // it only distinguishes operations (see owner)
	}
	r.parameters(req, r.merge(shared.field("parameters"), p.field("parameters")))
	r.requestBody(req, p.field("requestBody"))
	r.responses(req, p.field("responses"))
	r.api.Requests = append(r.api.Requests, req)
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
	req.Path = request.Map(request.SplitPath(path), func(part request.Part) string {
		if part.Kind == request.LiteralPart {
			return openapi.Encode(part.Text, openapi.InPath)
		}
		return part.String()
	})
	if query == "" {
		return
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, found := strings.Cut(pair, "=")
		req.Query = append(req.Query, &request.Parameter{
			Name:     openapi.Encode(name, openapi.InQueryAsSent),
			Value:    openapi.Encode(value, openapi.InQueryAsSent),
			Bare:     !found,
			Required: true,
		})
	}
}

func (r *reader) responses(req *request.Request, list part) {
	for status, p := range list.all {
		if shape.IsExtension(status) {
			continue
		}
		if p = r.follow(p); p.Value == nil {
			continue
		}
		if status = strings.ToUpper(status); status == "DEFAULT" {
			status = "default"
		}
		response := &request.Response{
			Status:      status,
			Description: openapi.Paragraphs(p.text("summary"), p.text("description")),
			Headers:     r.responseHeaders(p.field("headers")),
			Bodies:      r.content(p.field("content"), sample.FromServer),
		}
		response.Saved = slices.ContainsFunc(response.Bodies, isRecorded)
		req.Responses = append(req.Responses, response)
	}
}

// isRecorded reports whether a body is a recorded response: an example without a schema.
func isRecorded(b *request.Body) bool {
	return b.Schema == nil && (b.Text != "" || len(b.Examples) > 0)
}

func (r *reader) responseHeaders(headers part) []*request.Parameter {
	var list []*request.Parameter
	for name, p := range r.objects(headers) {
		if !strings.EqualFold(name, "Content-Type") && request.IsToken(name) {
			list = append(list, r.single(p, name, sample.FromServer).Parameter)
		}
	}
	return list
}
