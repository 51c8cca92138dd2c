// Package apiconvert implements the tool api_convert, which converts between Postman collections, OpenAPI documents and
// curl commands in every direction, and from HTTP archives.
//
//	source.Detect ┬ OpenAPI → versions.Rewrite ─┬→ redact ──────────────┬→ sweep → output
//	              ├ Postman → postman.Rewrite ──┤                       │
//	              ├ shell   → rewrite.Parse ────┘                       │
//	              └ read → request.API → passes, one of them redact → write
//
// Between two formats every source passes through the request model (package request), so there are readers and writers
// rather than pairs of formats. Within one format the source is rewritten in place, which keeps what the model doesn't
// know; only scripts that rewrite.Parse doesn't take pass through the model. Either way the sites of its strings are
// emitted for redaction.
//
// apiconvert.go has the conversion, the cost of an input and the secrets that the output still names, passes.go and
// passes_*.go what happens to the model between reading and writing. The packages, bottom up:
//
//	budget, percent            limits; percent-encoding
//	expression, words          regular expressions compiled on first use; English words
//	tree                       ordered documents, read from JSON and YAML
//	warning                    warnings and their places
//	openapi/shape, site        the structure of OpenAPI and collections; where strings are in a format
//	request                    the model, and the formats of HTTP's own values
//	placeholder, spans         <tenant> and YOUR_HOST; encoded strings within strings
//	secret                     recognizes and replaces secrets
//	sample, infer              schemas → values; values → schemas
//	pathtemplate               /users/7 → /users/{userId}
//	openapi, postman           reader, writer and rewriting of each format
//	har                        reader of HTTP archives
//	shell, curl                scripts and their commands; the requests of curl, a writer and a rewriter
//	source                     detects the format
//
// To add a source: a Format and its marks in package source; a package with a Read function that returns a
// *request.API, sets Request.Place and, for documents and recordings, API.Described or API.Recorded, and reports what the
// model can't hold; a case in conversion.read, which takes an unknown format for OpenAPI. The passes portable and
// browserHeaders compare the source.
//
// To add a target: a Format in package source; a package with a Write function that sets Variable.Written where it
// writes a variable, and reports what the target can't hold; an entry of targets and a case in conversion.write, which
// also passes text to SweepText or a tree to document; its value in openapi/openapi.yaml. The passes templates, captures,
// hosts and browserHeaders compare the target. A target that is a source, too, has a case in convertWithin.
//
// To add a warning: an entry of x-warnings in openapi/openapi.yaml whose code begins with lost., changed. or added., from
// which make generate writes a Feature. Whatever loses something passes it to List.Add or AddNamed, with a place.
//
// Readers and writers charge the budget for whatever may exceed the source. docs/adding-a-tool.md lists the tests and
// documents that belong to each addition.
package apiconvert
