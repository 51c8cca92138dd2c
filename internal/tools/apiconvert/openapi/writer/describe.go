package writer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// maxAlso is how many of the other merged requests a description lists.
const maxAlso = 20

// operation returns the operation for a group of requests.
func (w *writer) operation(g *group) *tree.Value {
	first := g.calls[0]
	o := tree.NewObject()
	setFilled(o, "tags", w.operationTags(g))
	o.Set("summary", str(cmp.Or(naming.Summary(first.Name), g.title.Summary, g.method+" "+g.template)))
	o.SetText("description", describeAll(g))
	o.Set("operationId", str(w.operationID(g)))
	deprecated := true
	for _, c := range g.calls {
		deprecated = deprecated && c.Deprecated
		if c.Fragment != "" {
			w.warnings.Add(warning.LostFragment, c.Place)
		}
		w.transport(c.Request)
	}
	setTrue(o, "deprecated", deprecated)
	setFilled(o, "parameters", w.parameters(g))
	setFilled(o, "requestBody", w.requestBody(g))
	o.Set("responses", w.responses(g))
	if g.security != nil && !w.values.Equal(g.security, w.security) {
		o.Set("security", g.security)
	}
	return setFilled(o, "servers", w.ownServers(g))
}

// describeAll returns the description of the first request, followed by the names and descriptions of the others.
func describeAll(g *group) string {
	text := g.calls[0].Description
	var also []string
	names, descriptions := map[string]bool{g.calls[0].Name: true, "": true}, map[string]bool{text: true, "": true}
	for _, c := range g.calls[1:] {
		if names[c.Name] && descriptions[c.Description] || len(also) > maxAlso {
			continue
		}
		entry := strings.TrimSpace(c.Name)
		if !descriptions[c.Description] {
			entry = openapi.Paragraphs(entry, strings.TrimSpace(c.Description))
		}
		names[c.Name], descriptions[c.Description] = true, true
		also = append(also, listItem(entry))
	}
	if len(also) > maxAlso {
		also[maxAlso] = "- …"
	}
	if len(also) > 0 {
		text = openapi.Paragraphs(text, "Also used as:\n\n"+strings.Join(also, "\n"))
	}
	return text
}

// listItem returns text as a list item with its continuation lines indented (CommonMark, section 5.2).
func listItem(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i > 0 && strings.TrimSpace(line) != "" {
			lines[i] = "  " + line
		}
	}
	return "- " + strings.Join(lines, "\n")
}

func (w *writer) operationTags(g *group) *tree.Value {
	tags := tree.NewArray()
	seen := map[string]bool{}
	for _, c := range g.calls {
		if c.Folder == nil {
			continue
		}
		if name := w.tag(c.Folder); !seen[name] {
			seen[name] = true
			tags.Append(str(name))
		}
	}
	return tags
}

// response collects the responses with a status.
type response struct {
	content
	names   []string // distinct ones of saved responses
	reason  string
	headers ordered[string, header] // by name in lower case
}

// header collects the values of a header of the responses with a status.
type header struct {
	name, description string
	typed             []*tree.Value // values that name a type
	examples          examples
}

// responses returns the responses of an operation, from all responses to its requests.
func (w *writer) responses(g *group) *tree.Value {
	var byStatus ordered[string, response]
	for _, c := range g.calls {
		for _, r := range c.Responses {
			status := statusKey(r.Status)
			a := byStatus.get(status, response{
				content: content{w: w, resource: g.resource, status: status},
			})
			a.place = c.Place
			a.describe(r)
			label := r.Name
			if len(g.calls) > 1 && len(c.Responses) == 1 && len(c.Bodies) > 0 { // named like the example of the request
				label = cmp.Or(c.Name, label)
			}
			for _, body := range r.Bodies {
				if body.Text != "" || mayHaveContent(status) {
					a.add(body, label)
				}
			}
		}
	}
	all := tree.NewObject()
	for _, a := range byStatus.list {
		text := cmp.Or(strings.Join(a.names, "; "), a.reason, request.ReasonPhrase(a.status), "Response")
		out := tree.NewObject().Set("description", str(text))
		setFilled(out, "headers", a.writeHeaders())
		all.Set(a.status, setFilled(out, "content", a.write()))
	}
	if all.Len() == 0 {
		all.Set("default", tree.NewObject().Set("description", str("Response")))
	}
	w.accepted(g, all)
	return all
}

