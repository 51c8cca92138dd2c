package writer

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/placeholder"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// unknownHost is the default of a server variable for a host that the source doesn't specify. OpenAPI requires a
// default.
const unknownHost = "http://localhost"

// mainServer returns the server of most requests, the first one of several, or nil if no request has a server. The first
// request often fetches a token elsewhere.
func (w *writer) mainServer() *request.Server {
	var most *request.Server
	counts := map[string]int{} // by URL, because a variable may have another server's URL
	for _, r := range w.api.Requests {
		counts[w.serverURL(r.Server)]++
	}
	for _, r := range w.api.Requests {
		if r.Server != nil && (most == nil || counts[w.serverURL(r.Server)] > counts[w.serverURL(most)]) {
			most = r.Server
		}
	}
	return most
}

// serverURL returns the URL in the Server Object for a server.
func (w *writer) serverURL(s *request.Server) string { return w.host(s).Get("url").Text() }

// host returns the Server Object for a server. A request without one is relative to the document.
func (w *writer) host(s *request.Server) *tree.Value {
	if host, known := w.hosts[s]; known {
		return host
	}
	host := w.newHost(s)
	w.hosts[s] = host
	return host
}

func (w *writer) newHost(s *request.Server) *tree.Value {
	if s == nil {
		return tree.NewObject().Set("url", str("/"))
	}
	own := map[string]*request.Variable{}
	for _, v := range s.Variables {
		own[v.Name] = v
	}
	address := s.URL
	// A variable at the beginning of the URL is replaced by its value: {{baseUrl}}, {{protocol}}://{{host}}.
	if begin := address[:request.VariableLength(address)]; begin != "" && own[begin[2:len(begin)-2]] == nil {
		if value := w.expand(begin); value != redacted {
			address = value + address[len(begin):]
		}
	}
	url, described := w.convertURL(address, own)
	host := tree.NewObject().Set("url", str(url))
	text := ""
	// A widely used schema of OpenAPI 3.1 misspells the description property of server variables and rejects
	// documents that have it, so the text moves to the server.
	for name, v := range described.Members() {
		if d := v.Delete("description"); d.Text() != "" {
			text = openapi.Paragraphs(text, name+": "+d.Text())
		}
	}
	host.SetText("description", text)
	return setFilled(host, "variables", described)
}

// convertURL converts a URL with variables to OpenAPI's syntax.
func (w *writer) convertURL(address string, own map[string]*request.Variable) (string, *tree.Value) {
	address, _, _ = strings.Cut(address, "?")
	address = request.WithSlashes(strings.TrimRight(strings.TrimSpace(address), "/"))
	parts := request.SplitPath(address)
	if len(parts) > 0 && parts[0].Kind == request.LiteralPart && !strings.Contains(address, "://") && address[0] != '/' {
		parts = append([]request.Part{{Kind: request.LiteralPart, Text: "http://"}}, parts...)
	}
	described := tree.NewObject()
	names := map[string]string{}
	taken := words.Unique{}
	var b, resolved strings.Builder // resolved has the defaults of the variables
	write := func(text, plain string) {
		b.WriteString(text)
		if resolved.Len() < maxChecked {
			resolved.WriteString(plain)
		}
	}
	for i, part := range parts {
		if part.Kind == request.LiteralPart {
			text := openapi.Encode(part.Text, openapi.InPath+"[]")
			write(text, text)
			continue
		}
		name := names[part.Text]
		if name == "" {
			at := position{b.String(), i+1 < len(parts) && strings.HasPrefix(parts[i+1].Text, "://")}
			name = taken.Name(naming.ParameterName(part.Text))
			names[part.Text] = name
			described.Set(name, w.serverVariable(part.Text, own[part.Text], at))
		}
		write("{"+name+"}", described.Get(name).Get("default").Text())
	}
	if b.Len() == 0 {
		return "/", described
	}
	if resolved.Len() < maxChecked && !isAddress(resolved.String()) {
		w.warnings.AddNamed(warning.LostMalformed, nil, address)
		return "/", nil
	}
	return b.String(), described
}

// isAddress reports whether text is a URL without a query, or a relative one.
func isAddress(text string) bool {
	u, err := url.Parse(strings.ReplaceAll(text, redacted, "redacted"))
	return err == nil && (u.Scheme == "" || u.Host != "") && u.RawQuery == "" && u.Fragment == ""
}

