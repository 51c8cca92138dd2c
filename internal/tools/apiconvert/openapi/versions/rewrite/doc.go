// Package rewrite provides what every rewrite of an OpenAPI document needs: the location of the walk, the targets of
// references, and edits of objects that keep the order of their properties.
//
//	r.Collect(shape.Document)   // resolve every reference of the source
//	…                           // move and change values
//	r.Restore()                 // give each reference the pointer of its value
//
// In reading order: rewriter.go (the state of a rewrite, and edits), reference.go (resolving references; new
// pointers; parts that were moved out of the document become components).
package rewrite
