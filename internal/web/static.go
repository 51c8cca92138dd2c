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

// static is a body that never changes while the program runs, as it is and
// compressed. The two are different representations with an ETag each (RFC
// 9110, sections 8.8.3.3 and 12.5.3).
type static struct {
	mediaType    string
	cacheControl string
	// plain is the body as it is, hashed on first use; of one that is embedded
	// compressed it is unpacked when the first client asks that does not take
	// that, which is no browser.
	plain func() representation
	// gzipped compresses on first use, so that a start does not wait for pages
	// that nobody asks for; it has no body where compression does not pay,
	// and is nil where that is known.
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
	// revalidate: keep, but ask whether it is still current.
	revalidate = "no-cache"
	// immutable is for addresses that hold the hash of what they serve.
	immutable = "public, max-age=31536000, immutable"
)

// newStatic returns a body to serve, which must not be changed afterwards.
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

// ServeHTTP answers GET and HEAD, with 304 where the client has the body.
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

// describe sets what does not depend on the coding.
func (s static) describe(header http.Header) {
	header.Set("Content-Type", s.mediaType)
	header.Set("Cache-Control", s.cacheControl)
	header.Set("X-Content-Type-Options", "nosniff")
}

// takes reads Accept-Encoding (RFC 9110, section 12.5.3) as far as one coding
// is concerned: it or * is listed, and not with weight 0.
func takes(fields []string, wanted string) bool {
	takes := false
	for _, item := range strings.Split(strings.Join(fields, ","), ",") {
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