// accepted adds the media types that the requests accept to the successful responses without content. If that isn't
// possible, it adds a warning, because readers ignore an Accept parameter (OpenAPI 3.1, section 4.8.12).
func (w *writer) accepted(g *group, responses *tree.Value) {
	for _, c := range g.calls {
		for _, h := range c.Headers {
			if !strings.EqualFold(h.Name, "Accept") || !h.Sent() {
				continue
			}
			value := w.expand(h.Value)
			types := concreteTypes(value)
			w.budget.Parts((1 + len(types)) * (openapi.SmallParts + responses.Len()/4))
			expressed := value == "" || strings.Contains(value, "*/*")
			if len(types) > 0 {
				expressed = addAccepted(responses, types[0])
			}
			if !expressed {
				w.warnings.AddNamed(warning.ChangedHeader, c.Place, "Accept")
				continue
			}
			others := slices.DeleteFunc(types, func(t string) bool { return hasContent(responses, t) })
			if len(others) > 0 {
				w.warnings.AddNamed(warning.LostAcceptedTypes, c.Place, others...)
			}
		}
	}
}

// concreteTypes returns the media types in an Accept header that aren't ranges (RFC 9110, section 12.5.1).
func concreteTypes(accept string) (types []string) {
	for mediaType := range strings.SplitSeq(accept, ",") {
		if base := request.BaseType(mediaType); isMediaType(base) && !strings.Contains(base, "*") {
			types = append(types, base)
		}
	}
	return types
}

// addAccepted adds a media type to the successful responses without content, and reports whether any response now has
// it.
func addAccepted(responses *tree.Value, mediaType string) bool {
	for status, response := range responses.Members() {
		successful := status[0] == '2' && mayHaveContent(status) || status == "default" && responses.Len() == 1
		if successful && !response.Has("content") {
			response.Set("content", tree.NewObject().Set(mediaType, tree.NewObject()))
		}
	}
	return hasContent(responses, mediaType)
}

// hasContent reports whether any response has a media type.
func hasContent(responses *tree.Value, mediaType string) bool {
	return slices.ContainsFunc(responses.Values(), func(r *tree.Value) bool { return r.Get("content").Has(mediaType) })
}

// mayHaveContent reports whether a response with a status may have content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5).
func mayHaveContent(status string) bool { return status != "204" && status != "205" && status != "304" }

// statusKey returns the key of a response: a status, a status class or default.
func statusKey(status string) string {
	if len(status) == 3 && status[0] >= '1' && status[0] <= '5' {
		if status[1:] == "XX" || status[1] >= '0' && status[1] <= '9' && status[2] >= '0' && status[2] <= '9' {
			return status
		}
	}
	return "default"
}

// describe adds the name and the headers of a response.
func (a *response) describe(r *request.Response) {
	name := strings.TrimSpace(r.Name)
	if name != "" && name != a.status && len(a.names) < maxAlso && !slices.Contains(a.names, name) {
		a.names = append(a.names, name)
	}
	a.reason = cmp.Or(a.reason, strings.TrimSpace(r.Reason))
	own := map[string]bool{}
	for _, h := range r.Headers {
		lower := strings.ToLower(h.Name)
		if own[lower] {
			a.w.warnings.AddNamed(warning.ChangedDuplicates, a.place, h.Name)
		}
		own[lower] = true
		switch {
		case lower == "content-type" || !request.IsToken(h.Name):
		case !h.Sent():
			a.w.warnings.AddNamed(warning.LostDisabled, a.place, h.Name)
		case request.SetByServer(lower):
			a.w.warnings.AddNamed(warning.LostServerHeaders, nil, h.Name)
		default:
			known := a.headers.get(lower, header{name: h.Name, examples: examples{w: a.w}})
			known.description = cmp.Or(known.description, h.Description)
			if h.Description != "" && h.Description != known.description {
				a.w.warnings.AddNamed(warning.LostParameterDescriptions, a.place, h.Name)
			}
			text := a.w.expand(h.Value)
			switch {
			case infer.IsStandIn(text):
				known.typed = append(known.typed, str(text))
			case text != "" && !isUnknown(text):
				known.examples.add(r.Name, str(text))
			}
		}
	}
}

// writeHeaders returns the headers of a response.
func (a *response) writeHeaders() *tree.Value {
	all := tree.NewObject()
	for _, h := range a.headers.list {
		out := tree.NewObject().SetText("description", h.description)
		if len(h.examples.list) > 0 {
			h.typed = nil
		}
		h.examples.write(out.Set("schema", a.w.scalar(h.typed)))
		all.Set(h.name, out)
	}
	return all
}
