// Package versions rewrites an OpenAPI document from one version to another in
// place, so that the order of properties, digits, extensions and descriptions
// survive: Swagger 2.0 → OpenAPI 3.0 → 3.1 → 3.2, and down again to 2.0.
//
//	type: [string, "null"]   3.1 → 3.0   type: string, nullable: true
//
// Two tables drive a step between two versions of OpenAPI 3: shape (which
// properties each object has, since which version, and the warning for each that
// is lost) and the rules of this package (what has another form in the other
// version). The structure of Swagger 2.0 is replaced before the step and restored
// after it by package swagger. References are resolved before anything moves and
// get their new pointers at the end (package rewrite), so a rule moves an object
// without looking for references to it.
//
// In reading order: version.go (Rewrite, the order of the steps), walk.go (one walk
// over the document), rules.go (the rules of each kind of object, and the short
// ones), document.go (servers, security, components), path.go (path items,
// operations, parameters), schema.go, schema30.go (schemas on the way down).
// A new rule goes into the tables of rules.go, a new property into
// shape/shapes.txt.
//
// Extensions, examples, defaults and enumerations are data: they are not walked.
package versions
