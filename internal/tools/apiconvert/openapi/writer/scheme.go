package writer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/placeholder"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/secret"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// maxRequirement limits the JSON by which requirements are compared.
const maxRequirement = 1 << 16

// rootSecurity determines the security requirements of each operation and returns those of the document: the source's
// own, or those that all operations have in common. Without either it returns [].
func (w *writer) rootSecurity(groups []*group) *tree.Value {
	for _, g := range groups {
		g.security = w.required(g)
	}
	first := w.api.Security.First()
	switch {
	case len(first) > 0:
		w.security = tree.NewArray(w.requirement(first))
	case w.api.Security != nil: // none
	case len(groups) == 0:
		return nil
	case !slices.ContainsFunc(groups, func(g *group) bool { return !w.values.Equal(g.security, groups[0].security) }):
		w.security = groups[0].security.Clone(w.values)
	}
	w.security = cmp.Or(w.security, tree.NewArray())
	return w.security
}

func (w *writer) text(v *tree.Value) string {
	text, err := v.AppendJSON(nil, maxRequirement)
	w.budget.Text(len(text))
	if err != nil {
		return ""
	}
	return string(text)
}

// required returns the requirements of an operation: those of each of its requests are an alternative.
func (w *writer) required(g *group) *tree.Value {
	all, seen := tree.NewArray(), map[string]bool{}
	for _, c := range g.calls {
		own := w.requirement(w.credentials(c))
		if key := w.text(own); !seen[key] {
			seen[key] = true
			all.Append(own)
		}
	}
	switch {
	case all.Len() > 1 || all.Element(0).Len() > 0:
		return all
	case w.api.Effective(g.calls[0].Request) == nil:
		return nil
	}
	return tree.NewArray()
}

// credentials returns the credentials that a request sends, including those among its parameters. An Authorization header
// that the source's reader couldn't parse is an API key, unless there are other credentials.
func (w *writer) credentials(c *call) []*request.Auth {
	list := slices.Clone(w.api.Effective(c.Request).First())
	for _, h := range c.Headers {
		if strings.EqualFold(h.Name, "Authorization") && h.Sent() {
			w.warnings.AddNamed(warning.ChangedHeader, c.Place, "Authorization")
			if len(list) == 0 {
				list = append(list, &request.Auth{Kind: request.APIKey, Key: "Authorization", In: request.InHeader})
			}
			break
		}
	}
	return w.withKeys(list, c)
}

// requirement returns the Security Requirement Object for credentials that are needed together.
func (w *writer) requirement(credentials []*request.Auth) *tree.Value {
	requirement := tree.NewObject()
	for _, auth := range credentials {
		w.budget.Parts(openapi.SmallParts * (1 + len(auth.Scopes)))
		name, scopes := w.scheme(auth), tree.NewArray()
		if w.schemes.Get(name).Get("type").Text() == "oauth2" {
			scopes = tree.NewStrings(auth.Scopes)
		}
		requirement.Set(name, scopes)
	}
	return requirement
}

// scheme returns the name of the security scheme for a credential, and adds the scheme on first use.
func (w *writer) scheme(auth *request.Auth) string {
	if known, ok := w.schemeNames[auth]; ok {
		return known
	}
	name, described := w.newScheme(auth)
	key := w.text(described)
	if known, ok := w.schemeKeys[key]; ok {
		if auth.Description != "" && auth.Description != w.schemes.Get(known).Get("description").Text() {
			w.warnings.AddNamed(warning.LostParameterDescriptions, nil, auth.Key)
		}
		w.schemeNames[auth] = known
		return known
	}
	name = w.names.Name(name)
	w.schemeKeys[key], w.schemeNames[auth] = name, name
	w.schemes.Set(name, described.SetText("description", auth.Description))
	return name
}

func httpScheme(scheme string) *tree.Value {
	return tree.NewObject().Set("type", str("http")).Set("scheme", str(scheme))
}

func keyScheme(name string, in request.Location) *tree.Value {
	return tree.NewObject().Set("type", str("apiKey")).Set("name", str(name)).Set("in", str(string(in)))
}

