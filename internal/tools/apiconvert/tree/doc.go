// Package tree represents a JSON or YAML document as an ordered tree that supports lookups, changes in place
// and writing: object members keep their order, numbers their digits.
//
// The terms are those of RFC 8259: an object has members, each with a name and a value; an array has elements.
// A document is a source string together with its root value.
//
// Everything here is bounded for every input: readers return at most MaxNodes values and jsondoc.MaxDepth
// levels, aliases and merge keys of YAML cost as much as what they expand to, and lookups, resolving references
// and writing are linear in what they touch.
//
// Only one goroutine at a time may read a Value: lookups build an index.
//
//	document, err := tree.ReadJSON(`{"a": [1.50]}`, budget)
//	document.Root.Get("a") // an array of one number
//
// In reading order: value.go (values and lookups), change.go (changes), json.go (reading JSON),
// yaml.go (reading YAML), yaml_parser.go (its nodes), yaml_scalar.go (scalars and their kinds), write.go (writing),
// reference.go (JSON Pointers and references).
package tree
