package reader

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// security reads a list of security requirements. It returns nil if there is none or nothing in it can be read.
func (r *reader) security(list part) *request.Security {
	if list.Value == nil {
		return nil
	}
	s := &request.Security{Place: list.at}
	for _, requirement := range list.all {
		r.budget.Parts(openapi.SmallParts)
		alternative, complete := []*request.Auth{}, true
		for name, scopes := range requirement.Members() {
			auth := r.credential(name, requirement.at)
			if auth.Auth == nil {
				complete = false
				continue
			}
			used := *auth.Auth
			r.budget.Parts(openapi.BodyParts + openapi.SmallParts*scopes.Len())
			r.budget.Bytes(auth.size)
			for _, scope := range scopes.Elements() {
				used.Scopes = append(used.Scopes, scope.Text())
			}
			if scopes.Len() > 0 && used.Kind != request.OAuth2 && used.Kind != request.OpenIDConnect {
				r.warnings.Add(warning.LostAuthDetails, requirement.field(name).at) // roles
			}
			alternative = append(alternative, &used)
		}
		// An empty alternative would mean that no credentials are needed.
		if complete || len(alternative) > 0 {
			s.Alternatives = append(s.Alternatives, alternative)
		}
	}
	if len(s.Alternatives) == 0 && list.Len() > 0 {
		return nil // nothing could be read: leave the security undefined
	}
	return s
}

// credential is a security scheme that was read, and the approximate size of its strings, which all of its uses share.
type credential struct {
	*request.Auth
	size int
}

// credential returns the security scheme with the name, with variables for the values that only the user knows. It
// returns no Auth if the scheme is missing or invalid.
func (r *reader) credential(name string, at warning.Place) credential {
	if known, ok := r.credentials[name]; ok {
		return known
	}
	p := r.schemes.field(name)
	if p.Value == nil {
		r.warnings.AddNamed(warning.LostBrokenReference, at, name)
		return credential{}
	}
	p = r.follow(p)
	c := credential{r.scheme(name, p), p.Size(math.MaxInt, r.budget).Line}
	r.credentials[name] = c
	return c
}

func (r *reader) scheme(name string, p part) *request.Auth {
	if p.Value == nil {
		return nil
	}
	auth := &request.Auth{Name: name, Description: p.text("description"), Place: p.at}
	kind, mark := strings.ToLower(p.text("type")), p.text(openapi.SchemeMark)
	switch {
	case kind == "oauth2", kind == "http" && mark == openapi.OAuth2Mark:
		auth.Kind, auth.In, auth.Token = request.OAuth2, request.InHeader, r.secret("accessToken")
		auth.Place = p.field("flows").at
		auth.Flows = flows(p)
	case kind == "http":
		if !p.Has("scheme") {
			r.warnings.Add(warning.LostMalformed, p.at)
		}
		r.setScheme(auth, cmp.Or(p.text("scheme"), "bearer"))
	case kind == "apikey":
		auth.Kind, auth.Key, auth.In = request.APIKey, p.text("name"), request.Location(p.text("in"))
		locations := []request.Location{request.InHeader, request.InQuery, request.InCookie}
		if auth.Key == "" || !slices.Contains(locations, auth.In) {
			r.warnings.Add(warning.LostMalformed, p.at)
			return nil
		}
		if p.text("x-amazon-apigateway-authtype") == "awsSigv4" {
			mark = "awsSigV4"
		}
		if strings.EqualFold(mark, "bearer") || mark != "" && strings.EqualFold(auth.Key, "Authorization") {
			auth.Key, auth.In = "", ""
			r.setScheme(auth, mark)
		} else {
			auth.Token = r.secret(r.keyName(auth))
		}
	case kind == "openidconnect":
		auth.Kind, auth.URL, auth.Token = request.OpenIDConnect, p.text("openIdConnectUrl"), r.secret("accessToken")
	case kind == "mutualtls":
		auth.Kind = request.MutualTLS
	default:
		r.warnings.Add(warning.LostMalformed, p.at)
		return nil
	}
	return auth
}

// setScheme sets the kind of a credential that the Authorization header sends with the name of a scheme or a mark.
func (r *reader) setScheme(auth *request.Auth, name string) {
	known := func(k openapi.KnownScheme) bool { return k.Mark == name || k.Scheme == strings.ToLower(name) }
	switch i := slices.IndexFunc(openapi.KnownSchemes, known); {
	case i < 0 && strings.EqualFold(name, "bearer"):
		auth.Kind, auth.Token = request.Bearer, r.secret("bearerToken")
	case i < 0:
		auth.Kind, auth.Key, auth.Token = request.OtherScheme, name, r.secret("authorization")
	default:
		if auth.Kind = openapi.KnownSchemes[i].Kind; auth.Kind != request.OAuth1 {
			auth.Username, auth.Password = r.variable("username", false), r.secret("password")
		}
	}
}

// keyName returns the name of the variable for an API key: that of its scheme if the document has several keys.
func (r *reader) keyName(auth *request.Auth) string {
	if r.keys == 0 {
		for _, scheme := range r.schemes.Members() {
			if strings.EqualFold(scheme.Get("type").Text(), "apiKey") {
				r.keys++
			}
		}
	}
	if r.keys > 1 && request.VariableName(auth.Name) {
		return auth.Name
	}
	return "apiKey"
}

// secret returns a new variable for a secret value.
func (r *reader) secret(name string) string { return r.variable(name, true) }

// variable returns {{name}} for a new variable. The second with a name gets name2.
func (r *reader) variable(name string, secret bool) string {
	if r.taken == nil {
		r.taken = words.Unique{}
		for _, s := range r.api.Servers {
			for _, v := range s.Variables {
				r.taken.Take(v.Name)
			}
		}
	}
	name = r.taken.Name(name)
	r.api.Variables = append(r.api.Variables, &request.Variable{Name: name, Secret: secret, Invented: true})
	return "{{" + name + "}}"
}

// flows reads the flows of an oauth2 scheme. The model can't represent oauth2MetadataUrl (OpenAPI 3.2).
func flows(scheme part) []request.Flow {
	var list []request.Flow
	for name, flow := range scheme.field("flows").all {
		if shape.IsExtension(name) {
			continue
		}
		list = append(list, request.Flow{
			Grant:        request.Grant(name),
			AuthorizeURL: flow.text("authorizationUrl"),
			TokenURL:     flow.text("tokenUrl"),
			RefreshURL:   flow.text("refreshUrl"),
		})
	}
	return list
}
