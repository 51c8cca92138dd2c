package reader

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// security reads a list of security requirements. It returns nil if v is nil or nothing in it can be read.
func (r *reader) security(v *tree.Value, at *warning.Place) *request.Security {
	if v == nil {
		return nil
	}
	s := &request.Security{Place: at}
	for i, requirement := range v.Elements() {
		r.budget.Parts(openapi.SmallParts)
		alternative, complete := []*request.Auth{}, true
		for name, scopes := range requirement.Members() {
			auth := r.credential(name, at.Index(i))
			if auth == nil {
				complete = false
				continue
			}
			used := *auth
			r.budget.Parts(openapi.BodyParts + openapi.SmallParts*scopes.Len())
			r.budget.Bytes(authText(auth))
			for _, scope := range scopes.Elements() {
				used.Scopes = append(used.Scopes, scope.Text())
			}
			alternative = append(alternative, &used)
		}
		// An empty alternative would mean that no credentials are needed.
		if complete || len(alternative) > 0 {
			s.Alternatives = append(s.Alternatives, alternative)
		}
	}
	if len(s.Alternatives) == 0 && v.Len() > 0 {
		return nil // nothing could be read: leave the security undefined
	}
	return s
}

// authText returns the size of a credential's strings, which all of its uses share.
func authText(a *request.Auth) int {
	size := len(a.Name) + len(a.Description) + len(a.Key) + len(a.URL)
	for i := range a.Flows {
		f := &a.Flows[i]
		size += len(f.AuthorizeURL) + len(f.TokenURL) + len(f.RefreshURL) + len(f.DeviceURL)
		for _, scope := range f.Scopes {
			size += 16 + len(scope.Name) + len(scope.Description)
		}
	}
	return size
}

// credential returns the security scheme with the name, with variables for the values that only the user knows. It
// returns nil if the scheme is missing or invalid.
func (r *reader) credential(name string, at *warning.Place) *request.Auth {
	if auth, known := r.credentials[name]; known {
		return auth
	}
	scheme := r.root.Get("components").Get("securitySchemes").Get(name)
	if scheme == nil {
		r.warnings.AddNamed(warning.BrokenReference, at, name)
		return nil
	}
	place := (*warning.Place)(nil).Field("components").Field("securitySchemes")
	place = place.Index(r.root.Get("components").Get("securitySchemes").Position(name))
	auth := r.scheme(name, r.resolve(scheme, place), place)
	r.credentials[name] = auth
	return auth
}

func (r *reader) scheme(name string, v *tree.Value, at *warning.Place) *request.Auth {
	if v == nil {
		return nil
	}
	if !v.Has(openapi.SchemeMark) {
		r.extensions(v, at)
		r.schemeTexts(v, at)
	}
	auth := &request.Auth{Name: name, Description: v.Get("description").Text()}
	switch strings.ToLower(v.Get("type").Text()) {
	case "http":
		r.httpScheme(auth, v)
	case "apikey":
		auth.Kind, auth.Key, auth.In = request.APIKey, v.Get("name").Text(), request.Location(v.Get("in").Text())
		if auth.Key == "" || auth.In != request.InHeader && auth.In != request.InQuery && auth.In != request.InCookie {
			r.warnings.Add(warning.Malformed, at)
			return nil
		}
		r.keyScheme(auth, v)
	case "oauth2":
		auth.Kind, auth.In, auth.Token = request.OAuth2, request.InHeader, r.secret("accessToken")
		auth.Flows = flows(v)
	case "openidconnect":
		auth.Kind, auth.URL, auth.Token = request.OpenIDConnect, v.Get("openIdConnectUrl").Text(), r.secret("accessToken")
	case "mutualtls":
		auth.Kind = request.MutualTLS
	default:
		r.warnings.Add(warning.Malformed, at)
		return nil
	}
	return auth
}

// schemeTexts warns about documentation in a security scheme, which the model can't represent.
func (r *reader) schemeTexts(v *tree.Value, at *warning.Place) {
	for _, name := range []string{"description", "bearerFormat", "oauth2MetadataUrl"} {
		if v.Has(name) {
			r.warnings.AddNamed(warning.AuthDetails, at, name)
		}
	}
	if v.Get("deprecated").Bool() {
		r.warnings.AddMember(warning.Deprecated, at.Field("deprecated"))
	}
	r.extensions(v.Get("flows"), at.Field("flows"))
	for _, flow := range each(v.Get("flows"), at.Field("flows")) {
		r.extensions(flow.v, flow.at)
	}
}

func (r *reader) httpScheme(auth *request.Auth, v *tree.Value) {
	scheme := strings.ToLower(v.Get("scheme").Text())
	known := func(k openapi.KnownScheme) bool { return k.Scheme == scheme }
	switch i := slices.IndexFunc(openapi.KnownSchemes, known); {
	case scheme != "" && i >= 0:
		r.known(auth, openapi.KnownSchemes[i])
	case scheme != "" && scheme != "bearer":
		auth.Kind, auth.Key, auth.Token = request.OtherScheme, v.Get("scheme").Text(), r.secret("authorization")
	case v.Get(openapi.SchemeMark).Text() == openapi.OAuth2Mark:
		auth.Kind, auth.In, auth.Token = request.OAuth2, request.InHeader, r.secret("accessToken")
	default:
		auth.Kind, auth.BearerFormat, auth.Token = request.Bearer, v.Get("bearerFormat").Text(), r.secret("bearerToken")
	}
}

