package writer

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/secret"
)

// The table of API keys.

//go:embed keys.txt
var keyText string

// keyPlace identifies a parameter that is an API key.
type keyLocation struct {
	in    request.Location
	name  string
	owner string // domain of the hosts that use it; "" for any host
}

// keySchemes maps known API keys to the names of their security schemes. The table is parsed on first use.
var keySchemes = sync.OnceValue(func() map[keyLocation]string {
	known := map[keyLocation]string{}
	for line := range strings.Lines(keyText) {
		line, _, _ = strings.Cut(line, "#")
		if words := strings.Fields(line); len(words) > 0 {
			in, owner, _ := strings.Cut(words[0], "@")
			for _, name := range words[2:] {
				known[keyLocation{request.Location(in), name, owner}] = words[1]
			}
		}
	}
	return known
})

// keyName returns the name of the security scheme for an API key, or "" if the parameter isn't a known one.
func keyName(in request.Location, name, owner string) string {
	name = strings.ToLower(name)
	return cmp.Or(keySchemes()[keyLocation{in, name, ""}], keySchemes()[keyLocation{in, name, owner}])
}

// key returns the credential for a parameter. It returns nil if the parameter isn't an API key or the source doesn't
// send it.
func (w *writer) key(c *call, in request.Location, p *request.Parameter) *request.Auth {
	if !p.Sent() {
		return nil
	}
	name, owner := w.expand(p.Name), ""
	if in == request.InQuery {
		name, owner = percent.DecodeQuery(name), w.owner(c.Server)
	}
	scheme := keyName(in, name, owner)
	if scheme == "" && in == request.InHeader {
		scheme = secret.Credential(name)
	}
	if scheme == "" {
		return nil
	}
	id := string(in) + " " + scheme + " " + name
	if w.keys[id] == nil {
		w.keys[id] = &request.Auth{Kind: request.APIKey, Key: name, In: in}
		w.keyNames[w.keys[id]] = scheme
	}
	return w.keys[id]
}

// withKeys adds the API keys among a request's parameters to its security requirements.
func (w *writer) withKeys(s *request.Security, c *call) *request.Security {
	var keys []*request.Auth
	gather := func(in request.Location, list []*request.Parameter) {
		for _, p := range list {
			if a := w.key(c, in, p); a != nil && !slices.Contains(keys, a) {
				keys = append(keys, a)
			}
		}
	}
	gather(request.InHeader, c.Headers)
	gather(request.InQuery, c.Query)
	gather(request.InCookie, w.cookies(c))
	if len(keys) == 0 {
		return s
	}
	if len(s.First()) == 0 {
		return &request.Security{Alternatives: [][]*request.Auth{keys}}
	}
	out := &request.Security{}
	for _, alternative := range s.Alternatives {
		all := alternative[:len(alternative):len(alternative)]
		for _, key := range keys {
			if !sends(alternative, key) {
				all = append(all, key)
			}
		}
		w.budget.Parts(openapi.SmallParts * len(all))
		out.Alternatives = append(out.Alternatives, all)
	}
	return out
}

// sends reports whether one of the credentials is sent in the same header or parameter as key.
func sends(alternative []*request.Auth, key *request.Auth) bool {
	return slices.ContainsFunc(alternative, func(a *request.Auth) bool {
		return a.Kind == request.APIKey && cmp.Or(a.In, request.InHeader) == key.In && strings.EqualFold(a.Key, key.Key)
	})
}
