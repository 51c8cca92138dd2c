// Package infer infers JSON Schemas from sample values, in the JSON Schema 2020-12 vocabulary that OpenAPI 3.1 uses.
//
//	{"id": 7}, {"id": 9} → Schema → {type: object, properties: {id: {type: integer}}, required: [id]}
//
// In reading order: infer.go (values to a Summary), summary.go (a Summary to a schema; objects of several
// values), format.go (formats of strings, and strings that only name a type).
package infer
