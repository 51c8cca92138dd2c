// Package sample creates sample values that are valid against a schema, in the JSON Schema 2020-12 vocabulary that
// OpenAPI 3.1 uses.
//
//	{type: string, format: date} → Sampler → "2024-01-01"
//
// In reading order: sampler.go (Sampler, and its cache), shape.go (the schemas that apply together), value.go (the
// value of a shape), object.go (objects and arrays), number.go and text.go.
package sample
