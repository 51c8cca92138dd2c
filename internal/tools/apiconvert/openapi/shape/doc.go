// Package shape describes the structure of OpenAPI documents: for each kind of
// object, its properties, the kind of their values, the version that introduced
// each, and the warning for one that an older version lacks. The table is
// shapes.txt.
//
//	shape.Parameter.Member("schema")  // {Of: Schema, In: One}, true
//
// Whatever walks a document uses it: version rewrites, references and the search
// for secrets. Extensions, examples, defaults and enumerations are data of kind
// Anything and are not walked.
package shape
