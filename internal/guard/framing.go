package guard

import (
	"net/http"
	"strconv"

	"github.com/convertd/convertd/internal/convert"
)

// Framing keeps a proxy in front and this server from disagreeing where a request ends, which lets a client smuggle a
// request past the proxy (RFC 9112, section 11.2). It rejects a Content-Length with leading zeros or spaces. It
// closes the connection after a request in chunks: net/http accepts a Content-Length in addition to chunks and removes it
// before a handler runs. It closes the connection after a request of HTTP/1.0, in which net/http ignores
// Transfer-Encoding. RFC 9112, section 6.1, requires both.
func Framing(refuse Refuser) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			lengths := r.Header["Content-Length"]
			padded := len(lengths) > 0 && lengths[0] != strconv.FormatInt(r.ContentLength, 10)
			if padded || len(r.TransferEncoding) > 0 || !r.ProtoAtLeast(1, 1) {
				w.Header().Set("Connection", "close")
			}
			if padded {
				refuse(w, r, convert.Reject(convert.MalformedJSON,
					"The Content-Length header has leading zeros or spaces.",
					"Send Content-Length as a decimal number without leading zeros."))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}
