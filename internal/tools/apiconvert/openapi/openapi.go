// Package openapi reads API descriptions into the request model and writes
// them from it. It knows OpenAPI 3.1, and 3.2 for reading: package versions
// rewrites the others before they are read and after they are written. A
// conversion from a description to a description uses package versions only.
//
// Words: a path template is a key of paths (/users/{id}), an operation a
// method of one, a media type object what stands under a key of content.
package openapi
