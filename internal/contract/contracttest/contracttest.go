// Package contracttest provides tests with the whole OpenAPI document, including responses and examples, which
// the program itself doesn't read.
package contracttest

import (
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/internal/check"
)

// Document returns the OpenAPI document as kin-openapi reads it. Callers must not change it.
func Document(t testing.TB) *openapi3.T {
	t.Helper()
	return check.Value(whole())(t)
}

var whole = sync.OnceValues(func() (*openapi3.T, error) {
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = false
	return loader.LoadFromData(document.JSON)
})

// Example is one example of the document: a request body and its response, both as decoded JSON.
type Example struct {
	Operation string
	Path      string
	Name      string // "" if the operation has only one example
	Request   any
	Response  any
}

// Examples returns the document's examples of successful requests, sorted by path and name.
func Examples(t testing.TB) []Example {
	t.Helper()
	var all []Example
	paths := Document(t).Paths
	for _, path := range slices.Sorted(maps.Keys(paths.Map())) {
		post := paths.Value(path).Post
		if post == nil {
			continue
		}
		request := post.RequestBody.Value.Content["application/json"]
		success := post.Responses.Value("200").Value.Content["application/json"]
		if request.Example != nil {
			all = append(all, Example{post.OperationID, path, "", request.Example, success.Example})
		}
		for _, name := range slices.Sorted(maps.Keys(request.Examples)) {
			e := Example{Operation: post.OperationID, Path: path, Name: name, Request: request.Examples[name].Value.Value}
			if response := success.Examples[name]; response != nil {
				e.Response = response.Value.Value
			}
			all = append(all, e)
		}
	}
	return all
}
