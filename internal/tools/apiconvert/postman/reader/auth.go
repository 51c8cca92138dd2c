package reader

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// security reads an authentication; it returns nil if it is inherited.
func (r *reader) security(v *tree.Value) *request.Security {
	kind := v.Get("type").Text()
	if kind == "" {
		return nil
	}
	if kind == "noauth" {
		return &request.Security{}
	}
	known := collection.AuthKindOf(func(k collection.AuthKind) bool { return k.Name == kind })
	if known == nil {
		r.warnings.AddNamed(warning.LostAuthentication, v, kind)
		return &request.Security{}
	}
	a := &request.Auth{Kind: known.Kind, Place: v.Near(kind)}
	var values []request.Option
	for _, one := range v.Get(kind).Elements() {
		if name, value := one.Get("key").Text(), collection.ValueText(one.Get("value")); name != "" && value != "" {
			values = append(values, request.Option{Name: name, Value: value})
		}
	}
	switch a.Kind {
	case request.OAuth2:
		values = readOAuth2(a, values)
	case request.APIKey:
		a.In = request.InHeader
	}
	for _, value := range values {
		switch field := known.Field(a, value.Name); {
		case field != nil:
			*field = value.Value
		case value.Name == "in" && a.Kind == request.APIKey:
			if value.Value == "query" {
				a.In = request.InQuery
			}
		case value.Name == "showPassword", value.Name == "saveHelperData": // state of Postman's window
		default:
			a.Settings = append(a.Settings, value)
		}
	}
	return request.Require(a)
}

// readOAuth2 reads the attributes of OAuth 2.0 that depend on each other and returns the others.
func readOAuth2(a *request.Auth, values []request.Option) []request.Option {
	known := map[string]string{}
	for _, v := range values {
		known[v.Name] = v.Value
	}
	a.In = request.InHeader
	if known["addTokenTo"] == "queryParams" {
		a.In = request.InQuery
	}
	a.Scopes = strings.Fields(known["scope"])
	grant, pkce := strings.CutSuffix(known["grant_type"], collection.WithPKCE)
	flow := request.Flow{Grant: collection.Grants[grant], PKCE: pkce}
	authorize, tokens := known["authUrl"] != "", known["accessTokenUrl"] != ""
	switch {
	case flow.Grant != "":
	case authorize && tokens:
		flow.Grant = request.AuthorizationCode
	case authorize:
		flow.Grant = request.Implicit
	case tokens:
		flow.Grant = request.ClientCredentials
	}
	if flow.Grant != "" {
		a.Flows = []request.Flow{flow}
	}
	return slices.DeleteFunc(values, func(v request.Option) bool {
		return v.Name == "grant_type" || v.Name == "scope" || v.Name == "addTokenTo" ||
			v.Name == "headerPrefix" && strings.TrimSpace(v.Value) == "Bearer"
	})
}

// replaced reports whether the authentication of a request writes a header. Postman replaces the request's own.
func (r *reader) replaced(read *request.Request, name string) bool {
	return slices.ContainsFunc(r.api.Effective(read).First(), func(a *request.Auth) bool {
		if a.Kind == request.APIKey {
			return a.In == request.InHeader && strings.EqualFold(a.Key, name)
		}
		return strings.EqualFold(name, "Authorization") && writesAuthorization(a)
	})
}

// authorization uses an Authorization header as the request's authentication and reports whether it has handled
// the header. Postman sends it in addition to an authentication that doesn't write it.
func (r *reader) authorization(read *request.Request, value string) bool {
	sent := r.api.Effective(read).First()
	a := request.ParseAuthorization(value)
	if a == nil {
		return false
	}
	if len(sent) > 0 { // shared by all requests, in addition to their own
		r.budget.Parts(len(sent[0].Settings) + len(sent[0].Scopes))
	}
	switch {
	case len(sent) == 1 && sent[0].Kind == request.OAuth2 && a.Kind == request.Bearer:
		// The header has the token that the authentication lacks.
		known := *sent[0]
		known.Token = a.Token
		read.Security = request.Require(&known)
	case len(sent) == 1 && sent[0].Kind == request.APIKey:
		read.Security = request.Require(sent[0], a)
	default:
		read.Security = request.Require(a)
	}
	return true
}

// writesAuthorization reports whether an authentication other than an API key, as Postman sends it, writes the header
// Authorization.
func writesAuthorization(a *request.Auth) bool {
	switch a.Kind {
	case request.OAuth2:
		return a.In == request.InHeader && a.Token != ""
	case request.Bearer:
		return a.Token != ""
	case request.OAuth1:
		return true
	}
	return a.Username != "" || a.Password != ""
}
