// Package openapi reads API descriptions into the request model and writes
// them from it. It knows one version, the newest: package versions rewrites a
// description of any other before it is read and after it is written, and puts
// right what is not as it should be, so a reader finds valid objects only. A
// conversion from a description to a description uses package versions only.
//
// Words: a path template is a key of paths (/users/{id}), an operation a
// method of one, a media type object what stands under a key of content.
package openapi
