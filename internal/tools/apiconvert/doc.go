// Package apiconvert implements the tool api_convert, which converts between Postman collections, OpenAPI documents and
// curl commands in every direction, and from HTTP archives.
//
//	source.Detect ┬ OpenAPI → versions.Rewrite ───────────────────────┬→ redact → sweep → output
//	              ├ Postman → postman.Rewrite ────────────────────────┤
//	              ├ shell   → rewrite.Parse ──────────────────────────┤
//	              └ read → request.API → passes → write ──────────────┘
//
// Between two formats every source passes through the request model (package request), so there are readers and writers
// rather than pairs of formats. Within one format the source is rewritten in place, which keeps what the model doesn't
// know. Either way the sites of its strings are emitted for redaction.
//
// apiconvert.go has the conversion, passes.go what happens to the model between reading and writing. The packages,
// bottom up:
//
//	budget, percent            limits; percent-encoding
//	yamlnode, tree             parsing YAML; ordered documents
//	warning                    warnings and their places
//	openapi/shape, site        the structure of OpenAPI and collections; where strings are in a format
//	request                    the model, and the formats of HTTP's own values
//	words, placeholder, spans  English words; <tenant> and YOUR_HOST; encoded strings within strings
//	sample, infer              schemas → values; values → schemas
//	pathtemplate               /users/7 → /users/{userId}
//	openapi, postman           reader, writer and rewriting of each format
//	har                        reader of HTTP archives
//	shell, curl                scripts and their commands; the requests of curl, a writer and a rewriter
//	secret                     recognizes and replaces secrets
//	source                     detects the format
//
// To add a source: a Format and its marks in package source; a package with a Read function that returns a
// *request.API, sets Request.Place and reports what the model can't hold; a case in conversion.read.
//
// To add a target: a Format in package source; a package with a Write function that reports what the target can't
// hold; an entry of targets and a case in conversion.write, which also passes text to SweepText or a tree to document;
// its value in openapi/openapi.yaml. Passes compare the target's format: hosts and browserHeaders leave commands alone.
//
// To add a warning: an entry of x-warnings in openapi/openapi.yaml, from which make generate writes a Feature.
//
// Readers and writers charge the budget for whatever may exceed the source. docs/adding-a-tool.md lists the tests and
// documents that belong to each addition.
package apiconvert
