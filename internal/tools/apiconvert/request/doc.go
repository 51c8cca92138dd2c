// Package request is the common model of all formats: what an OpenAPI document, a Postman collection or a list
// of curl commands says about requests, in one vocabulary. Readers build it, writers consume it. The package
// holds types and the few functions that define their conventions.
//
// Conventions, for every string unless its comment says otherwise:
//
//   - {{name}} is the variable of that name (VariableName defines which names
//     are allowed). The notation is Postman's; readers of other formats convert
//     theirs to it ($NAME in a shell script, {name} in an OpenAPI server). A
//     source string that happens to contain {{x}} is a variable, too.
//   - A value is decoded: a header's value has no quoting, a form field's no
//     percent-encoding. The one exception is a URL: its path and query stay
//     percent-encoded, as they are sent.
//   - Descriptions are CommonMark or plain text and are kept unchanged.
//   - "" means unspecified wherever an empty value has no meaning of its own.
//
// The model owns its *tree.Value values: a reader that keeps its document clones them.
//
// The model holds what at least two of the formats can express. What only the source's format can express is
// lost, and the reader warns about it. A conversion within one format (an OpenAPI document to another version,
// a collection to v2.1) doesn't use the model; it rewrites the tree.
//
// In reading order: api.go (requests, responses, status texts), auth.go (credentials), option.go (options of curl), capture.go
// (variables from responses), body.go (forms, JSON and media types), text.go (variables in strings), browser.go
// (headers that browsers add), sites.go (strings that may hold a secret).
package request
