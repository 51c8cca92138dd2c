package writer

import (
	"net/url"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// url writes the URL of a request, split and as a string.
func (w *writer) url(r *request.Request, brief bool) *tree.Value {
	prefix := w.prefix(r.Server)
	segments, variables := w.path(r, brief)
	query := w.query(r.Query, brief)

	var raw strings.Builder
	raw.WriteString(prefix)
	for _, segment := range segments {
		raw.WriteByte('/')
		raw.WriteString(segment)
	}
	raw.WriteString(queryText(query))
	if r.Fragment != "" {
		raw.WriteString("#" + r.Fragment)
	}
	w.budget.Bytes(raw.Len())
	w.budget.Parts(len(segments))
	a := collection.ParseURL(prefix)
	a.HasUserinfo, a.Segments = false, append(a.Segments, segments...)
	a.Fragment, a.HasFragment = r.Fragment, r.Fragment != ""
	if query.Len() == 0 {
		query = nil
	}
	return a.Value(raw.String(), query, variables)
}

// prefix returns the start of a server's URLs.
func (w *writer) prefix(s *request.Server) string {
	prefix, known := w.prefixes[s]
	switch {
	case known:
		return prefix
	case s == nil:
		name := w.taken.Name("baseUrl")
		w.define(&request.Variable{Name: name, Description: "Where the API is: its source does not say."})
		w.prefixes[nil] = "{{" + name + "}}"
		return w.prefixes[nil]
	}
	return s.URL // of a request that was saved with a response
}

// absolute resolves a URL of an OpenAPI document, which may be relative to its first server.
func (w *writer) absolute(text string) string {
	if text == "" || !w.api.Described || strings.Contains(text, "://") || strings.HasPrefix(text, "{{") {
		return text
	}
	var server *request.Server
	if len(w.api.Servers) > 0 {
		server = w.api.Servers[0]
		base, err := url.Parse(server.URL + "/")
		relative, relativeErr := url.Parse(text)
		if err == nil && relativeErr == nil && base.IsAbs() && !strings.Contains(server.URL, "{{") {
			return base.ResolveReference(relative).String()
		}
	}
	return w.prefix(server) + "/" + strings.TrimLeft(text, "/")
}

// query writes the query parameters in the form that Postman shows.
func (w *writer) query(parameters []*request.Parameter, brief bool) *tree.Value {
	list := tree.NewArray()
	for _, p := range parameters {
		if brief && !p.Sent() {
			continue
		}
		v := w.parameter(p, collection.Decode(p.Value, collection.InQuery), brief)
		v.Set("key", tree.NewString(collection.Decode(p.Name, collection.InQueryName)))
		if p.Bare {
			v.Set("value", tree.NewNull())
		}
		list.Append(v)
	}
	return list
}

// queryText returns the query that is sent, with its question mark.
func queryText(query *tree.Value) string {
	var text strings.Builder
	for _, p := range query.Elements() {
		if p.Get("disabled").Bool() {
			continue
		}
		if text.Len() == 0 {
			text.WriteByte('?')
		} else {
			text.WriteByte('&')
		}
		text.WriteString(p.Get("key").Text())
		if value := p.Get("value"); value.Kind() == tree.String {
			text.WriteString("=" + value.Text())
		}
	}
	return text.String()
}

// path writes a path as segments and the list of its path variables. A parameter at the start of its segment
// becomes ":name"; Postman supports no others, so those become variables of the collection.
func (w *writer) path(r *request.Request, brief bool) (segments []string, variables *tree.Value) {
	variables = tree.NewArray()
	if r.Path == "" {
		return nil, variables
	}
	known, listed := map[string]*request.Parameter{}, map[string]bool{}
	for _, p := range r.PathParameters {
		known[p.Name] = p
	}
	var segment strings.Builder
	parts := request.SplitPath(strings.TrimPrefix(r.Path, "/"))
	for i, part := range parts {
		switch begins := segment.Len() == 0; {
		case part.Kind == request.LiteralPart:
			for j, text := range strings.Split(part.Text, "/") {
				if j > 0 {
					segments = append(segments, segment.String())
					segment.Reset()
				}
				text = collection.Decode(text, collection.InPath)
				if segment.Len() == 0 && strings.HasPrefix(text, ":") {
					text = "%3A" + text[1:]
				}
				segment.WriteString(text)
			}
		case part.Kind == request.VariablePart:
			segment.WriteString(part.String())
		case begins && isPathVariable(part.Text, parts[i+1:]):
			segment.WriteString(":" + part.Text)
			if !listed[part.Text] {
				listed[part.Text] = true
				variables.Append(w.pathVariable(part.Text, known[part.Text], brief))
			}
		default:
			segment.WriteString(w.pathPlaceholder(part.Text, known[part.Text]))
		}
	}
	return append(segments, segment.String()), variables
}

// isPathVariable reports whether Postman reads ":name" followed by the parts after as the path variable with that name.
func isPathVariable(name string, after []request.Part) bool {
	return !strings.ContainsAny(name, "./?#:@& \\") &&
		(len(after) == 0 || after[0].Kind == request.LiteralPart && strings.IndexByte("./", after[0].Text[0]) >= 0)
}

func (w *writer) pathVariable(name string, p *request.Parameter, brief bool) *tree.Value {
	v := tree.NewObject().Set("key", tree.NewString(name))
	if p == nil {
		return v.Set("value", tree.NewString(""))
	}
	v.Set("value", tree.NewString(segmentText(p.Value)))
	if !brief {
		v.SetText("description", describe(p))
	}
	return v
}

// segmentText encodes what would end the segment of a path: Postman inserts the value of a path variable as it is.
func segmentText(value string) string {
	return request.Encode(value, func(rest string) bool { return !strings.ContainsAny(rest[:1], "%/?#\\") })
}

// pathPlaceholder writes a path parameter as a variable of the collection with its value. A parameter that has another
// value in another path is another variable.
func (w *writer) pathPlaceholder(name string, p *request.Parameter) string {
	if p == nil || p.Value == "" {
		return w.placeholder(name)
	}
	v := &request.Variable{Name: name, Value: segmentText(p.Value), Description: p.Description}
	same := [2]string{name, v.Value}
	if known := w.named[name]; w.inPath[same] == "" && known != nil && known.Value != v.Value {
		v.Name = w.taken.Name(name)
	}
	if w.inPath[same] == "" {
		w.inPath[same] = v.Name
		w.define(v)
	}
	return "{{" + w.inPath[same] + "}}"
}
