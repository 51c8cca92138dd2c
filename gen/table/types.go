// Package table is what the program itself reads of the description, as Go
// values that cost nothing at start: the operations with the schemas of their
// requests, the limits, and status, retry and title of each problem.
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

// Problem is the entry of a problem code in x-problems.
type Problem struct {
	Code   string `json:"code"`
	Status int    `json:"status"`
	Retry  string `json:"retry"` // whether the same request may succeed: never, after or once
	Title  string `json:"title"`
}
