// Package reader reads a Postman collection into the request model.
//
//	api, err := reader.Read(doc, budget, warnings)
//
// A part that cannot be read is dropped with a warning. The collection is rewritten first (package postman), so
// each member has the type of the v2.1 schema.
//
// Example: an item with "auth": {"type": "bearer", …} becomes a request.Request
// whose Security requires one request.Auth of kind Bearer.
//
// Files in reading order: read.go (items, requests, headers; variables within the names of variables),
// url.go, auth.go, body.go (bodies and saved responses), transport.go (settings, proxy, certificates), captures.go
// (values that test scripts take from responses, and statuses that they assert).
package reader
