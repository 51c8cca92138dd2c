// Package reader reads an OpenAPI document into the request model.
//
//	paths:                            Request{Method: "GET", Path: "/pets/{id}",
//	  /pets/{id}:                →      PathParameters: [{Name: "id", Value: "1"}],
//	    get: {parameters: …}            Query: …, Responses: …}
//
// In reading order: read.go (Read, info, tags), server.go, security.go,
// operation.go (path items, operations), parameter.go (parameters and their
// example values), serialize.go (the styles in which a value is sent), content.go
// (bodies and responses), form.go (a body that is a form), xml.go (one that is
// XML). Example values come from package schema.
//
// A new style goes into serialize.go, a new kind of body into content.go.
package reader
