package request

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Security is what a request needs to authenticate: all credentials of one of the alternatives. The first
// alternative is sent. A Security without alternatives explicitly requires nothing (noauth, security: []); an
// empty alternative makes authentication optional.
type Security struct {
	Alternatives [][]*Auth
	Place        warning.Place // in the source, nil when it is the request's
}

// Require returns the security that requires all of the credentials.
func Require(credentials ...*Auth) *Security {
	return &Security{Alternatives: [][]*Auth{credentials}}
}

// First returns the credentials that are sent, or nil if there are none. s may be nil.
func (s *Security) First() []*Auth {
	if s == nil || len(s.Alternatives) == 0 {
		return nil
	}
	return s.Alternatives[0]
}

// all returns the credentials of all alternatives. s may be nil.
func (s *Security) all() []*Auth {
	if s == nil {
		return nil
	}
	return slices.Concat(s.Alternatives...)
}

// WarnAlternatives warns that a target takes only the first alternative and drops the others, listed by scheme
// name. at is the place in the source that requires them.
func (s *Security) WarnAlternatives(warnings *warning.List, at warning.Place) {
	if s == nil || len(s.Alternatives) < 2 {
		return
	}
	var names []string
	for _, alternative := range s.Alternatives[1:] {
		var together []string
		for _, a := range alternative {
			together = append(together, cmp.Or(a.Name, a.Key, "unnamed"))
		}
		names = append(names, cmp.Or(strings.Join(together, " with "), "no authentication"))
	}
	warnings.AddNamed(warning.LostSecurityAlternatives, cmp.Or(s.Place, at), names...)
}

// Effective returns the security that applies to a request of the API: its own, its nearest folder's, or the
// API's. It returns nil if the source specifies none.
func (a *API) Effective(r *Request) *Security {
	if r.Security != nil {
		return r.Security
	}
	for f := r.Folder; f != nil; f = f.Parent {
		if f.Security != nil {
			return f.Security
		}
	}
	return a.Security
}

// Auths returns the credentials of the API, its folders and its requests.
func (a *API) Auths() []*Auth {
	all := a.Security.all()
	for _, f := range a.Folders {
		all = append(all, f.Security.all()...)
	}
	for _, r := range a.Requests {
		all = append(all, r.Security.all()...)
	}
	return all
}

// AuthKind is a kind of authentication.
type AuthKind uint8

// The kinds of authentication and the fields of Auth they use.
const (
	Basic         AuthKind = iota // Username, Password (RFC 7617)
	Bearer                        // Token (RFC 6750)
	APIKey                        // Key, Token, In
	OAuth2                        // Flows, Token, In, Settings (RFC 6749)
	OpenIDConnect                 // URL
	Digest                        // Username, Password, Settings (RFC 7616)
	AWSSignature4                 // Username (access key), Password (secret key), Token (session), Settings region, service
	Hawk                          // Username (id), Password (key), Settings
	NTLM                          // Username, Password, Settings domain, workstation
	OAuth1                        // Settings
	MutualTLS                     // nothing
	OtherScheme                   // Key: the HTTP scheme of an Authorization header (Token after it)
)

var authKinds = [...]string{
	"Basic", "Bearer", "API key", "OAuth 2.0", "OpenID Connect", "Digest", "AWS Signature", "Hawk", "NTLM", "OAuth 1.0", "mutual TLS", "other",
}

// Scheme returns the name of the credential for a warning: its own name, or that of its kind.
func (a *Auth) Scheme() string { return cmp.Or(a.Name, authKinds[a.Kind]) }

// WarnDetails warns that the target cannot express some details of the credential, which a request at a place uses.
func (a *Auth) WarnDetails(warnings *warning.List, at warning.Place) {
	if a.Place != nil {
		warnings.Add(warning.LostAuthDetails, a.Place)
	} else {
		warnings.AddNamed(warning.LostAuthDetails, at, a.Scheme())
	}
}