// newScheme returns the Security Scheme Object for a credential and a name for it.
func (w *writer) newScheme(auth *request.Auth) (name string, s *tree.Value) {
	if len(auth.Settings) > 0 && auth.Kind != request.APIKey && auth.Kind != request.Basic {
		auth.WarnDetails(w.warnings, nil)
	}
	switch auth.Kind {
	case request.Bearer:
		return "bearerAuth", httpScheme("bearer")
	case request.APIKey:
		return w.apiKey(auth)
	case request.OAuth2:
		if flows := w.flows(auth); flows.Len() > 0 {
			return "oauth2", tree.NewObject().Set("type", str("oauth2")).Set("flows", flows)
		}
		// Validators require a flow. Only the token is certain.
		if auth.In == request.InQuery {
			return "oauth2", keyScheme("access_token", request.InQuery)
		}
		return "oauth2", httpScheme("bearer").Set(openapi.SchemeMark, str(openapi.OAuth2Mark))
	case request.OtherScheme:
		lower := strings.ToLower(auth.Key)
		if openapi.IsHTTPScheme(lower) {
			return lower + "Auth", httpScheme(lower)
		}
		s = keyScheme("Authorization", request.InHeader)
		s.Set("description", str("An Authorization header of the scheme "+auth.Key+"."))
		return naming.ParameterName(auth.Key) + "Auth", s.Set(openapi.SchemeMark, str(auth.Key))
	}
	isKind := func(k openapi.KnownScheme) bool { return k.Kind == auth.Kind }
	known := openapi.KnownSchemes[slices.IndexFunc(openapi.KnownSchemes, isKind)]
	if known.Description != "" {
		auth.WarnDetails(w.warnings, nil) // the scheme's other settings
	}
	if known.Scheme != "" {
		return known.Name, httpScheme(known.Scheme).SetText("description", known.Description)
	}
	return known.Name, keyScheme("Authorization", request.InHeader).Set("description", str(known.Description)).
		Set(openapi.SchemeMark, str(known.Mark)).Set("x-amazon-apigateway-authtype", str("awsSigv4"))
}

// apiKey returns the security scheme for an API key.
func (w *writer) apiKey(auth *request.Auth) (string, *tree.Value) {
	name, in := cmp.Or(w.expand(auth.Key), "X-API-Key"), cmp.Or(auth.In, request.InHeader)
	return cmp.Or(keyName(in, name), "apiKeyAuth"), keyScheme(name, in)
}

// flows returns the flows of an OAuth 2.0 scheme. A flow without its required URLs is dropped.
func (w *writer) flows(auth *request.Auth) *tree.Value {
	out := tree.NewObject()
	lost := auth.In == request.InQuery
	for _, f := range auth.Flows {
		w.budget.Parts(openapi.SmallParts * (1 + len(auth.Scopes)))
		flow, complete := tree.NewObject(), true
		set := func(name, url string, needed bool) {
			if url, ok := w.address(url); ok {
				flow.Set(name, str(url))
			} else if needed {
				complete = false
			}
		}
		switch f.Grant {
		case request.AuthorizationCode:
			set("authorizationUrl", f.AuthorizeURL, true)
			set("tokenUrl", f.TokenURL, true)
		case request.Implicit:
			set("authorizationUrl", f.AuthorizeURL, true)
		default:
			set("tokenUrl", f.TokenURL, true)
		}
		set("refreshUrl", f.RefreshURL, false)
		if lost = lost || !complete || f.ClientID != "" || f.PKCE; !complete {
			continue
		}
		scopes := tree.NewObject()
		for _, scope := range auth.Scopes {
			scopes.Set(scope, str(""))
		}
		out.Set(string(f.Grant), flow.Set("scopes", scopes))
	}
	if lost {
		auth.WarnDetails(w.warnings, nil)
	}
	return out
}

// address returns a URL with its variables replaced; ok is false if a variable is unknown.
func (w *writer) address(text string) (string, bool) {
	url := w.expand(strings.TrimSpace(text))
	if url == "" || strings.ContainsAny(url, "<>{}") {
		return "", false
	}
	return openapi.Encode(url, openapi.InPath+"?#[]"), true
}

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
