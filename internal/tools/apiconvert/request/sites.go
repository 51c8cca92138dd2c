package request

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// emitter emits the sites of a model.
type emitter struct {
	*site.Walk
	within *warning.Place // what is visited
}

// Sites emits everything in the model that may hold a secret, in source order.
func (a *API) Sites(emit func(site.Site)) {
	e := emitter{within: new(warning.Place)}
	e.Walk = site.NewWalk(func(s site.Site) {
		if s.Within == nil {
			s.Within = *e.within
		}
		emit(s)
	})
	e.texts(site.Prose, &a.Title, &a.Version, &a.Description)
	e.variables(site.Variable, a.Variables)
	for _, s := range a.Servers {
		e.texts(site.Path, &s.URL)
		e.texts(site.Prose, &s.Description)
		e.variables(site.LocalVariable, s.Variables)
	}
	for _, v := range a.Resolved { // the requests already contain the values
		emit(site.Site{Role: site.AssignedVariable, Name: v.Name}.As(v.Value, func(string) {}))
	}
	e.security(a.Security)
	for _, f := range a.Folders {
		*e.within = f.Place
		e.texts(site.Prose, &f.Name, &f.Description)
		e.security(f.Security)
	}
	for _, r := range a.Requests {
		e.request(r)
	}
}

func (e emitter) text(role site.Role, name string, text *string) {
	if *text != "" {
		e.Emit(site.Site{Role: role, Name: name}.In(text))
	}
}

// texts emits strings that have no name.
func (e emitter) texts(role site.Role, texts ...*string) {
	for _, text := range texts {
		e.text(role, "", text)
	}
}

func (e emitter) variables(role site.Role, variables []*Variable) {
	for _, v := range variables {
		e.Emit(site.Site{Role: role, Name: v.Name, Marked: v.Secret, Within: v.Place}.As(v.Value, func(text string) {
			if v.Value = text; text == "" {
				v.Enum, v.Secret = nil, true
			}
		}))
		e.texts(site.Prose, &v.Description)
		if v.Shell { // each value of a loop may be a secret, whatever the others are
			for _, value := range v.Enum {
				e.Emit(site.Site{Role: site.AssignedVariable, Name: v.Name}.As(value, func(string) { v.Enum = nil }))
			}
			continue
		}
		for i := range v.Enum {
			e.Emit(site.Site{Role: site.Choice, Name: v.Name}.In(&v.Enum[i]))
		}
	}
}

func (e emitter) request(r *Request) {
	*e.within = r.Place
	e.texts(site.Identifier, &r.ID)
	e.texts(site.Prose, &r.Name, &r.Description)
	e.path(r)
	e.texts(site.Address, &r.Fragment)
	e.parameters(site.Field, r.PathParameters)
	for _, p := range r.Query {
		name := p.Name
		if r.Server != nil {
			name = site.QueryName(r.Server.URL+"/", name)
		}
		e.parameter(site.Query, name, p)
	}
	e.parameters(site.Header, r.Headers)
	e.parameters(site.Cookie, r.Cookies)
	e.security(r.Security)
	e.bodies(r.Bodies)
	for _, response := range r.Responses {
		e.texts(site.Prose, &response.Name, &response.Reason, &response.Description)
		e.parameters(site.Header, response.Headers)
		e.bodies(response.Bodies)
		if response.Original != nil {
			e.request(response.Original)
		}
	}
	for i := range r.Captures {
		e.texts(site.Identifier, &r.Captures[i].Path)
	}
	for i := range r.Transport {
		e.text(site.Option, r.Transport[i].Name, &r.Transport[i].Value)
	}
}

// maxHost is how much of the end of a server's URL is emitted before a path. Many requests share one URL, which
// may be long.
const maxHost = 256

// path emits a path together with its server: only the whole URL shows that it is a webhook.
func (e emitter) path(r *Request) {
	if r.Server == nil {
		e.texts(site.Path, &r.Path)
		return
	}
	host := r.Server.URL[max(0, len(r.Server.URL)-maxHost):]
	together := true
	e.Emit(site.Site{Role: site.Path}.As(host+r.Path, func(text string) {
		if path, ok := strings.CutPrefix(text, host); ok {
			r.Path = path
		} else {
			together = false
		}
	}))
	if !together {
		e.texts(site.Path, &r.Path)
	}
}

func (e emitter) parameters(role site.Role, parameters []*Parameter) {
	for _, p := range parameters {
		e.parameter(role, p.Name, p)
	}
}

