// Package document holds the description as JSON, converted from the YAML source.
package document

import _ "embed"

// JSON is the description as JSON, written by make generate.
//
//go:embed openapi.json
var JSON []byte

// Calls is the description without responses and examples, for the program's
// own use, written by make generate.
//
//go:embed calls.json
var Calls []byte
