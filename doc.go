// Package convertd provides the tools of the Conversion Tool Service to Go programs:
// small, exact conversions of JWTs, JSON, YAML and timestamps, and between OpenAPI
// documents, Postman collections and curl commands, also from HTTP archives. The service, its MCP server, the
// command line and the editor run the same code.
//
// There is one function for each tool, and [Pipeline] for several in a row:
//
//	result, err := convertd.JSONFormat(ctx, text, convertd.JSONFormatOptions{Indent: new(4)})
//	if p, ok := errors.AsType[*convertd.Problem](err); ok {
//		log.Printf("line %d: %s %s", p.Line, p.Detail, p.Hint)
//	}
//
// # Guarantees
//
// Determinism: the same input, options and version produce the same [Result] or
// the same [Problem], byte for byte, on every platform. No tool uses the current
// time, randomness, files, the environment or the network.
//
// Order and digits: the order of members and the spelling of numbers and strings
// are kept, unless a warning says otherwise.
//
// Bounds: the time and memory of a call are bounded by the sizes of its input and
// output (see [WithMaxInput] and [WithMaxOutput]). With the default sizes, those of
// the service, a call allocates at most about 150 MiB.
//
// Errors: a call fails with a [*Problem], whose detail and hint contain nothing of
// the input, or with the context's error if that ends first. It does not panic.
//
// Concurrency: all functions are safe for concurrent use, and keep nothing of a
// call.
//
// Compatibility: within a major version, nothing that is exported is removed or
// changes its meaning. Options and codes may be added. An output may improve in a
// minor version, but does not change in a patch.
package convertd
