// Package table is what the program itself reads of the OpenAPI document, as Go
// values that cost nothing at start: the operations with the schemas of their
// requests, the limits, and the lists of problem and warning codes.
package table

import "github.com/convertd/convertd/internal/schema"

// Operation is a POST operation.
type Operation struct {
	ID, Path, Summary, Description string

	Accepts, Produces []string       // x-service-media-types
	Request           *schema.Schema // of the body
}

// Limits are x-service-limits.
type Limits struct {
	RequestBytes      int `json:"requestBytes"`
	OutputCharacters  int `json:"outputCharacters"`
	PipelineBytes     int `json:"pipelineBytes"`
	PipelineSeconds   int `json:"pipelineSeconds"`
	RequestsPerMinute int `json:"requestsPerMinute"`
}

// Problem is the entry of a problem code in x-problems and x-problem-examples.
type Problem struct {
	Code    string `json:"code"`
	Status  int    `json:"status"` // HTTP status, 400 to 599
	Retry   string `json:"retry"`  // whether the same request may succeed: never, after-delay (in Retry-After), or once
	Title   string `json:"title"`
	Meaning string `json:"meaning"` // what happened
	Remedy  string `json:"remedy"`  // how to fix the request

	// Wrong is an HTTP request that fails with this code, and Right a corrected one. A request that contains
	// "…" is abbreviated.
	Wrong, Right string
}

// Warning is the entry of a warning code in x-warnings.
type Warning struct {
	Code    string `json:"code"`
	Meaning string `json:"meaning"`
}
