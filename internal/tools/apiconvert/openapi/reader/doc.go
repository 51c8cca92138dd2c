// Package reader reads an OpenAPI document into the request model.
//
//	paths:                            Request{Method: "GET", Path: "/pets/{id}",
//	  /pets/{id}:                →      PathParameters: [{Name: "id", Value: "1"}],
//	    get: {parameters: …}            Query: …, Responses: …}
//
// In reading order: read.go (Read, info, tags), server.go, security.go, operation.go (path items, operations),
// parameter.go (parameters, their example values and styles), content.go (bodies, also forms, and
// responses), xml.go (XML bodies), unsupported.go (what lists of requests
// can't hold). Example values come from package sample.
//
// Add new styles to parameter.go and new kinds of bodies to content.go.
package reader
