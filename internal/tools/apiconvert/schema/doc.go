// Package schema infers JSON Schemas from samples and creates samples from schemas, in the JSON Schema 2020-12
// vocabulary that OpenAPI 3.1 uses.
//
//	{"id": 7}, {"id": 9} → Infer → {type: object, properties: {id: {type: integer}}, required: [id]}
//	{type: string, format: date} → Sampler → "2024-02-29"
//
// In reading order: infer.go, inferred.go, join.go and format.go (samples to schemas), standin.go (strings that only name
// a type); sampler.go, shape.go, sample.go, object.go, array.go, number.go and text.go (schemas to samples).
package schema