func (e emitter) parameter(role site.Role, name string, p *Parameter) {
	e.text(role, name, &p.Value)
	e.texts(site.Identifier, &p.Name)
	e.texts(site.Prose, &p.Description)
	e.examples(site.Site{Role: role, Name: name}, p.Examples)
	if role == site.Query {
		role = site.Field
	}
	e.Object(p.Schema, shape.Schema, site.Site{Role: role, Name: name})
}

func (e emitter) examples(as site.Site, examples []*Example) {
	value := site.Site{Role: site.Field, Name: as.Name}
	for _, x := range examples {
		e.texts(site.Prose, &x.Name)
		if x.Text != "" {
			e.Emit(as.In(&x.Text))
		}
		e.Value(x.Value, value)
	}
}

func (e emitter) bodies(bodies []*Body) {
	for _, b := range bodies {
		e.body(b.MediaType, &b.Text)
		e.texts(site.Prose, &b.Label)
		for _, f := range b.Fields {
			e.parameter(site.Field, f.Name, &f.Parameter)
			e.texts(site.Identifier, &f.FileName, &f.ValueFile)
			for i := range f.Files {
				e.texts(site.Identifier, &f.Files[i])
			}
		}
		e.texts(site.Identifier, &b.Path)
		e.body(GraphQLType, &b.Query)
		e.body(JSONType, &b.GraphQLVariables)
		e.examples(site.Site{Role: site.Body, MediaType: b.MediaType}, b.Examples)
		e.Object(b.Schema, shape.Schema, site.Site{Role: site.Field})
	}
}

func (e emitter) body(mediaType string, text *string) {
	if *text != "" {
		e.Emit(site.Site{Role: site.Body, MediaType: mediaType}.In(text))
	}
}

func (e emitter) security(s *Security) {
	for _, a := range s.all() {
		e.auth(a)
	}
}

// IsSecretSetting reports whether an authentication setting, by Postman's name, always holds a secret.
func IsSecretSetting(name string) bool { return secretSettings[name] }

var secretSettings = words.Set(`token password value secretKey accessKey sessionToken clientSecret accessToken refreshToken
	authKey consumerSecret tokenSecret privateKey client_secret secret passphrase clientToken signature idToken code_verifier`)

func (e emitter) auth(a *Auth) {
	e.texts(site.Prose, &a.Name, &a.Description)
	hints := credentialHints[a.Kind]
	if a.Kind == AWSSignature4 || a.Kind == Basic && IsKey(a.Username, a.Password) {
		e.text(site.Credential, hints.username, &a.Username)
	} else {
		e.text(site.Field, "username", &a.Username)
	}
	e.text(site.Credential, cmp.Or(hints.password, "password"), &a.Password)
	if a.Kind == APIKey {
		hints.token = cmp.Or(a.Key, "apiKey")
	}
	e.text(site.Credential, cmp.Or(hints.token, "token"), &a.Token)
	e.texts(site.Address, &a.URL)
	for i := range a.Settings {
		role := site.Field
		if secretSettings[a.Settings[i].Name] {
			role = site.Credential
		}
		e.text(role, a.Settings[i].Name, &a.Settings[i].Value)
	}
	for i := range a.Flows {
		e.flow(&a.Flows[i])
	}
}

func (e emitter) flow(f *Flow) {
	e.text(site.Credential, "clientSecret", &f.ClientSecret)
	e.text(site.Field, "clientId", &f.ClientID)
	e.texts(site.Address, &f.AuthorizeURL, &f.TokenURL, &f.RefreshURL)
}

// minKey is the length in bytes from which a user name may be a key.
const minKey = 16

// IsKey reports whether a user name is a key, as some services take it: it looks like one, and there is no password.
func IsKey(name, password string) bool {
	return NoPassword(password) && len(name) >= minKey && words.IsMixed(name)
}

// NoPassword reports whether a password only says that there is none.
func NoPassword(password string) bool {
	return password == "" || strings.EqualFold(password, "x") || password == "x-oauth-basic"
}

// credentialHints are the names of variables for a kind's credentials where they are not password and token.
var credentialHints = map[AuthKind]struct{ username, password, token string }{
	Basic:         {username: "apiKey"},
	OAuth2:        {token: "accessToken"},
	AWSSignature4: {"awsAccessKey", "awsSecretKey", "awsSessionToken"},
	Hawk:          {password: "hawkKey"},
	OtherScheme:   {token: site.Authorization},
}
