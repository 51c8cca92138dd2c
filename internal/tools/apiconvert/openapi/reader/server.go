package reader

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// serverList reads a list of servers. Equal servers in two lists become one.
func (r *reader) serverList(v *tree.Value, at *warning.Place) []*request.Server {
	var list []*request.Server
	seen := map[*request.Server]bool{nil: true}
	for i, element := range v.Elements() {
		key, err := element.AppendJSON(nil, openapi.MaxScalarText)
		r.budget.Parts(2 * openapi.SmallParts)
		r.budget.Text(4 * len(key))
		if err != nil {
			r.warnings.Add(warning.Malformed, at.Index(i))
			continue
		}
		s, known := r.servers[string(key)]
		if !known {
			s = r.newServer(element, at.Index(i))
			r.servers[string(key)] = s
			if s != nil {
				r.api.Servers = append(r.api.Servers, s)
			}
		}
		if !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	return list
}

// newServer reads a server. It returns nil for one that only refers to the location of the document.
func (r *reader) newServer(v *tree.Value, at *warning.Place) *request.Server {
	address := strings.TrimSpace(v.Get("url").Text())
	r.extensions(v, at)
	var b strings.Builder
	for _, part := range request.SplitPath(address) {
		switch part.Kind {
		case request.LiteralPart:
			b.WriteString(part.Text)
		case request.VariablePart, request.ParameterPart:
			b.WriteString("{{" + part.Text + "}}")
		}
	}
	url, _, _ := strings.Cut(b.String(), "#")
	url, _, _ = strings.Cut(url, "?")
	if url = strings.TrimRight(url, "/"); strings.HasPrefix(url, "//") { // RFC 3986, section 4.2
		url = "https:" + url
	}
	if url == "" || url == "." || strings.HasSuffix(url, ":") {
		return nil
	}
	s := &request.Server{URL: url, Description: openapi.Paragraphs(v.Get("name").Text(), v.Get("description").Text())}
	for name, p := range each(v.Get("variables"), at.Field("variables")) {
		if !request.VariableName(name) {
			r.warnings.Add(warning.Malformed, p.at)
			continue
		}
		if !strings.Contains(url, "{{"+name+"}}") {
			continue
		}
		r.extensions(p.v, p.at)
		// AWS API Gateway exports {basePath} as /prod after a slash.
		value := func(v *tree.Value) string {
			if !strings.Contains(url, "/{{"+name+"}}") || strings.Contains(url, "://{{"+name+"}}") {
				return v.Text()
			}
			return strings.TrimLeft(v.Text(), "/")
		}
		variable := &request.Variable{Name: name, Value: value(p.v.Get("default")), Description: p.v.Get("description").Text()}
		for _, element := range p.v.Get("enum").Elements() {
			variable.Enum = append(variable.Enum, value(element))
		}
		s.Variables = append(s.Variables, variable)
	}
	return s
}
