// Package versions rewrites an OpenAPI document from one version to another in place, so that the order of
// properties, digits, extensions and descriptions are kept: Swagger 2.0 → OpenAPI 3.0 → 3.1 → 3.2, and back down to
// 2.0.
//
//	type: [string, "null"]   3.1 → 3.0   type: string, nullable: true
//
// Two tables define a step between two versions of OpenAPI 3: package shape lists the properties of each object, the
// version that introduced each, and the warning if it is dropped. The rules of this package change what has another
// form in the other version. Package swagger replaces the structure of Swagger 2.0 before the step or restores it
// afterwards. References are resolved before anything moves and get their new pointers at the end (package rewrite),
// so a rule can move an object without searching for references to it.
//
// In reading order: version.go (Rewrite, Raise, the order of the steps, and one walk over the document), rules.go
// (the rules of each kind of object, and short ones), document.go (servers, security, components), path.go (path
// items, operations, parameters), schema.go, schema30.go (schemas on the way down), null.go (null and lists of types).
// Add new rules to the tables of rules.go and new properties to openapi/shape/shapes.txt.
//
// A schema that the target can't express exactly becomes the closest one that users and generators understand, with a
// warning that says whether it is wider or narrower: whether it accepts more or fewer values than the source. Within not
// and oneOf, a wider schema makes the whole narrower. The tests of instances check that with a JSON Schema validator.
//
// Extensions, examples, defaults and enumerations are data: they are not walked.
package versions
