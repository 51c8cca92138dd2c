// Package schema infers JSON Schemas from samples and creates samples from schemas, in the JSON Schema 2020-12
// vocabulary that OpenAPI 3.1 uses.
package schema
