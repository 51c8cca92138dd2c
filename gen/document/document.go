// Package document holds the description as JSON, converted from the YAML source.
package document

import _ "embed"

// JSON is the description as JSON, written by make generate.
//
//go:embed openapi.json
var JSON []byte
