// Package sample creates sample values that are valid against a schema, in the JSON Schema 2020-12 vocabulary that
// OpenAPI 3.1 uses.
//
//	{type: string, format: date} → Sampler → "2024-01-01"
//
// In reading order: value.go (Sampler with its cache, and the value of a shape), shape.go (the schemas that apply together),
// object.go (objects and arrays), number.go and text.go.
package sample
