// Package shape describes the structure of OpenAPI documents: for each kind of object, its properties, the kinds of
// their values, the version that introduced each property, and the warning if an older version lacks it. The table is
// shapes.txt.
//
//	shape.Parameter.Member("schema")  // {Of: Schema, In: One}, true
//
// Version rewrites and the resolution of references use it to walk documents. Extensions, examples, defaults and
// enumerations are data of kind Anything and are not walked.
package shape
