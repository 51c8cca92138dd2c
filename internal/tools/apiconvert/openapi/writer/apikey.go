package writer

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/placeholder"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/secret"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// queryKeys are the parameters of a query that are API keys, and sessionCookies the cookies by which frameworks keep a
// session: Express, Django, Java servlets, PHP, ASP, Rails, Laravel and Next.js.
var (
	queryKeys      = words.Set(`api_key apikey api-key x-api-key access_token api_token auth_token private_token subscription-key`)
	sessionCookies = words.Set(`session sessionid session_id sid connect.sid jsessionid phpsessid asp.net_sessionid _session_id
		laravel_session .aspnetcore.session .aspnetcore.cookies next-auth.session-token __secure-next-auth.session-token
		auth_token access_token`)
)

// keyName returns the name of the security scheme for an API key, or "" if the parameter isn't one.
func keyName(in request.Location, name string) string {
	switch lower := strings.ToLower(name); {
	case in == request.InCookie && sessionCookies[lower]:
		return "sessionCookie"
	case in == request.InCookie, in == request.InQuery && !queryKeys[lower]:
		return ""
	}
	scheme := secret.Credential(name)
	if strings.EqualFold(scheme, "apiKey") {
		return "apiKeyAuth"
	}
	return scheme
}

// key returns the credential for a parameter, whose name or placeholder says that it is one (appid=YOUR_API_KEY). It
// returns nil for other parameters and those that the source doesn't send. The first description is the credential's.
func (w *writer) key(in request.Location, p *request.Parameter, at warning.Place) *request.Auth {
	if !p.Sent() {
		return nil
	}
	name := w.expand(p.Name)
	if in == request.InQuery {
		name = percent.DecodeQuery(name)
	}
	if keyName(in, name) == "" && keyName(in, placeholder.Value(p.Value)) == "" {
		return nil
	}
	id := string(in) + " " + name
	if w.keys[id] == nil {
		w.keys[id] = &request.Auth{Kind: request.APIKey, Key: name, In: in, Description: p.Description}
	}
	if p.Description != "" && p.Description != w.keys[id].Description {
		w.warnings.AddNamed(warning.LostParameterDescriptions, at, name)
	}
	return w.keys[id]
}

// withKeys adds the API keys among a request's parameters to its other credentials.
func (w *writer) withKeys(own []*request.Auth, c *call) []*request.Auth {
	all := own
	gather := func(in request.Location, list []*request.Parameter) {
		added := map[string]bool{}
		for _, p := range list {
			key := w.key(in, p, c.Place)
			if key == nil {
				continue
			}
			if slices.ContainsFunc(own, func(a *request.Auth) bool { return a.Sends(in, key.Key) }) {
				if p.Description != "" {
					w.warnings.AddNamed(warning.LostParameterDescriptions, c.Place, key.Key)
				}
				continue
			}
			name := key.Key
			if in == request.InHeader {
				name = strings.ToLower(name)
			}
			if !added[name] {
				added[name] = true
				w.budget.Parts(openapi.SmallParts)
				all = append(all, key)
			}
		}
	}
	gather(request.InHeader, c.Headers)
	gather(request.InQuery, c.Query)
	gather(request.InCookie, c.Cookies)
	return all
}
