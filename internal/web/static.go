package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// static serves a body that never changes while the program runs.
type static struct {
	mediaType    string
	cacheControl string
	codings      []coding // the first that the client accepts is sent; the last is the body itself
}

// coding is a content coding of a body. Each is another representation, with its own ETag (RFC 9110, sections 8.8.3.3 and
// 12.5.3).
type coding struct {
	name string // of Content-Encoding, "" for the body itself
	// represent is called on the first request for it. It returns no representation if coding doesn't pay.
	represent func() representation
}

type representation struct {
	open func() io.ReadSeeker
	etag string // strong
}

// represent returns the representation that consists of these bytes.
func represent(body []byte) representation {
	return representation{func() io.ReadSeeker { return bytes.NewReader(body) }, `"` + hash(body) + `"`}
}

// once returns a coding that is made once.
func once(name string, represent func() representation) coding {
	return coding{name, sync.OnceValue(represent)}
}

// hash names a body: 32 hexadecimal digits of its SHA-256.
func hash(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:16])
}

const (
	// revalidate lets caches store a response and check it on each use.
	revalidate = "no-cache"
	// immutable is for URLs that contain the hash of the body.
	immutable = "public, max-age=31536000, immutable"
)

// newStatic returns a handler for a body, which must not change afterwards.
func newStatic(mediaType, cacheControl string, body []byte) static {
	return static{mediaType, cacheControl, []coding{
		once("gzip", func() representation {
			if packed := compress(bytes.NewReader(body)); len(packed) < len(body)*9/10 {
				return represent(packed)
			}
			return representation{}
		}),
		once("", func() representation { return represent(body) }),
	}}
}

func compress(body io.Reader) []byte {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.Copy(w, body); err != nil {
		panic(err) // it is built in, and a test reads it
	}
	_ = w.Close() // a Buffer takes everything
	return bytes.Clone(packed.Bytes())
}

// ServeHTTP responds to GET and HEAD, with 304 when the client has the body.
func (s static) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", s.mediaType)
	header.Set("Cache-Control", s.cacheControl)
	header.Set("X-Content-Type-Options", "nosniff")
	if len(s.codings) > 1 {
		header.Add("Vary", "Accept-Encoding")
	}
	for _, c := range s.codings {
		if c.name != "" && !takes(r.Header.Values("Accept-Encoding"), c.name) {
			continue
		}
		chosen := c.represent()
		if chosen.open == nil {
			continue
		}
		if c.name != "" {
			header.Set("Content-Encoding", c.name)
		}
		header.Set("ETag", chosen.etag)
		http.ServeContent(w, r, "", time.Time{}, chosen.open())
		return
	}
}

// takes reports whether Accept or Accept-Encoding (RFC 9110, sections 12.5.1 and
// 12.5.3) lists a value, or *, with a weight other than 0.
func takes(fields []string, wanted string) bool {
	takes := false
	for item := range strings.SplitSeq(strings.Join(fields, ","), ",") {
		coding, parameters, _ := strings.Cut(item, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding != wanted && coding != "*" {
			continue
		}
		weight, weighted := strings.CutPrefix(strings.TrimSpace(parameters), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		takes = !weighted || err == nil && q > 0
		if coding == wanted {
			return takes
		}
	}
	return takes
}
