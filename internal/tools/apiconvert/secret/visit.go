package secret

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// role says what a text of a model is.
type role uint8

const (
	prose      role = iota // people read it
	identifier             // a name
	address                // a URL or a part of one
	credential             // always a secret; the name is a hint for its variable
	header                 // a header's value
	query                  // a query parameter's value, percent-encoded
	cookie                 // a cookie's value
	field                  // a form field's, a path parameter's, a setting's value
	body                   // a body's text
	option                 // an option of curl
	variable               // a variable's value
)

// visitor goes over everything in a model that may hold a secret.
type visitor struct {
	text func(role role, name string, text *string)
	tree func(name string, v *tree.Value, isSchema bool)
}

func visitModel(api *request.API, text func(role, string, *string), values func(string, *tree.Value, bool)) {
	v := visitor{text, values}
	v.text(prose, "", &api.Title)
	v.text(prose, "", &api.Version)
	v.text(prose, "", &api.Description)
	for _, s := range api.Servers {
		v.text(address, "", &s.URL)
		v.text(prose, "", &s.Description)
		v.variables(s.Variables)
	}
	v.variables(api.Variables)
	v.security(api.Security)
	for _, f := range api.Folders {
		v.text(prose, "", &f.Name)
		v.text(prose, "", &f.Description)
		v.security(f.Security)
	}
	for _, r := range api.Requests {
		v.request(r)
	}
}

func (v *visitor) variables(variables []*request.Variable) {
	for _, x := range variables {
		v.text(variable, x.Name, &x.Value)
		v.text(prose, "", &x.Description)
		for i := range x.Enum {
			v.text(variable, x.Name, &x.Enum[i])
		}
	}
}

func (v *visitor) request(r *request.Request) {
	v.text(identifier, "", &r.ID)
	v.text(prose, "", &r.Name)
	v.text(prose, "", &r.Description)
	v.text(address, "", &r.Path)
	v.text(address, "", &r.Fragment)
	v.parameters(field, r.PathParameters)
	v.parameters(query, r.Query)
	v.parameters(header, r.Headers)
	v.parameters(cookie, r.Cookies)
	v.security(r.Security)
	v.bodies(r.Bodies)
	for _, response := range r.Responses {
		v.text(prose, "", &response.Name)
		v.text(prose, "", &response.Reason)
		v.text(prose, "", &response.Description)
		v.parameters(header, response.Headers)
		v.bodies(response.Bodies)
		if response.Original != nil {
			v.request(response.Original)
		}
	}
	for i := range r.Transport {
		v.text(option, r.Transport[i].Name, &r.Transport[i].Value)
	}
}

func (v *visitor) parameters(role role, parameters []*request.Parameter) {
	for _, p := range parameters {
		v.parameter(role, p)
	}
}

func (v *visitor) parameter(role role, p *request.Parameter) {
	v.text(role, p.Name, &p.Value)
	v.text(identifier, "", &p.Name)
	v.text(prose, "", &p.Description)
	v.examples(role, p.Name, p.Examples)
	if p.Schema != nil {
		v.tree(p.Name, p.Schema, true)
	}
}

func (v *visitor) examples(role role, name string, examples []*request.Example) {
	for _, e := range examples {
		v.text(prose, "", &e.Name)
		v.text(prose, "", &e.Description)
		v.text(role, name, &e.Text)
		if e.Value != nil {
			v.tree(name, e.Value, false)
		}
	}
}

func (v *visitor) bodies(bodies []*request.Body) {
	for _, b := range bodies {
		v.text(prose, "", &b.Description)
		v.text(body, b.MediaType, &b.Text)
		for _, f := range b.Fields {
			v.parameter(field, &f.Parameter)
			v.text(identifier, "", &f.FileName)
			v.text(identifier, "", &f.ValueFile)
			for i := range f.Files {
				v.text(identifier, "", &f.Files[i])
			}
		}
		v.text(identifier, "", &b.Path)
		v.text(body, "application/graphql", &b.Query)
		v.text(body, "application/json", &b.GraphQLVariables)
		v.examples(body, "", b.Examples)
		if b.Schema != nil {
			v.tree("", b.Schema, true)
		}
	}
}

func (v *visitor) security(s *request.Security) {
	if s == nil {
		return
	}
	for _, alternative := range s.Alternatives {
		for _, a := range alternative {
			v.auth(a)
		}
	}
}

// secretSettings are the settings of an authentication, in Postman's names,
// that are secrets by their place.
var secretSettings = map[string]bool{
	"token": true, "password": true, "value": true, "secretKey": true, "accessKey": true, "sessionToken": true,
	"clientSecret": true, "accessToken": true, "refreshToken": true, "authKey": true, "consumerSecret": true,
	"tokenSecret": true, "privateKey": true, "client_secret": true, "secret": true, "passphrase": true,
	"clientToken": true, "signature": true, "idToken": true, "code_verifier": true,
}

func (v *visitor) auth(a *request.Auth) {
	v.text(prose, "", &a.Name)
	v.text(prose, "", &a.Description)
	hints := credentialHints[a.Kind]
	if a.Kind == request.APIKey && a.Key != "" {
		hints.token = a.Key
	}
	if a.Kind == request.AWSSignature4 || a.Kind == request.Basic && a.Password == "" && len(a.Username) >= 16 && isStrong(a.Username) {
		v.text(credential, hints.username, &a.Username) // a key instead of a name
	} else {
		v.text(field, "username", &a.Username)
	}
	v.text(credential, hints.password, &a.Password)
	v.text(credential, hints.token, &a.Token)
	v.text(address, "", &a.URL)
	for i := range a.Settings {
		role := field
		if secretSettings[a.Settings[i].Name] {
			role = credential
		}
		v.text(role, a.Settings[i].Name, &a.Settings[i].Value)
	}
	for i := range a.Flows {
		f := &a.Flows[i]
		v.text(credential, "clientSecret", &f.ClientSecret)
		v.text(field, "clientId", &f.ClientID)
		v.text(address, "", &f.AuthorizeURL)
		v.text(address, "", &f.TokenURL)
		v.text(address, "", &f.RefreshURL)
		v.text(address, "", &f.DeviceURL)
		for j := range f.Scopes {
			v.text(prose, "", &f.Scopes[j].Description)
		}
	}
}

// credentialHints are what the variables for a kind's credentials are called.
var credentialHints = map[request.AuthKind]struct{ username, password, token string }{
	request.Basic:         {"apiKey", "password", "token"},
	request.Bearer:        {"", "password", "token"},
	request.APIKey:        {"", "password", "apiKey"},
	request.OAuth2:        {"", "password", "accessToken"},
	request.Digest:        {"", "password", "token"},
	request.AWSSignature4: {"awsAccessKey", "awsSecretKey", "awsSessionToken"},
	request.Hawk:          {"", "hawkKey", "token"},
	request.NTLM:          {"", "password", "token"},
	request.OtherScheme:   {"", "password", "token"},
}

// sweepValues changes every text in a tree, each once.
func sweepValues(v *tree.Value, seen map[*tree.Value]bool, change func(string) string) {
	switch v.Kind() {
	case tree.String:
		if text := change(v.Text()); text != v.Text() {
			v.Become(tree.NewString(text))
		}
	case tree.Array, tree.Object:
		if seen[v] {
			return
		}
		seen[v] = true
		for _, element := range v.Elements() {
			sweepValues(element, seen, change)
		}
		for _, value := range v.Members() {
			sweepValues(value, seen, change)
		}
	}
}
