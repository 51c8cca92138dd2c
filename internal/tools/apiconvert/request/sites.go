package request

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/site"
)

// emitter emits the sites of a model.
type emitter struct{ *site.Walk }

// Sites emits everything in the model that may hold a secret, in the order of
// the source.
func (a *API) Sites(emit func(site.Site)) {
	e := emitter{site.NewWalk(emit)}
	e.text(site.Prose, "", &a.Title)
	e.text(site.Prose, "", &a.Version)
	e.text(site.Prose, "", &a.Description)
	e.text(site.Prose, "", &a.Remarks)
	e.variables(site.Variable, a.Variables)
	for _, s := range a.Servers {
		e.text(site.Path, "", &s.URL)
		e.text(site.Prose, "", &s.Description)
		e.variables(site.LocalVariable, s.Variables)
	}
	for _, v := range a.Resolved { // the values stand in the requests
		emit(site.Site{Role: site.LocalVariable, Name: v.Name}.As(v.Value, func(string) {}))
	}
	e.security(a.Security)
	for _, f := range a.Folders {
		e.text(site.Prose, "", &f.Name)
		e.text(site.Prose, "", &f.Description)
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

func (e emitter) variables(role site.Role, variables []*Variable) {
	for _, v := range variables {
		e.Emit(site.Site{Role: role, Name: v.Name, Marked: v.Secret}.As(v.Value, func(text string) {
			if v.Value = text; text == "" {
				v.Enum, v.Secret = nil, true
			}
		}))
		e.text(site.Prose, "", &v.Description)
		for i := range v.Enum {
			e.text(site.Choice, "", &v.Enum[i])
		}
	}
}

func (e emitter) request(r *Request) {
	e.text(site.Identifier, "", &r.ID)
	e.text(site.Prose, "", &r.Name)
	e.text(site.Prose, "", &r.Description)
	e.text(site.Prose, "", &r.Remarks)
	e.path(r)
	e.text(site.Address, "", &r.Fragment)
	e.parameters(site.Field, r.PathParameters)
	e.parameters(site.Query, r.Query)
	e.parameters(site.Header, r.Headers)
	e.parameters(site.Cookie, r.Cookies)
	e.security(r.Security)
	e.bodies(r.Bodies)
	for _, response := range r.Responses {
		e.text(site.Prose, "", &response.Name)
		e.text(site.Prose, "", &response.Reason)
		e.text(site.Prose, "", &response.Description)
		e.parameters(site.Header, response.Headers)
		e.bodies(response.Bodies)
		if response.Original != nil {
			e.request(response.Original)
		}
	}
	for i := range r.Transport {
		name := r.Transport[i].Name
		if name == "cookie" {
			name = "cookie-jar" // cookies of its own are no Transport: this one names a file
		}
		e.text(site.Option, name, &r.Transport[i].Value)
	}
}

// maxHost is how much of a server's address, from its end, stands in front of
// a path. Many requests share one that may be long.
const maxHost = 256

// path emits a path together with its server: what is a webhook's only the
// whole address shows.
func (e emitter) path(r *Request) {
	if r.Server == nil {
		e.text(site.Path, "", &r.Path)
		return
	}
	host := r.Server.URL[max(0, len(r.Server.URL)-maxHost):]
	whole := true
	e.Emit(site.Site{Role: site.Path}.As(host+r.Path, func(text string) {
		if path, ok := strings.CutPrefix(text, host); ok {
			r.Path = path
		} else {
			whole = false
		}
	}))
	if !whole {
		e.text(site.Path, "", &r.Path)
	}
}

func (e emitter) parameters(role site.Role, parameters []*Parameter) {
	for _, p := range parameters {
		e.parameter(role, p)
	}
}

func (e emitter) parameter(role site.Role, p *Parameter) {
	e.text(role, p.Name, &p.Value)
	e.text(site.Identifier, "", &p.Name)
	e.text(site.Prose, "", &p.Description)
	e.examples(site.Site{Role: role, Name: p.Name}, p.Examples)
	e.Schema(p.Schema, p.Name)
}

func (e emitter) examples(as site.Site, examples []*Example) {
	value := site.Site{Role: site.Field, Name: as.Name}
	for _, x := range examples {
		e.text(site.Prose, "", &x.Name)
		e.text(site.Prose, "", &x.Description)
		if x.Text != "" {
			e.Emit(as.In(&x.Text))
		}
		e.Value(x.Value, value)
	}
}

func (e emitter) bodies(bodies []*Body) {
	for _, b := range bodies {
		e.text(site.Prose, "", &b.Description)
		e.body(b.MediaType, &b.Text)
		e.text(site.Prose, "", &b.Label)
		for _, f := range b.Fields {
			e.parameter(site.Field, &f.Parameter)
			e.text(site.Identifier, "", &f.FileName)
			e.text(site.Identifier, "", &f.ValueFile)
			for i := range f.Files {
				e.text(site.Identifier, "", &f.Files[i])
			}
		}
		e.text(site.Identifier, "", &b.Path)
		e.body("application/graphql", &b.Query)
		e.body(JSONType, &b.GraphQLVariables)
		e.examples(site.Site{Role: site.Body, MediaType: b.MediaType}, b.Examples)
		e.Schema(b.Schema, "")
	}
}

func (e emitter) body(mediaType string, text *string) {
	if *text != "" {
		e.Emit(site.Site{Role: site.Body, MediaType: mediaType}.In(text))
	}
}

func (e emitter) security(s *Security) {
	if s == nil {
		return
	}
	for _, alternative := range s.Alternatives {
		for _, a := range alternative {
			e.auth(a)
		}
	}
}

// IsSecretSetting reports whether a setting of an authentication, in Postman's
// names, is a secret by its place.
func IsSecretSetting(name string) bool { return secretSettings[name] }

var secretSettings = map[string]bool{
	"token": true, "password": true, "value": true, "secretKey": true, "accessKey": true, "sessionToken": true,
	"clientSecret": true, "accessToken": true, "refreshToken": true, "authKey": true, "consumerSecret": true,
	"tokenSecret": true, "privateKey": true, "client_secret": true, "secret": true, "passphrase": true,
	"clientToken": true, "signature": true, "idToken": true, "code_verifier": true,
}

// minKey is the length from which a name without a password is taken for a
// key: some services take one in the name's place.
const minKey = 16

func (e emitter) auth(a *Auth) {
	e.text(site.Prose, "", &a.Name)
	e.text(site.Prose, "", &a.Description)
	hints := credentialHints[a.Kind]
	if a.Kind == APIKey && a.Key != "" {
		hints.token = a.Key
	}
	if a.Kind == AWSSignature4 || a.Kind == Basic && a.Password == "" && len(a.Username) >= minKey && mixed(a.Username) {
		e.text(site.Credential, hints.username, &a.Username)
	} else {
		e.text(site.Field, "username", &a.Username)
	}
	e.text(site.Credential, hints.password, &a.Password)
	e.text(site.Credential, hints.token, &a.Token)
	e.text(site.Address, "", &a.URL)
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
	for _, address := range []*string{&f.AuthorizeURL, &f.TokenURL, &f.RefreshURL, &f.DeviceURL} {
		e.text(site.Address, "", address)
	}
	for i := range f.Scopes {
		e.text(site.Prose, "", &f.Scopes[i].Description)
	}
}

// mixed reports whether a text holds letters and digits.
func mixed(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.ContainsFunc(text, func(c rune) bool {
		return c|0x20 >= 'a' && c|0x20 <= 'z'
	})
}

// credentialHints are what the variables for a kind's credentials are called.
var credentialHints = map[AuthKind]struct{ username, password, token string }{
	Basic:         {"apiKey", "password", "token"},
	Bearer:        {"", "password", "token"},
	APIKey:        {"", "password", "apiKey"},
	OAuth2:        {"", "password", "accessToken"},
	Digest:        {"", "password", "token"},
	AWSSignature4: {"awsAccessKey", "awsSecretKey", "awsSessionToken"},
	Hawk:          {"", "hawkKey", "token"},
	NTLM:          {"", "password", "token"},
	OtherScheme:   {"", "password", "token"},
}
