package web

import (
	"net/http"
	"strings"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/openapi"
)

// Description is the description as it is served.
type Description struct{ YAML, JSON http.Handler }

// Describe returns the description's source, byte for byte. With a base URL
// that the operator has set, not "", it has that address wherever the source
// has its own: in servers, examples and samples of code. root is the base URL's
// path.
func Describe(baseURL, root string) Description {
	return Description{
		YAML: public(newStatic("application/yaml", revalidate, addressed(openapi.YAML, baseURL, root))),
		JSON: public(newStatic("application/json", revalidate, addressed(document.JSON, baseURL, root))),
	}
}

// What the source says of addresses: its own, which examples have; the server,
// as YAML and as JSON; the routes that a hint names.
const (
	ownAddress = "http://127.0.0.1:8080"
	serverYAML = "\n  - url: /\n"
	serverJSON = "\n   \"url\": \"/\","
	hinted     = "/v1/openapi.json; a tool is at /v1/tools/"
)

// addressed puts a base URL into the description. Nothing in one has to be
// escaped in YAML or JSON, see guard.BaseURL.
func addressed(text []byte, baseURL, root string) []byte {
	if baseURL == "" {
		return text
	}
	pairs := []string{ownAddress, baseURL}
	if root != "" {
		pairs = append(pairs,
			serverYAML, strings.Replace(serverYAML, "/", root, 1),
			serverJSON, strings.Replace(serverJSON, "/", root, 1),
			hinted, strings.ReplaceAll(hinted, "/v1", root+"/v1"))
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(text)))
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
