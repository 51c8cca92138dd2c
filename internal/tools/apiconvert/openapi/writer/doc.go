// Package writer writes an OpenAPI document from the request model.
//
//	Request{Method: "GET", Path: "/pets/7"}       paths:
//	Request{Method: "GET", Path: "/pets/8"}  →      /pets/{petId}:
//	                                                  get: {operationId: getPet, …}
//
// In reading order: write.go (Write), template.go (requests with the same method
// and path template become a group, which becomes one operation), host.go
// (servers), describe.go (operations), argument.go and input.go (parameters),
// payload.go (bodies and responses), fields.go (forms), jsontext.go (JSON with
// variables in it), scheme.go and apikey.go (security), variable.go (variables
// and their values). Names: title.go (summaries), operationid.go; the rest of
// naming is package naming. share.go and candidate.go move schemas that
// several bodies have into components. Schemas are inferred by package schema.
//
// Terms: a path template is a key of paths (/users/{id}); a call is a request together with its parsed path.
package writer
