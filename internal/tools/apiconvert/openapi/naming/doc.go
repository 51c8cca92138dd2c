// Package naming names what an OpenAPI document needs a name for: identifiers from
// texts ("Get user by ID" → getUserByID), and the resource that a path and its
// bodies are about (/v1/orders/{id} → Order), which names components.
//
// In reading order: identifier.go (texts), resource.go (paths and properties).
package naming
