// Package openapi holds what the OpenAPI reader and writer share: costs, percent-encoding and well-known security
// schemes.
//
//	reader/    an OpenAPI document → the request model
//	writer/    the request model → an OpenAPI document
//	versions/  an OpenAPI document → the same of another version
//
// The reader and the writer support one version, the newest. Package versions rewrites a document before it is read
// and after it is written. It also corrects invalid documents, so the reader only sees valid objects. A conversion
// from OpenAPI to OpenAPI uses package versions alone and keeps what the model can't represent.
package openapi
