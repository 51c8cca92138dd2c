// Package naming derives names for an OpenAPI document: identifiers from titles ("Get user by ID" → getUserByID),
// component names from the resource that a path is about (/v1/orders/{id} → Order), and titles from methods and paths
// (GET /v1/orders → List orders).
package naming
