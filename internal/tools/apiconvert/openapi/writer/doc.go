// Package writer writes an OpenAPI document from the request model.
//
//	Request{Method: "GET", Path: "/pets/7"}       paths:
//	Request{Method: "GET", Path: "/pets/8"}  →      /pets/{petId}:
//	                                                  get: {operationId: getPet, …}
//
// In reading order: write.go (Write), template.go (groups requests with the same method and path template into
// operations), host.go (servers), describe.go (operations), input.go (parameters), payload.go (bodies
// and responses, examples), fields.go (forms), scheme.go (security),
// variable.go (variables with and without a value, in JSON, too). Names come from
// operationid.go and package naming, examples from payload.go.
// share.go moves schemas that several bodies share into components. Package infer infers the schemas.
//
// Terms: a path template is a key of paths (/users/{id}); a call is a request together with its parsed path.
package writer
