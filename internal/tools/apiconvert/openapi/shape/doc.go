// Package shape describes the structure of OpenAPI documents and Postman collections: for each kind of object, its
// properties, the kinds of their values, the version of OpenAPI that introduced each property, and the warning if an
// older version lacks it. The table is shapes.txt.
//
//	shape.Parameter.Member("schema")  // {Of: Schema, In: One}
//	shape.Parameter.Children(v)       // the schema, each example, each media type, …
//
// Version rewrites, the resolution of references and the search for secrets (package site) use it to walk documents,
// the search for secrets also to walk collections.
// Extensions, examples, defaults and enumerations are of kind Anything: they contain no objects of the format.
//
// To add a property, add it to shapes.txt. A warning that is new there is added to losses, and a kind to the constants and
// kindNames (shape.go).
//
// In reading order: shapes.txt, shape.go (kinds, the table, versions and iteration).
package shape
