package reader

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// firstServer reads a list of servers and returns the first, or nil. Equal servers in two lists become one.
func (r *reader) firstServer(servers part) *request.Server {
	var first *request.Server
	for _, p := range servers.all {
		key, err := p.AppendJSON(nil, openapi.MaxScalarText)
		r.budget.Text(4 * len(key))
		if err != nil {
			r.warnings.Add(warning.LostMalformed, p.at)
			continue
		}
		s, known := r.servers[string(key)]
		if !known {
			s = r.newServer(p)
			r.servers[string(key)] = s
			if s != nil {
				r.api.Servers = append(r.api.Servers, s)
			}
		}
		first = cmp.Or(first, s)
	}
	return first
}

// newServer reads a server. It returns nil for one that only refers to the location of the document.
func (r *reader) newServer(p part) *request.Server {
	address := request.SplitPath(request.WithSlashes(strings.TrimSpace(p.text("url"))))
	url, _, _ := strings.Cut(request.Map(address, func(part request.Part) string {
		if part.Kind == request.ParameterPart {
			part.Kind = request.VariablePart
		}
		return part.String()
	}), "#")
	url, _, _ = strings.Cut(url, "?")
	if url = strings.TrimRight(url, "/"); strings.HasPrefix(url, "//") { // RFC 3986, section 4.2
		url = "https:" + url
	}
	if url == "" || url == "." || strings.HasSuffix(url, ":") {
		return nil
	}
	s := &request.Server{URL: url, Description: openapi.Paragraphs(p.text("name"), p.text("description")), Place: p.at}
	for name, described := range p.field("variables").all {
		if !request.VariableName(name) {
			r.warnings.Add(warning.LostMalformed, described.at)
			continue
		}
		if !strings.Contains(url, "{{"+name+"}}") {
			continue
		}
		variable := &request.Variable{
			Name: name, Value: described.text("default"), Description: described.text("description"),
			Enum: described.Get("enum").Texts(),
		}
		// AWS API Gateway exports {basePath} as /prod after a slash.
		if strings.Contains(url, "/{{"+name+"}}") && !strings.Contains(url, "://{{"+name+"}}") {
			variable.Value = strings.TrimLeft(variable.Value, "/")
			for i, value := range variable.Enum {
				variable.Enum[i] = strings.TrimLeft(value, "/")
			}
		}
		s.Variables = append(s.Variables, variable)
	}
	return s
}
