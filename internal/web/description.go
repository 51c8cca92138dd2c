package web

import (
	"net/http"
	"strings"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/openapi"
)

// Description serves the OpenAPI document.
type Description struct{ YAML, JSON http.Handler }

// Describe returns the OpenAPI document with the base URL in its servers, examples
// and code samples. root is the path of the base URL.
func Describe(baseURL, root string) Description {
	return Description{
		YAML: public(newStatic("application/yaml", revalidate, withBaseURL(openapi.YAML, baseURL, root))),
		JSON: public(newStatic("application/json", revalidate, withBaseURL(document.JSON, baseURL, root))),
	}
}

// The URLs in the source document: those of examples; its Host header; the server, as YAML and as
// JSON; the routes in a hint.
const (
	exampleURL = "http://127.0.0.1:8080"
	hostHeader = "Host: 127.0.0.1:8080"
	serverYAML = "\n  - url: /\n"
	serverJSON = "\n   \"url\": \"/\","
	hinted     = "/v1/openapi.json; a tool is at /v1/tools/"
)

// withBaseURL inserts a base URL into the document. No character of a base URL
// needs escaping in YAML or JSON, see guard.BaseURL.
func withBaseURL(text []byte, baseURL, root string) []byte {
	return []byte(strings.NewReplacer(
		exampleURL, baseURL,
		hostHeader, "Host: "+hostOf(baseURL),
		serverYAML, strings.Replace(serverYAML, "/", baseURL, 1),
		serverJSON, strings.Replace(serverJSON, "/", baseURL, 1),
		hinted, strings.ReplaceAll(hinted, "/v1", root+"/v1"),
	).Replace(string(text)))
}

// hostOf returns a base URL's host and port, as in a Host header.
func hostOf(baseURL string) string {
	_, rest, _ := strings.Cut(baseURL, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// Published serves a body that does not change while the program runs. Every
// origin may read it and cache it for an hour.
func Published(mediaType string, body []byte) http.Handler {
	return public(newStatic(mediaType, "public, max-age=3600", body))
}

// public lets pages of every origin read the response.
func public(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Expose-Headers", "ETag")
		next.ServeHTTP(w, r)
	})
}
