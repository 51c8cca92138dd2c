// Package web serves what people and programs read about the service: its
// description, and the pages around it. Everything is built in and works
// offline.
package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/openapi"
)

// static is a body that never changes while the program runs.
type static struct {
	body      []byte
	mediaType string
	etag      string // strong (RFC 9110, section 8.8.3)
}

func newStatic(mediaType string, body []byte) static {
	sum := sha256.Sum256(body)
	return static{body: body, mediaType: mediaType, etag: `"` + hex.EncodeToString(sum[:16]) + `"`}
}

// ServeHTTP answers GET and HEAD, with 304 where the client has the body.
func (s static) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", s.mediaType)
	header.Set("ETag", s.etag)
	header.Set("Cache-Control", "no-cache") // keep, but ask
	header.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.body))
}

// DescriptionYAML serves the description's source, byte for byte.
func DescriptionYAML() http.Handler {
	return public(newStatic("application/yaml", openapi.YAML))
}

// DescriptionJSON serves the description as JSON.
func DescriptionJSON() http.Handler {
	return public(newStatic("application/json", document.JSON))
}

// public lets pages of every origin read the answer.
func public(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Expose-Headers", "ETag")
		next.ServeHTTP(w, r)
	})
}
