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

import "github.com/convertd/convertd/internal/tools/apiconvert/budget"

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
