package web

import (
	"net/http"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/openapi"
)

// DescriptionYAML serves the description's source, byte for byte.
func DescriptionYAML() http.Handler {
	return public(newStatic("application/yaml", revalidate, openapi.YAML))
}

// DescriptionJSON serves the description as JSON.
func DescriptionJSON() http.Handler {
	return public(newStatic("application/json", revalidate, document.JSON))
}

// Published serves a text that is the same for as long as the program runs,
// which every origin may read, and keep for an hour.
func Published(mediaType string, body []byte) http.Handler {
	return public(newStatic(mediaType, "public, max-age=3600", body))
}

// public lets pages of every origin read the answer.
func public(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Expose-Headers", "ETag")
		next.ServeHTTP(w, r)
	})
}