// known sets the kind of a credential. It removes a description that the writer generated.
func (r *reader) known(auth *request.Auth, k openapi.KnownScheme) {
	if auth.Kind = k.Kind; auth.Description == k.Description {
		auth.Description = ""
	}
	if k.Kind != request.OAuth1 {
		auth.Username, auth.Password = r.variable("username", false), r.secret("password")
	}
}

// keyScheme reads an API key, or a scheme that is written as one because OpenAPI has no type for it.
func (r *reader) keyScheme(auth *request.Auth, v *tree.Value) {
	mark := v.Get(openapi.SchemeMark).Text()
	if v.Get("x-amazon-apigateway-authtype").Text() == "awsSigv4" {
		mark = "awsSigV4"
	}
	if mark == "" && strings.EqualFold(auth.Key, "Authorization") && auth.In == request.InHeader {
		mark = describedScheme(auth.Description)
	}
	if strings.EqualFold(mark, "bearer") {
		auth.Kind, auth.Key, auth.In, auth.Token = request.Bearer, "", "", r.secret("bearerToken")
		return
	}
	if mark == "" || !strings.EqualFold(auth.Key, "Authorization") {
		auth.Token = r.secret(r.keyName(auth))
		return
	}
	auth.In, auth.Description = "", ""
	if i := slices.IndexFunc(openapi.KnownSchemes, func(k openapi.KnownScheme) bool { return k.Mark == mark }); i >= 0 {
		auth.Key = ""
		r.known(auth, openapi.KnownSchemes[i])
		return
	}
	auth.Kind, auth.Key, auth.Token = request.OtherScheme, mark, r.secret("authorization")
}

// keyName returns the name of the variable for an API key: that of its scheme if the document has several keys.
func (r *reader) keyName(auth *request.Auth) string {
	if r.severalKeys && request.VariableName(auth.Name) {
		return auth.Name
	}
	return "apiKey"
}

// hasSeveralKeys reports whether a document has at least two API keys.
func (r *reader) hasSeveralKeys() bool {
	keys := 0
	for _, scheme := range r.root.Get("components").Get("securitySchemes").Members() {
		r.budget.Parts(1)
		if strings.EqualFold(scheme.Get("type").Text(), "apiKey") {
			keys++
		}
	}
	return keys > 1
}

var (
	bearerWord  = expression.Lazy(`(?i)\bbearer\b`)
	namedPrefix = expression.Lazy(`(?i)\bprefix ["'` + "`" + `]([A-Za-z]+)["'` + "`" + `]`)
)

// describedScheme returns the scheme of an Authorization header that the description of an API key names, because
// Swagger 2.0 has no type for bearer tokens and Django REST framework uses a scheme of its own.
func describedScheme(description string) string {
	if bearerWord().MatchString(description) {
		return "Bearer"
	}
	if match := namedPrefix().FindStringSubmatch(description); match != nil {
		return match[1]
	}
	return ""
}

// secret returns a new variable for a secret value.
func (r *reader) secret(name string) string { return r.variable(name, true) }

// variable returns {{name}} for a new variable. The second with a name gets name2.
func (r *reader) variable(name string, secret bool) string {
	if r.taken == nil {
		r.taken = openapi.Unique{}
		for _, s := range r.api.Servers {
			for _, v := range s.Variables {
				r.taken[v.Name] = 1
			}
		}
	}
	name = r.taken.Name(name)
	r.api.Variables = append(r.api.Variables, &request.Variable{Name: name, Secret: secret, Invented: true})
	return "{{" + name + "}}"
}

// flows reads the flows of an oauth2 scheme. The model can't represent oauth2MetadataUrl (OpenAPI 3.2).
func flows(v *tree.Value) []request.Flow {
	var list []request.Flow
	for name, flow := range v.Get("flows").Members() {
		grant := request.Grant(name)
		switch grant {
		case request.AuthorizationCode, request.Implicit, request.PasswordGrant, request.ClientCredentials, request.DeviceAuthorization:
		default:
			continue
		}
		f := request.Flow{
			Grant:        grant,
			AuthorizeURL: flow.Get("authorizationUrl").Text(),
			TokenURL:     flow.Get("tokenUrl").Text(),
			RefreshURL:   flow.Get("refreshUrl").Text(),
			DeviceURL:    flow.Get("deviceAuthorizationUrl").Text(),
		}
		for scope, description := range flow.Get("scopes").Members() {
			f.Scopes = append(f.Scopes, request.Scope{Name: scope, Description: description.Text()})
		}
		list = append(list, f)
	}
	return list
}
