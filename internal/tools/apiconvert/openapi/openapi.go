// Package openapi holds what reading and writing OpenAPI documents have in
// common: costs, percent-encoding, the security schemes that have a name of
// their own, and the sites of strings that may hold a secret.
//
//	reader/    an OpenAPI document → the request model
//	writer/    the request model → an OpenAPI document
//	versions/  an OpenAPI document → the same of another version
//
// Reader and writer know one version, the newest: package versions rewrites a
// document before it is read and after it is written, and corrects what is
// invalid, so a reader finds valid objects only. A conversion from OpenAPI to
// OpenAPI uses package versions alone and keeps what the model does not know.
package openapi