// Sends reports whether the credential is sent as the named parameter.
func (a *Auth) Sends(in Location, name string) bool {
	switch {
	case a.Kind == MutualTLS:
		return false
	case a.Kind == APIKey && in != InHeader:
		return a.In == in && a.Key == name
	case a.Kind == APIKey:
		return a.In == in && strings.EqualFold(a.Key, name)
	case a.Kind == OAuth2 && a.In == InQuery:
		return in == InQuery && name == "access_token"
	}
	return in == InHeader && strings.EqualFold(name, "Authorization")
}

// Location is where a key is sent.
type Location string

// The locations, as OpenAPI names them.
const (
	InHeader Location = "header"
	InQuery  Location = "query"
	InCookie Location = "cookie"
)

// Auth is one credential. Values are decoded and don't include the scheme name.
type Auth struct {
	Kind        AuthKind
	Name        string // the security scheme's name, "" if the source has none
	Description string

	Username string
	Password string
	Token    string
	Key      string // the header's, query parameter's or cookie's name
	In       Location

	URL    string // OpenIDConnect's discovery URL
	Flows  []Flow
	Scopes []string // those that the request needs

	// Settings are all other attributes in the source, by Postman's names (realm, nonce, algorithm, region,
	// service, consumerKey …), in order.
	Settings []Option

	Place warning.Place // of the details in a document, nil in a script
}

// Grant is an OAuth 2.0 grant, as OpenAPI names it.
type Grant string

// The grants.
const (
	AuthorizationCode Grant = "authorizationCode"
	Implicit          Grant = "implicit"
	PasswordGrant     Grant = "password"
	ClientCredentials Grant = "clientCredentials"
)

// Flow is one way to get an OAuth 2.0 token.
type Flow struct {
	Grant        Grant
	AuthorizeURL string
	TokenURL     string
	RefreshURL   string
	ClientID     string
	ClientSecret string
	PKCE         bool
}

// ParseAuthorization splits the value of an Authorization header into a scheme and what follows it (RFC 9110,
// section 11.6.2). It returns nil when the value doesn't begin with a scheme: a token alone, or a variable for
// the whole value.
func ParseAuthorization(value string) *Auth {
	scheme, rest, _ := strings.Cut(strings.TrimSpace(value), " ")
	rest = strings.TrimSpace(rest)
	if rest == "" || !IsToken(scheme) {
		return nil
	}
	switch {
	case strings.EqualFold(scheme, "Bearer"):
		return &Auth{Kind: Bearer, Token: rest}
	case strings.EqualFold(scheme, "Basic"):
		if user, password, ok := DecodeBasic(rest); ok {
			return &Auth{Kind: Basic, Username: user, Password: password}
		}
	}
	return &Auth{Kind: OtherScheme, Key: scheme, Token: rest}
}

// DecodeBasic decodes the credentials of the Basic scheme (RFC 7617, section 2), with or without padding.
func DecodeBasic(credentials string) (user, password string, ok bool) {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(credentials, "="))
	if err != nil || !utf8.Valid(plain) {
		return "", "", false
	}
	user, password, ok = strings.Cut(string(plain), ":")
	if !ok || strings.ContainsFunc(user, unicode.IsControl) || strings.ContainsFunc(password, unicode.IsControl) {
		return "", "", false
	}
	return user, password, true
}

// EncodeBasic returns the Authorization header value for the credentials.
func EncodeBasic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// ParseCookies parses the value of a Cookie header (RFC 6265, section 4.2.1). It returns nil when the value is
// not a list of pairs.
func ParseCookies(value string) []*Parameter {
	var cookies []*Parameter
	for p := range Pairs(value, ';') {
		name := strings.TrimSpace(p.Name)
		if p.Bare && name == "" {
			continue
		}
		if p.Bare || name == "" {
			return nil
		}
		cookies = append(cookies, &Parameter{Name: name, Value: strings.TrimSpace(p.Value)})
	}
	return cookies
}
