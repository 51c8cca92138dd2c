// Package openapi holds the service's description, the one source of truth
// for routes, fields, ranges, defaults, media types, limits and problem codes.
package openapi

import _ "embed"

// YAML is the description as it is written, openapi.yaml.
//
//go:embed openapi.yaml
var YAML []byte
