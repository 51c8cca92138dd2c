// Package schema infers a JSON Schema from samples and makes samples that fit
// a schema, in the vocabulary of JSON Schema 2020-12 that OpenAPI 3.1 uses.
package schema
