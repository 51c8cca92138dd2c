package writer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// oauth2Scheme is a security scheme that several OAuth 2.0 credentials share.
type oauth2Scheme struct {
	auth   *request.Auth
	scopes map[request.Grant]map[string]bool
}

// maxOAuth2 caps the number of shared schemes. Further credentials get schemes
// of their own.
const maxOAuth2 = 8

// mergeOAuth2 merges OAuth 2.0 credentials into shared schemes. A collection configures a grant for each request or
// folder, while an OpenAPI scheme has a flow for each grant. Credentials of the same authorization server share a
// scheme unless their flows contradict each other. A credential that is only a token uses the first scheme.
func (w *writer) mergeOAuth2() {
	w.oauth2 = map[*request.Auth]*request.Auth{}
	if w.api.Described {
		return
	}
	var schemes []*oauth2Scheme
	var tokens []*request.Auth
	add := func(s *request.Security) {
		for _, auth := range s.First() {
			switch {
			case auth.Kind != request.OAuth2 || auth.Name != "" || w.oauth2[auth] != nil:
			case len(auth.Flows) == 0:
				tokens = append(tokens, auth)
			default:
				schemes = w.shareOAuth2(schemes, auth)
			}
		}
	}
	add(w.api.Security)
	for _, folder := range w.api.Folders {
		add(folder.Security)
	}
	for _, r := range w.api.Requests {
		add(r.Security)
	}
	for _, auth := range tokens {
		if len(schemes) > 0 && auth.In == schemes[0].auth.In {
			w.oauth2[auth] = schemes[0].auth
		}
	}
}

// shareOAuth2 adds a credential to the first compatible scheme, or to a new one.
func (w *writer) shareOAuth2(schemes []*oauth2Scheme, auth *request.Auth) []*oauth2Scheme {
	i := slices.IndexFunc(schemes, func(s *oauth2Scheme) bool { return compatible(s.auth, auth) })
	if i < 0 {
		if len(schemes) == maxOAuth2 {
			return schemes
		}
		i = len(schemes)
		merged := *auth
		merged.Flows, merged.Scopes, merged.Token = nil, nil, ""
		schemes = append(schemes, &oauth2Scheme{&merged, map[request.Grant]map[string]bool{}})
	}
	w.oauth2[auth] = schemes[i].auth
	schemes[i].add(auth, w.budget)
	return schemes
}

// add adds the flows, scopes and settings of a credential.
func (s *oauth2Scheme) add(auth *request.Auth, b *budget.Budget) {
	if len(s.auth.Settings) == 0 {
		s.auth.Settings = auth.Settings
	}
	for _, flow := range auth.Flows {
		b.Parts(openapi.SmallParts * (1 + len(flow.Scopes) + len(auth.Scopes)))
		i := slices.IndexFunc(s.auth.Flows, func(f request.Flow) bool { return f.Grant == flow.Grant })
		if i < 0 {
			i = len(s.auth.Flows)
			known := flow
			known.Scopes = nil
			s.auth.Flows = append(s.auth.Flows, known)
			s.scopes[flow.Grant] = map[string]bool{}
		}
		known, scopes := &s.auth.Flows[i], slices.Clip(flow.Scopes)
		known.ClientID, known.PKCE = cmp.Or(known.ClientID, flow.ClientID), known.PKCE || flow.PKCE
		for _, name := range auth.Scopes {
			scopes = append(scopes, request.Scope{Name: name})
		}
		for _, scope := range scopes {
			if !s.scopes[flow.Grant][scope.Name] {
				s.scopes[flow.Grant][scope.Name] = true
				known.Scopes = append(known.Scopes, scope)
			}
		}
	}
}

// compatible reports whether two credentials can share a scheme: the same
// authorization server, and the same URLs for the same grant.
func compatible(a, b *request.Auth) bool {
	if a.In != b.In {
		return false
	}
	server := false
	for i := range a.Flows {
		for j := range b.Flows {
			f, g := &a.Flows[i], &b.Flows[j]
			same := f.AuthorizeURL == g.AuthorizeURL && f.TokenURL == g.TokenURL && f.RefreshURL == g.RefreshURL
			if f.Grant == g.Grant && !same {
				return false
			}
			server = server || origin(f) == origin(g)
		}
	}
	return server
}

// origin returns the scheme and host of a flow's URLs.
func origin(f *request.Flow) string {
	scheme, rest, _ := strings.Cut(cmp.Or(f.TokenURL, f.AuthorizeURL), "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}
