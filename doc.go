// Package convertd is the tools of the Conversion Tool Service for Go programs:
// small, exact conversions of JWTs, JSON, YAML, timestamps, and of API
// descriptions, Postman collections and curl commands into each other. The
// service, its agents' door, the command line and the editor run the same code.
//
// There is one function for each tool, and [Pipeline] for several in a row:
//
//	result, err := convertd.JSONFormat(ctx, text, convertd.JSONFormatOptions{Indent: new(4)})
//	if p, ok := errors.AsType[*convertd.Problem](err); ok {
//		log.Printf("line %d: %s %s", p.Line, p.Detail, p.Hint)
//	}
//
// # What is promised
//
// Determinism: the same input, options and version give the same [Result] or
// the same [Problem], byte for byte, on every platform. No tool reads a clock,
// chance, a file, the environment or a network.
//
// Order and digits: members stay in the order in which they stand, numbers and
// strings as they are spelt, unless a tool's warnings say otherwise.
//
// Bounds: whatever the input, a call's time and memory are bounded by the sizes
// that it may have (see [WithMaxInput] and [WithMaxOutput]). Within the ones that
// hold without a setting, those of the service, that is about a second and 150 MiB.
//
// Errors: a call fails with a [*Problem], whose detail and hint never hold any of
// the input, or with the context's error when that ends first. It does not panic.
//
// Concurrency: every function may be called by any number of goroutines at once.
// Nothing is kept of a call.
//
// Compatibility: within a major version nothing that is exported here goes away
// or changes its meaning; options and codes may be added. Outputs may become
// better in a minor version, never in a patch.
package convertd
