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

// public lets pages of every origin read the answer.
func public(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Expose-Headers", "ETag")
		next.ServeHTTP(w, r)
	})
}
