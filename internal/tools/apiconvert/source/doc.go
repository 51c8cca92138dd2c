// Package source detects the format of the input: a Postman collection, an OpenAPI document, an HTTP archive or a shell
// script. It looks only for the marks of a format and validates nothing else.
//
//	{"openapi": "3.1.0", …}  →  OpenAPI, 3.1
//
// To add a source, add a Format, recognize its marks in Detect or recognise, for YAML add its first keys to marks
// (source.go), and remove it from the formats that unrecognised or foreign (foreign.go) reject by name. A
// target that is not a source needs only the Format.
package source
