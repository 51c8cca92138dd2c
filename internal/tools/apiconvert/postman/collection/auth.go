package collection

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// AuthKind is a kind of authentication that both Postman and the model have.
type AuthKind struct {
	Name string
	Kind request.AuthKind
	// Unknown are the names of variables for an unknown user name and password.
	Unknown [2]string
	// Attributes are those that the model has fields for, in the order in which
	// they are written. All others are settings.
	Attributes []Attribute
}

// Attribute is Postman's name for a field of the model. Field returns nil for an OAuth 2.0 credential without a flow.
type Attribute struct {
	Name  string
	Field func(*request.Auth) *string
}

var authKinds = []AuthKind{
	{Name: "apikey", Kind: request.APIKey, Attributes: []Attribute{
		{"key", func(a *request.Auth) *string { return &a.Key }}, {"value", token},
	}},
	{"awsv4", request.AWSSignature4, [2]string{"accessKey", "secretKey"}, []Attribute{
		{"accessKey", username}, {"secretKey", password}, {"sessionToken", token},
	}},
	{"basic", request.Basic, login, []Attribute{{"username", username}, {"password", password}}},
	{Name: "bearer", Kind: request.Bearer, Attributes: []Attribute{{"token", token}}},
	{"digest", request.Digest, login, []Attribute{{"username", username}, {"password", password}}},
	{"hawk", request.Hawk, [2]string{"hawkId", "hawkKey"}, []Attribute{{"authId", username}, {"authKey", password}}},
	{"ntlm", request.NTLM, login, []Attribute{{"username", username}, {"password", password}}},
	{Name: "oauth1", Kind: request.OAuth1},
	{Name: "oauth2", Kind: request.OAuth2, Attributes: []Attribute{
		{"accessToken", token},
		{"authUrl", ofFlow(func(f *request.Flow) *string { return &f.AuthorizeURL })},
		{"accessTokenUrl", ofFlow(func(f *request.Flow) *string { return &f.TokenURL })},
		{"refreshTokenUrl", ofFlow(func(f *request.Flow) *string { return &f.RefreshURL })},
		{"clientId", ofFlow(func(f *request.Flow) *string { return &f.ClientID })},
		{"clientSecret", ofFlow(func(f *request.Flow) *string { return &f.ClientSecret })},
		{"username", username}, {"password", password},
	}},
}

var login = [2]string{"username", "password"}

func username(a *request.Auth) *string { return &a.Username }
func password(a *request.Auth) *string { return &a.Password }
func token(a *request.Auth) *string    { return &a.Token }

// ofFlow returns a field of the first flow; Postman supports only one.
func ofFlow(field func(*request.Flow) *string) func(*request.Auth) *string {
	return func(a *request.Auth) *string {
		if len(a.Flows) == 0 {
			return nil
		}
		return field(&a.Flows[0])
	}
}

// Field returns the model's field for an attribute, or nil if it is a setting.
func (k *AuthKind) Field(a *request.Auth, name string) *string {
	for _, one := range k.Attributes {
		if one.Name == name {
			return one.Field(a)
		}
	}
	return nil
}

// AuthKindOf returns the first kind for which matches returns true, or nil.
func AuthKindOf(matches func(AuthKind) bool) *AuthKind {
	if i := slices.IndexFunc(authKinds, matches); i >= 0 {
		return &authKinds[i]
	}
	return nil
}

// Grants maps Postman's names of OAuth 2.0 grants to the model's.
var Grants = map[string]request.Grant{
	"authorization_code":   request.AuthorizationCode,
	"implicit":             request.Implicit,
	"password_credentials": request.PasswordGrant,
	"client_credentials":   request.ClientCredentials,
}

// WithPKCE is the suffix of a grant's name for PKCE (RFC 7636).
const WithPKCE = "_with_pkce"
