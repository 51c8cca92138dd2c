package writer

import (
	"cmp"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"

	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// the table of keys

//go:embed keys.txt
var keyText string

// keyPlace is a parameter that is a key.
type keyPlace struct {
	in    request.Location
	name  string
	owner string // whose hosts it is one of, "" for all
}

// keySchemes are the names of the schemes of known keys, read when one is first
// looked for.
var keySchemes = sync.OnceValue(func() map[keyPlace]string {
	known := map[keyPlace]string{}
	for line := range strings.Lines(keyText) {
		line, _, _ = strings.Cut(line, "#")
		if words := strings.Fields(line); len(words) > 0 {
			in, owner, _ := strings.Cut(words[0], "@")
			for _, name := range words[2:] {
				known[keyPlace{request.Location(in), name, owner}] = words[1]
			}
		}
	}
	return known
})

// keyName is the name of the scheme of an API key, "" for what is none.
func keyName(in request.Location, name, owner string) string {
	name = strings.ToLower(name)
	return cmp.Or(keySchemes()[keyPlace{in, name, ""}], keySchemes()[keyPlace{in, name, owner}])
}

// key is a credential among the parameters of a request, nil for a parameter
// that is none, or that the source does not send.
func (w *writer) key(c *call, in request.Location, p *request.Parameter) *request.Auth {
	if !p.Sent() {
		return nil
	}
	name, owner := w.variables.expand(p.Name).text, ""
	if in == request.InQuery {
		name, owner = openapi.Unescape(name), w.owner(c.Server)
	}
	scheme := keyName(in, name, owner)
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

// withKeys adds to what a request needs the keys among its parameters.
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

// sends reports whether one of the credentials is sent as the key is.
func sends(alternative []*request.Auth, key *request.Auth) bool {
	return slices.ContainsFunc(alternative, func(a *request.Auth) bool {
		return a.Kind == request.APIKey && cmp.Or(a.In, request.InHeader) == key.In && strings.EqualFold(a.Key, key.Key)
	})
}