// maxChecked is how many bytes of a URL with its defaults are checked.
const maxChecked = 1 << 12

// position is what precedes a variable in a URL, and whether :// follows it.
type position struct {
	start    string
	isScheme bool
}

// fallback returns a default for the variable: a whole URL or a scheme at the beginning, else a port or a part of the host
// that resembles its name, or its name in a path.
func (p position) fallback(name string) string {
	scheme, _, _ := strings.Cut(p.start, "://")
	switch {
	case p.start == "" && p.isScheme:
		return "http"
	case p.start == "":
		return unknownHost
	case strings.HasSuffix(p.start, ":") && p.inAuthority():
		return placeholder.Port(scheme)
	case p.inAuthority():
		return placeholder.Label(name)
	}
	return name
}

// inAuthority reports whether the variable is in the host or port.
func (p position) inAuthority() bool {
	_, authority, found := strings.Cut(p.start, "://")
	if !found {
		authority = p.start
	}
	return !strings.Contains(authority, "/")
}

// fits reports whether the URL may have the value there. A path may follow a host.
func (p position) fits(value string) bool {
	inHost := p.start != "" && p.inAuthority() && strings.Contains(value, "/")
	afterHost := strings.HasPrefix(value, "/") && strings.TrimRight(p.start, ".:/") == p.start
	return !strings.ContainsAny(value, "?# <>{}") && (!inHost || afterHost)
}

// serverVariable returns the Server Variable Object for a variable, with another default if its value is unknown.
func (w *writer) serverVariable(name string, v *request.Variable, at position) *tree.Value {
	if v = cmp.Or(v, w.variables.get(name)); v == nil {
		v = &request.Variable{}
	}
	v.Written = true
	value := w.expand(v.Value)
	if v.Secret {
		value = redacted
	}
	if value == "" || isTemplate(value) || value != redacted && !at.fits(value) {
		value = at.fallback(name)
		w.warnings.AddNamed(warning.AddedServerDefault, nil, name)
	}
	return tree.NewObject().Set("default", str(value)).SetText("description", v.Description)
}

// servers returns the list of servers without duplicates.
func (w *writer) servers(list ...*request.Server) *tree.Value {
	out := tree.NewArray()
	seen := map[string]bool{}
	for _, s := range list {
		if url := w.serverURL(s); !seen[url] {
			seen[url] = true
			if host := w.host(s).Clone(w.values); host != nil {
				out.Append(host)
			}
		}
	}
	return out
}

// ownServers returns the servers of an operation, or nil if all of its requests use the server of the document.
func (w *writer) ownServers(g *group) *tree.Value {
	list := make([]*request.Server, len(g.calls))
	for i, c := range g.calls {
		list[i] = c.Server
	}
	main := w.serverURL(w.main)
	if !slices.ContainsFunc(list, func(s *request.Server) bool { return w.serverURL(s) != main }) {
		return nil
	}
	return w.servers(list...)
}

// pathServers moves servers that all operations of a path share to the path item.
func pathServers(paths *tree.Value) {
	for _, item := range paths.Members() {
		operations := item.Values()
		if len(operations) == 0 || !operations[0].Has("servers") {
			continue
		}
		same := operations[0].Get("servers")
		if slices.ContainsFunc(operations, func(o *tree.Value) bool { return !o.Get("servers").Equal(same) }) {
			continue
		}
		for _, operation := range operations {
			operation.Delete("servers")
		}
		item.Insert(0, "servers", same)
	}
}

// transport warns about settings for sending a request, which are lost.
func (w *writer) transport(r *request.Request) {
	var proxy, certificate, other []request.Option
	for _, option := range r.Transport {
		name := option.Name
		switch {
		case strings.Contains(name, "proxy") || strings.HasPrefix(name, "socks") || name == "preproxy":
			proxy = append(proxy, option)
		case strings.HasPrefix(name, "cert") || name == "key" || name == "key-type" || name == "pass":
			certificate = append(certificate, option)
		default:
			other = append(other, option)
		}
	}
	r.WarnOptions(w.warnings, warning.LostProxy, proxy...)
	r.WarnOptions(w.warnings, warning.LostCertificates, certificate...)
	r.WarnOptions(w.warnings, warning.LostCURLOption, other...)
}
