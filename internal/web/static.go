package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// static serves a body that never changes while the program runs, plain or compressed. The two are different
// representations, each with an ETag (RFC 9110, sections 8.8.3.3 and 12.5.3).
type static struct {
	mediaType    string
	cacheControl string
	// plain returns the body, hashed on first use. A body that is embedded
	// compressed is unpacked for the first client that doesn't accept gzip.
	plain func() representation
	// gzipped returns the body compressed on first use. It is empty when
	// compression doesn't pay, and nil when that is known in advance.
	gzipped func() representation
}

type representation struct {
	body []byte
	etag string // strong
}

func represent(body []byte) representation {
	return representation{body: body, etag: `"` + hash(body) + `"`}
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
	return static{
		mediaType:    mediaType,
		cacheControl: cacheControl,
		plain:        sync.OnceValue(func() representation { return represent(body) }),
		gzipped: sync.OnceValue(func() representation {
			if packed := compress(body); len(packed) < len(body)*9/10 {
				return represent(packed)
			}
			return representation{}
		}),
	}
}

func compress(body []byte) []byte {
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is a valid constant
	_, _ = w.Write(body)                                       // a Buffer takes everything
	_ = w.Close()
	return packed.Bytes()
}

func (s static) packed() representation {
	if s.gzipped == nil {
		return representation{}
	}
	return s.gzipped()
}

// ServeHTTP responds to GET and HEAD, with 304 when the client has the body.
func (s static) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	s.describe(header)
	chosen := s.packed()
	if chosen.body != nil {
		header.Add("Vary", "Accept-Encoding")
	}
	if chosen.body != nil && takes(r.Header.Values("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
	} else {
		chosen = s.plain()
	}
	header.Set("ETag", chosen.etag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(chosen.body))
}

// describe sets the headers that don't depend on the content coding.
func (s static) describe(header http.Header) {
	header.Set("Content-Type", s.mediaType)
	header.Set("Cache-Control", s.cacheControl)
	header.Set("X-Content-Type-Options", "nosniff")
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
