package guard

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/convertd/convertd/internal/convert"
)

// Body reads request bodies: unencoded JSON of at most Limit bytes, complete within Timeout.
type Body struct {
	Limit   int           // bytes
	Timeout time.Duration // for the whole body

	// Admit waits until a body of this many bytes (-1 if unknown) may be read, or fails while the server is overloaded.
	// The caller calls arrived when the body has been read or abandoned. Admit may be nil.
	Admit func(ctx context.Context, bytes int64) (arrived func(), err error)

	// Memory bounds what all bodies and responses hold together; nil disables the bound.
	Memory *Memory
}

// Read returns the request's body and adds its memory to hold, which the caller releases after responding. The error is
// a *convert.Failure, or another error if the client went away or sent less than it announced. On an error Read returns
// no body and holds nothing, with one exception: if a body turns out to be too large while being read, Read returns
// what was read, and holds it.
func (b Body) Read(w http.ResponseWriter, r *http.Request, hold *Hold) ([]byte, error) {
	body, err := b.arrive(w, r, hold)
	if body == nil {
		hold.Release()
	}
	return body, err
}

// arrive waits until the body may be read, and reads it. Observe handles what remains of a rejected body.
func (b Body) arrive(w http.ResponseWriter, r *http.Request, hold *Hold) ([]byte, error) {
	if f := contentType(r); f != nil {
		return nil, f
	}
	if r.ContentLength > int64(b.Limit) {
		return nil, b.tooLarge()
	}
	if b.Admit != nil {
		arrived, err := b.Admit(r.Context(), r.ContentLength)
		if err != nil {
			return nil, err
		}
		defer arrived()
	}
	// Not every ResponseWriter supports deadlines (httptest's recorder doesn't).
	// net/http resets this one at the end of the body, exchange if there is no body.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(b.Timeout))
	body, err := b.read(r, hold)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, convert.Reject(convert.BodyTimeout,
			"The request body did not arrive in time.",
			"Send the whole body at once, or try again over a faster connection.")
	case err != nil:
		return nil, err
	case len(body) > b.Limit:
		return body, b.tooLarge()
	}
	return body, nil
}

// read reads up to one byte more than the limit. The buffer grows with the bytes received rather than with
// Content-Length, so that slow clients hold little memory: it starts small, then is at most 16 times what the client
// has sent, and from 64 KiB on 4 times.
func (b Body) read(r *http.Request, hold *Hold) ([]byte, error) {
	var body []byte
	defer func() { noteBytes(r.Context(), len(body)) }()
	for next := freeBytes; len(body) <= b.Limit; {
		if len(body) == cap(body) {
			size := min(next, b.Limit+1)
			if n := r.ContentLength; n >= 0 && n < int64(size) {
				size = int(n) + 1
			}
			size = max(size, len(body)+1)
			if f := hold.Take(size - len(body)); f != nil {
				return nil, f
			}
			body = append(make([]byte, 0, size), body...)
			next = max(4*next, 64<<10)
		}
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err == io.EOF {
			return body, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return body, nil
}

func (b Body) tooLarge() *convert.Failure {
	return convert.Reject(convert.RequestTooLarge,
		"The request body is larger than %d bytes.",
		"Send a smaller input; the envelope and JSON escapes count too. This service cannot convert a larger one, but the command line can: convertd run.", b.Limit)
}

func contentType(r *http.Request) *convert.Failure {
	if values := r.Header["Content-Encoding"]; len(values) > 0 && !strings.EqualFold(strings.Join(values, ","), "identity") {
		return convert.Reject(convert.UnsupportedContentEncoding,
			"The request body is compressed or otherwise encoded.",
			"Send the body without a Content-Encoding header and without compression.")
	}
	values := r.Header["Content-Type"]
	if len(values) == 1 && (values[0] == "application/json" || jsonType.MatchString(values[0])) {
		return nil
	}
	return convert.Reject(convert.UnsupportedContentType,
		"The Content-Type header is not application/json, has an unsupported parameter, or is repeated.",
		"Send Content-Type: application/json. Only the parameter charset=utf-8 is allowed.")
}

// jsonType matches application/json with at most the parameter charset=utf-8, and with the empty parameters that RFC
// 9110, section 5.6.6, allows. Package mime would also accept the continuations and encodings of mail (RFC 2231).
var jsonType = regexp.MustCompile(`(?i)^application/json[ \t;]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t;]*)?$`)
