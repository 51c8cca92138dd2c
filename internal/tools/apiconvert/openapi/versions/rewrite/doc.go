// Package rewrite holds what every rewrite of an OpenAPI document needs: where the
// walk is, which parts references name, and edits of objects that keep the order
// of their properties.
//
//	r.Collect(shape.Document)   // resolve every reference of the source
//	…                           // move and change values
//	r.Restore()                 // give each reference the pointer of its value
//
// In reading order: rewriter.go (the state of a rewrite), reference.go (resolving),
// restore.go (new pointers; parts that were moved out of the document become
// components), edit.go.
package rewrite
