package apiconvert

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/placeholder"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// hosts replaces placeholders in the hosts of requests that were sent by variables: of the server in an OpenAPI
// document, of the collection in Postman. Commands keep them.
func hosts(c *conversion, api *request.API) {
	if api.Described || c.target.format == source.Shell {
		return
	}
	replaced := map[*request.Server]bool{}
	for _, s := range api.Servers {
		url, variables := placeholder.Host(s.URL)
		if variables != nil {
			s.URL, s.Variables = url, append(s.Variables, variables...)
			replaced[s] = true
		}
	}
	for _, r := range api.Requests {
		if replaced[r.Server] {
			delete(replaced, r.Server)
			for _, v := range r.Server.Variables {
				c.warnings.AddNamed(warning.ChangedHostPlaceholder, r.Place, v.Name)
			}
		}
	}
}

// afterBase matches a path, not the rest of a host, after a variable: after a base URL that ends with a slash, or in
// another variable.
var afterBase = expression.Lazy(`^(\{\{([^{}]+)\}\})((?:[A-Za-z][\w-]*|\{\{([^{}]+)\}\})(?:/.*)?)$`)

// endpoints moves the path of a server into the request when the target is an OpenAPI document: operations are
// distinguished by their paths, and OpenAPI would add a slash. Such a server begins with an unknown base URL,
// {{base_url}}login, or with one that is known or used alone, {{base_url}}{{path}}, or is a whole URL in variables,
// {{login_url}}, that no request adds a path to.
func endpoints(c *conversion, api *request.API) {
	if c.target.format != source.OpenAPI || api.Described {
		return
	}
	values := map[string]string{}
	for _, v := range api.Variables {
		if _, twice := values[v.Name]; !twice && !v.Disabled {
			values[v.Name] = v.Value
		}
	}
	paths := splitBases(api, values)
	servers, bases := map[string]*request.Server{}, map[*request.Server]bool{}
	for _, s := range api.Servers {
		servers[s.URL] = s
		if url := c.resolved(s.URL, values); servers[url] == nil {
			servers[url] = s
		}
	}
	for _, r := range api.Requests {
		r.Path = paths[r.Server] + r.Path
		bases[r.Server] = bases[r.Server] || r.Path != ""
	}
	for _, r := range api.Requests {
		if r.Server == nil || bases[r.Server] {
			continue
		}
		address, path, ok := splitURL(c.resolved(r.Server.URL, values))
		if !ok {
			continue
		}
		if servers[address] == nil {
			servers[address] = &request.Server{URL: address, Description: r.Server.Description, Variables: r.Server.Variables}
			api.Servers = append(api.Servers, servers[address])
		}
		path, query, _ := strings.Cut(path, "?")
		for p := range request.Pairs(query, '&') {
			r.Query = append(r.Query, &request.Parameter{Name: p.Name, Value: p.Value, Bare: p.Bare})
		}
		r.Server, r.Path = servers[address], path
	}
}

// splitBases leaves the base URL of each server that has a path after it, and returns these paths.
func splitBases(api *request.API, values map[string]string) map[*request.Server]string {
	alone, paths := map[string]bool{}, map[*request.Server]string{}
	for _, s := range api.Servers {
		alone[s.URL] = true
	}
	for _, s := range api.Servers {
		m := afterBase().FindStringSubmatch(s.URL)
		if m == nil {
			continue
		}
		base, inVariable := values[m[2]], m[4] != ""
		_, host, _ := strings.Cut(base, "://")
		whole := strings.TrimRight(host, ":.") == host && host != "" || base == "" && alone[m[1]]
		if inVariable && whole && values[m[4]] == "" || !inVariable && base == "" {
			s.URL, paths[s] = m[1], "/"+m[3]
		}
	}
	return paths
}

// Limits on how deep variables refer to others in a server's URL, and on its length.
const (
	maxResolved    = 5
	maxResolvedURL = 1 << 10
)

// resolved returns a server's URL with its variables replaced by their values. Unknown ones stay, and so do all that
// would make it too long.
func (c *conversion) resolved(url string, values map[string]string) string {
	for range maxResolved {
		c.budget.Text(len(url))
		var b strings.Builder
		for _, part := range request.Split(url) {
			text := part.String()
			if value := values[part.Text]; part.Kind == request.VariablePart && value != "" {
				text = value
			}
			if b.Len()+len(text) > maxResolvedURL {
				return url
			}
			b.WriteString(text)
		}
		if b.String() == url {
			break
		}
		url = b.String()
	}
	return strings.TrimRight(url, "/")
}

// splitURL splits a URL without variables after its host, and adds http:// if it has no scheme. ok is false if it has
// no path.
func splitURL(url string) (server, path string, ok bool) {
	if !strings.Contains(url, "://") {
		url = "http://" + url
	}
	scheme, rest, _ := strings.Cut(url, "://")
	base, _, _ := strings.Cut(rest, "?")
	i := strings.IndexByte(base, '/')
	if i <= 0 || i+1 == len(rest) || strings.ContainsAny(url, "{}#<> @") || strings.Contains(base, "//") {
		return "", "", false
	}
	return scheme + "://" + rest[:i], rest[i:], true
}
