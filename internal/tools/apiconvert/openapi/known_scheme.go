package openapi

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// KnownScheme is a kind of authentication that sets the Authorization header and needs no details in an OpenAPI
// document.
type KnownScheme struct {
	Kind   request.AuthKind
	Name   string
	Scheme string // the header's scheme; "" if OpenAPI can't name it and an API key with a mark is used
	// Mark is the value of the SchemeMark extension on a scheme that is written as an API key.
	Mark        string
	Description string
}

// KnownSchemes lists the schemes that have a name of their own. OpenAPI recommends schemes registered with IANA:
// OAuth is (RFC 5849), while Hawk and NTLM have the names that their authors use.
var KnownSchemes = []KnownScheme{
	{Kind: request.Basic, Name: "basicAuth", Scheme: "basic"},
	{Kind: request.Digest, Name: "digestAuth", Scheme: "digest"},
	{request.Hawk, "hawkAuth", "hawk", "Hawk", "Hawk authentication"},
	{request.NTLM, "ntlmAuth", "ntlm", "NTLM", "NTLM authentication"},
	{request.OAuth1, "oauth1", "oauth", "OAuth1", "OAuth 1.0 signature"},
	{request.AWSSignature4, "awsSigV4", "", "awsSigV4", "AWS Signature Version 4"},
}

// SchemeMark is the extension that marks an API key as another scheme of the Authorization header. Its value is a
// Mark of KnownSchemes, OAuth2Mark or the name of the scheme.
const SchemeMark = "x-authorization-scheme"

// OAuth2Mark marks a bearer scheme that is OAuth 2.0 without a flow.
const OAuth2Mark = "OAuth2"

// IsHTTPScheme reports whether OpenAPI tools know the name as that of an HTTP authentication scheme.
func IsHTTPScheme(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains([]string{"bearer", "negotiate"}, name) ||
		name != "" && slices.ContainsFunc(KnownSchemes, func(k KnownScheme) bool { return k.Scheme == name })
}
