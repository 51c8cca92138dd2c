// Package openapi holds what the OpenAPI reader and writer share: costs, references to other documents, styles of
// parameters, percent-encoding and well-known security schemes.
//
//	reader/    an OpenAPI document → the request model
//	writer/    the request model → an OpenAPI document
//	versions/  an OpenAPI document → the same of another version
//
// The reader and the writer support one version, the newest. Package versions rewrites a document before it is read
// and after it is written. It also drops what is malformed, so the reader only sees objects of the right kind. A conversion
// from OpenAPI to OpenAPI uses package versions alone and keeps what the model can't represent.
package openapi

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// The budget costs of model elements, in parts.
const (
	RequestParts   = 32
	ParameterParts = 12 // also for a header or a field
	BodyParts      = 12 // also for a response
	SmallParts     = 2  // for a requirement, a tag or a scope
)

// ExampleBytes returns the maximum size of the examples that one conversion may create: several times its maximum
// output.
func ExampleBytes(b *budget.Budget) int { return 4 * b.Output() }

// The name and summary of the example of a parameter that no request in the source sends. When the document is read
// again, the parameter isn't sent either.
const (
	NotSent      = "notSent"
	NotSentLabel = "Not sent"
)

// IsExternal reports whether v is a reference to another document. Authors also write one instead of an operation,
// which OpenAPI doesn't define but tools that bundle documents support.
func IsExternal(v *tree.Value) bool {
	ref, ok := tree.Ref(v)
	return ok && !strings.HasPrefix(ref, "#")
}

// External counts the path items and operations that are in other documents. others reports whether the document itself
// has operations.
func External(root *tree.Value) (paths, operations int, others bool) {
	for _, item := range root.Get("paths").Members() {
		if IsExternal(item) {
			paths++
		}
		for c := range shape.PathItem.Children(item) {
			switch {
			case c.Kind != shape.Operation:
			case IsExternal(c.Value):
				operations++
			default:
				others = true
			}
		}
		others = others || strings.HasPrefix(item.Get("$ref").Text(), "#")
	}
	return paths, operations, others
}

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
