package guard

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/convertd/convertd/internal/convert"
)

// Body reads request bodies: JSON, not encoded, at most Limit bytes, complete
// within Timeout.
type Body struct {
	Limit   int           // bytes
	Timeout time.Duration // for the whole body

	// Admit waits until a body of so many bytes (-1 when that is not known)
	// may be read, or fails while the server has more to do than it can.
	// arrived is called when the body has been read or given up. Admit may be
	// nil.
	Admit func(ctx context.Context, bytes int64) (arrived func(), err error)

	// Memory bounds what all bodies and answers hold together; nil is no bound.
	Memory *Memory
}

// Read returns the request's body and adds what it holds to hold, which the
// caller releases when the request is answered. The error is a *convert.Failure,
// or another error when the client went away or sent less than it said. After an
// error there is no body and nothing is held, but that of a body that turned out
// too large while it was read: there it is what was read, and is held.
func (b Body) Read(w http.ResponseWriter, r *http.Request, hold *Hold) ([]byte, error) {
	body, err := b.arrive(w, r, hold)
	if body == nil {
		hold.Release()
	}
	return body, err
}

// arrive waits until the body may be read, and reads it. What is left of a body
// that is refused is Observe's to deal with.
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
	// Not every ResponseWriter has deadlines (a test's recorder has none). net/http
	// takes this one away at the body's end, exchange where there is none.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(b.Timeout))
	body, err := b.read(r, hold)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, convert.Refuse(convert.BodyTimeout,
			"The request body did not arrive in time.",
			"Send the whole body at once, or try again over a faster connection.")
	case err != nil:
		return nil, err
	case len(body) > b.Limit:
		return body, b.tooLarge()
	}
	return body, nil
}

// read reads up to one byte more than the limit. The buffer grows with what
// arrives rather than with what Content-Length promises, so that slow clients
// hold little memory: a small first buffer, then at most sixteen times, from
// 64 KiB on four times, what they have sent.
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
	return convert.Refuse(convert.RequestTooLarge,
		"The request body is larger than %d bytes.",
		"Send a smaller input; the envelope and JSON escapes count too. This service cannot convert a larger one, but the command line can: convertd run.", b.Limit)
}

func contentType(r *http.Request) *convert.Failure {
	if values := r.Header["Content-Encoding"]; len(values) > 0 && !strings.EqualFold(strings.Join(values, ","), "identity") {
		return convert.Refuse(convert.UnsupportedContentEncoding,
			"The request body is encoded.",
			"Send the body as it is, without a Content-Encoding header.")
	}
	values := r.Header["Content-Type"]
	if len(values) == 1 {
		if values[0] == "application/json" {
			return nil // as nearly everybody writes it
		}
		mediaType, parameters, _ := strings.Cut(values[0], ";")
		if strings.EqualFold(strings.Trim(mediaType, " \t"), "application/json") && onlyUTF8(parameters) {
			return nil
		}
	}
	return convert.Refuse(convert.UnsupportedContentType,
		"The Content-Type header is not application/json.",
		"Send Content-Type: application/json; only charset=utf-8 may follow.")
}

// onlyUTF8 reports whether the parameters after a media type (RFC 9110, section
// 5.6.6) are charset=utf-8, once, or none. Package mime would take it in the
// pieces and encodings of mail, too (RFC 2231).
func onlyUTF8(parameters string) bool {
	given := 0
	for parameter := range strings.SplitSeq(parameters, ";") {
		parameter = strings.ToLower(strings.Trim(parameter, " \t"))
		if parameter == "" {
			continue // RFC 9110 allows it
		}
		if parameter != "charset=utf-8" && parameter != `charset="utf-8"` {
			return false
		}
		given++
	}
	return given <= 1
}
