package postman

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// authKinds are Postman's names of the kinds of authentication that both it
// and the model have.
var authKinds = map[string]request.AuthKind{
	"apikey": request.APIKey,
	"awsv4":  request.AWSSignature4,
	"basic":  request.Basic,
	"bearer": request.Bearer,
	"digest": request.Digest,
	"hawk":   request.Hawk,
	"ntlm":   request.NTLM,
	"oauth1": request.OAuth1,
	"oauth2": request.OAuth2,
}

// authNames is authKinds the other way.
var authNames = func() map[request.AuthKind]string {
	names := map[request.AuthKind]string{}
	for name, kind := range authKinds {
		names[kind] = name
	}
	return names
}()

// attribute returns where the model keeps an attribute of an authentication,
// nil when it is one of its settings. The flow of OAuth 2.0 is the first one.
func attribute(a *request.Auth, name string) *string {
	switch a.Kind {
	case request.Basic, request.Digest, request.NTLM:
		switch name {
		case "username":
			return &a.Username
		case "password":
			return &a.Password
		}
	case request.Bearer:
		if name == "token" {
			return &a.Token
		}
	case request.APIKey:
		switch name {
		case "key":
			return &a.Key
		case "value":
			return &a.Token
		}
	case request.AWSSignature4:
		switch name {
		case "accessKey":
			return &a.Username
		case "secretKey":
			return &a.Password
		case "sessionToken":
			return &a.Token
		}
	case request.Hawk:
		switch name {
		case "authId":
			return &a.Username
		case "authKey":
			return &a.Password
		}
	case request.OAuth2:
		return oauth2Attribute(a, name)
	}
	return nil
}

func oauth2Attribute(a *request.Auth, name string) *string {
	switch name {
	case "accessToken":
		return &a.Token
	case "username":
		return &a.Username
	case "password":
		return &a.Password
	}
	if len(a.Flows) == 0 {
		return nil
	}
	flow := &a.Flows[0]
	switch name {
	case "authUrl":
		return &flow.AuthorizeURL
	case "accessTokenUrl":
		return &flow.TokenURL
	case "refreshTokenUrl":
		return &flow.RefreshURL
	case "clientId":
		return &flow.ClientID
	case "clientSecret":
		return &flow.ClientSecret
	}
	return nil
}

// attributeOrder is the order in which attributes are written.
var attributeOrder = map[request.AuthKind][]string{
	request.APIKey:        {"key", "value"},
	request.AWSSignature4: {"accessKey", "secretKey", "sessionToken"},
	request.Basic:         {"username", "password"},
	request.Bearer:        {"token"},
	request.Digest:        {"username", "password"},
	request.Hawk:          {"authId", "authKey"},
	request.NTLM:          {"username", "password"},
	request.OAuth2: {"accessToken", "authUrl", "accessTokenUrl", "refreshTokenUrl", "clientId", "clientSecret",
		"username", "password"},
}

// grants are Postman's names of the OAuth 2.0 grants.
var grants = map[string]request.Grant{
	"authorization_code":           request.AuthorizationCode,
	"authorization_code_with_pkce": request.AuthorizationCode,
	"implicit":                     request.Implicit,
	"password_credentials":         request.PasswordGrant,
	"client_credentials":           request.ClientCredentials,
}

// needs returns the security that asks for one credential.
func needs(a *request.Auth) *request.Security {
	return &request.Security{Alternatives: [][]*request.Auth{{a}}}
}

