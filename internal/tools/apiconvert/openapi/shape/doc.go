// Package shape describes the structure of OpenAPI documents: for each kind of object, its properties, the kinds of
// their values, the version that introduced each property, and the warning if an older version lacks it. The table is
// shapes.txt.
package shape
