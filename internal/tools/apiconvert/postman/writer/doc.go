// Package writer writes the request model as a Postman collection v2.1.
//
//	root := writer.Write(api, budget, warnings)
//
// What the collection cannot express is a warning. Servers of an OpenAPI document become variables ({{baseUrl}}); a
// request's further bodies and the examples of its responses become saved responses.
//
// Example: a request.Request with the path /pets/{id} becomes an item whose URL has
// the path ["pets", ":id"] and the variable id.
//
// Files in reading order: write.go (variables, folders, items, headers, settings), url.go,
// auth.go, response.go (bodies and saved responses).
package writer
