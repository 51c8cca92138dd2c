// Package yamlnode parses YAML into nodes with their offsets.
//
//	a: [1, *x]  →  Mapping{a: Sequence{1, Alias}}
//
// Common YAML, as people and tools write OpenAPI documents, is parsed here, several times faster than by the library.
// Everything else, including what is invalid, is left to the library (go.yaml.in/yaml) in parseAny. What the
// parser accepts, it reads as the library does; FuzzParser compares the two. Package tree turns nodes into values:
// it resolves scalars, aliases and merge keys.
//
// In reading order: node.go (Parse), parser.go and scalar.go (common YAML), library.go.
package yamlnode
