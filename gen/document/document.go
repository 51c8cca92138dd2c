// Package document holds the OpenAPI document as JSON, converted from the YAML source.
package document

import _ "embed"

// JSON is the OpenAPI document as JSON, written by make generate.
//
//go:embed openapi.json
var JSON []byte
