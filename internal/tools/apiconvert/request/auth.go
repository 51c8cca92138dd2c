package request

import (
	"cmp"
	"encoding/base64"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Security says what a request needs to prove. It needs all of one of the
// alternatives; the first is the one that is sent. A Security without
// alternatives says explicitly that nothing is needed (noauth, security: []);
// an empty alternative is "nothing" as one choice among others.
type Security struct {
	Alternatives [][]*Auth
	Place        *warning.Place // in the source, nil when it is that of the request
}

// First returns what is sent, nil when nothing is. s may be nil.
func (s *Security) First() []*Auth {
	if s == nil || len(s.Alternatives) == 0 {
		return nil
	}
	return s.Alternatives[0]
}

// all yields each credential of each alternative. s may be nil.
func (s *Security) all() iter.Seq[*Auth] {
	return func(yield func(*Auth) bool) {
		if s == nil {
			return
		}
		for _, together := range s.Alternatives {
			for _, a := range together {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// TellAlternatives tells by their schemes' names which alternatives a target
// leaves out that takes the first only; at is the place of who needs them.
func (s *Security) TellAlternatives(warnings *warning.List, at *warning.Place) {
	if len(s.Alternatives) < 2 {
		return
	}
	var names []string
	for _, alternative := range s.Alternatives[1:] {
		var together []string
		for _, a := range alternative {
			together = append(together, cmp.Or(a.Name, a.Key, "unnamed"))
		}
		names = append(names, cmp.Or(strings.Join(together, " with "), "none"))
	}
	warnings.AddNamed(warning.Alternatives, cmp.Or(s.Place, at), names...)
}

// Effective returns the security that holds for a request of the API: its own,
// its nearest folder's, or the API's. nil: the source says nothing.
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

// Users is how many different user names, or names that stand for one (an
// access key's id), the credentials have beside a password that is a secret
// variable.
func (a *API) Users() int {
	secret, users := map[string]bool{}, map[string]bool{}
	for _, v := range a.Variables {
		secret["{{"+v.Name+"}}"] = v.Secret
	}
	add := func(s *Security) {
		for auth := range s.all() {
			if auth.Username != "" && secret[auth.Password] && !strings.Contains(auth.Username, "{{") {
				users[auth.Username] = true
			}
		}
	}
	add(a.Security)
	for _, f := range a.Folders {
		add(f.Security)
	}
	for _, r := range a.Requests {
		add(r.Security)
	}
	return len(users)
}

// AuthKind is a way to authenticate.
type AuthKind uint8

// The kinds of authentication and the fields of Auth they use.
const (
	Basic         AuthKind = iota // Username, Password (RFC 7617)
	Bearer                        // Token, BearerFormat (RFC 6750)
	APIKey                        // Key, Token, In
	OAuth2                        // Flows, Token, In, Settings (RFC 6749)
	OpenIDConnect                 // URL
	Digest                        // Username, Password, Settings (RFC 7616)
	AWSSignature4                 // Username (access key), Password (secret key), Token (session), Settings region, service
	Hawk                          // Username (id), Password (key), Settings
	NTLM                          // Username, Password, Settings domain, workstation
	OAuth1                        // Settings
	MutualTLS                     // nothing
	OtherScheme                   // Key: the HTTP scheme of an Authorization header (Token behind it)
)

var authKinds = [...]string{
	"Basic", "Bearer", "API key", "OAuth 2.0", "OpenID Connect", "Digest", "AWS Signature", "Hawk", "NTLM", "OAuth 1.0", "mutual TLS", "other",
}

// Scheme is how a warning names the credential: by its own name, else by its
// kind.
func (a *Auth) Scheme() string { return cmp.Or(a.Name, authKinds[a.Kind]) }

// Location is where a key is sent.
type Location string

// The locations, in OpenAPI's words.
const (
	InHeader Location = "header"
	InQuery  Location = "query"
	InCookie Location = "cookie"
)

// Auth is one credential. Values are as they are sent: not yet encoded, and
// without the scheme's word.
type Auth struct {
	Kind        AuthKind
	Name        string // the security scheme's name, "" if the source has none
	Description string

	Username string
	Password string
	Token    string
	Key      string // the header's, query parameter's or cookie's name
	In       Location

	BearerFormat string
	URL          string // OpenIDConnect's discovery address
	Flows        []Flow
	Scopes       []string // those the request needs

	// Settings are what else the source says, in Postman's names (realm,
	// nonce, algorithm, region, service, consumerKey …), in order.
	Settings []Option
}

// Grant is an OAuth 2.0 grant in OpenAPI's words.
type Grant string

// The grants.
const (
	AuthorizationCode   Grant = "authorizationCode"
	Implicit            Grant = "implicit"
	PasswordGrant       Grant = "password"
	ClientCredentials   Grant = "clientCredentials"
	DeviceAuthorization Grant = "deviceAuthorization"
)

// Flow is one way to get an OAuth 2.0 token.
type Flow struct {
	Grant        Grant
	AuthorizeURL string
	TokenURL     string
	RefreshURL   string
	DeviceURL    string
	ClientID     string
	ClientSecret string
	PKCE         bool
	Scopes       []Scope
}

// Scope is one permission that a flow offers.
type Scope struct{ Name, Description string }

// ParseAuthorization takes the value of an Authorization header apart: a
// scheme and what stands behind it (RFC 9110, section 11.6.2). nil when it
// does not begin with a scheme, as a token alone or a variable for the whole.
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

// DecodeBasic decodes the credentials of the Basic scheme (RFC 7617, section
// 2), with or without their padding.
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

// EncodeBasic is the value of an Authorization header with such credentials.
func EncodeBasic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// ParseCookies takes the value of a Cookie header apart (RFC 6265, section
// 4.2.1); nil when it is not made of pairs.
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