// security reads an authentication; nil is inherited.
func (r *reader) security(v *tree.Value, at *warning.Place) *request.Security {
	kind := v.Get("type").Text()
	if kind == "" {
		return nil
	}
	if kind == "noauth" {
		return &request.Security{}
	}
	known, ok := authKinds[kind]
	if !ok {
		r.warnings.AddNamed(warning.Authentication, at, v.Get("type").Text())
		return &request.Security{}
	}
	a := &request.Auth{Kind: known}
	var values []request.Option
	for _, one := range v.Get(kind).Elements() {
		if name, value := one.Get("key").Text(), valueText(one.Get("value")); name != "" && value != "" {
			values = append(values, request.Option{Name: name, Value: value})
		}
	}
	switch known {
	case request.OAuth2:
		values = readOAuth2(a, values)
	case request.APIKey:
		a.In = request.InHeader
	case request.Bearer:
		if v.Get("jwt") != nil {
			a.BearerFormat = "JWT"
		}
	}
	for _, value := range values {
		if field := attribute(a, value.Name); field != nil {
			*field = value.Value
			continue
		}
		switch value.Name {
		case "in":
			if known == request.APIKey {
				if value.Value == "query" {
					a.In = request.InQuery
				}
				continue
			}
		case "showPassword", "saveHelperData": // of Postman's window only
			continue
		}
		a.Settings = append(a.Settings, value)
	}
	return needs(a)
}

// readOAuth2 reads the attributes of OAuth 2.0 that are more than a text, and
// returns the others.
func readOAuth2(a *request.Auth, values []request.Option) []request.Option {
	a.In = request.InHeader
	var grant, scope, authorize, token string
	rest := values[:0:0]
	for _, value := range values {
		switch value.Name {
		case "grant_type":
			grant = value.Value
		case "scope":
			scope = value.Value
		case "addTokenTo":
			if value.Value == "queryParams" {
				a.In = request.InQuery
			}
		case "headerPrefix":
			if prefix := strings.TrimSpace(value.Value); prefix != "Bearer" {
				rest = append(rest, value)
			}
		default:
			if value.Name == "authUrl" {
				authorize = value.Value
			} else if value.Name == "accessTokenUrl" {
				token = value.Value
			}
			rest = append(rest, value)
		}
	}
	a.Scopes = strings.Fields(scope)
	flow := request.Flow{Grant: grants[grant], PKCE: grant == "authorization_code_with_pkce"}
	if flow.Grant == "" {
		switch {
		case authorize != "" && token != "":
			flow.Grant = request.AuthorizationCode
		case authorize != "":
			flow.Grant = request.Implicit
		case token != "":
			flow.Grant = request.ClientCredentials
		default:
			return rest
		}
	}
	for _, name := range a.Scopes {
		flow.Scopes = append(flow.Scopes, request.Scope{Name: name})
	}
	a.Flows = []request.Flow{flow}
	return rest
}

// authorization makes an Authorization header the request's authentication
// and reports whether the header is dealt with. Postman replaces the header
// when another authentication writes it; beside one that does not, both are
// sent.
func (r *reader) authorization(read *request.Request, value string) bool {
	sent := r.api.Effective(read).First()
	if len(sent) > 0 && writesAuthorization(sent[0]) {
		return true
	}
	a := request.ParseAuthorization(value)
	if a == nil {
		return false
	}
	if len(sent) > 0 { // shared by all requests beside their own
		r.budget.Parts(len(sent[0].Settings) + len(sent[0].Scopes))
	}
	switch {
	case len(sent) == 1 && sent[0].Kind == request.OAuth2 && a.Kind == request.Bearer:
		// The header holds the token that the authentication has none of.
		known := *sent[0]
		known.Token = a.Token
		read.Security = needs(&known)
	case len(sent) == 1 && sent[0].Kind == request.APIKey:
		read.Security = &request.Security{Alternatives: [][]*request.Auth{{sent[0], a}}}
	default:
		read.Security = needs(a)
	}
	return true
}

// writesAuthorization reports whether an authentication, as Postman sends it,
// writes the header Authorization.
func writesAuthorization(a *request.Auth) bool {
	switch a.Kind {
	case request.APIKey:
		return a.In == request.InHeader && strings.EqualFold(a.Key, "Authorization")
	case request.OAuth2:
		return a.In == request.InHeader && a.Token != ""
	case request.Bearer:
		return a.Token != ""
	case request.OAuth1:
		return true
	}
	return a.Username != "" || a.Password != ""
}
