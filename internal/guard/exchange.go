package guard

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/convertd/convertd/internal/convert"
)

// exchange is a request and its response, as the connection sees them. It guarantees two things whatever the handler
// does: no connection waits for a body that nobody reads (net/http itself waits indefinitely for up to 256 KiB), and no
// response is sent that no handler wrote (net/http sends status 200).
type exchange struct {
	http.ResponseWriter
	request *http.Request
	conn    *conn // nil without Connections
	status  int   // 0 before the response
	bytes   int   // written
	failed  bool  // part of the response could not be written

	body    io.ReadCloser // nil if there is no body
	arrived bool          // complete
	broken  bool          // by the client or a deadline

	context requestContext
	values  [3]string // of headers, see SetHeader
	set     int       // how many of them are in use
}

// begin takes over a request. The handler receives the exchange and r, a copy of
// net/http's request in which begin sets the fields.
func (x *exchange) begin(r *http.Request) {
	x.request = r
	if r.Body == nil || r.Body == http.NoBody {
		x.complete()
		return
	}
	x.body = r.Body
	r.Body = (*requestBody)(x)
	// A heavy body may have to wait before it is read, on a connection that was idle
	// for longer than any other. Idle connections should be closed first.
	if x.conn != nil && (r.ContentLength > convert.Light || r.ContentLength < 0) {
		x.conn.waits()
		x.conn.from.widen(x.conn)
	}
}

// complete records that the request has arrived completely.
func (x *exchange) complete() {
	x.arrived = true
	if x.conn != nil {
		x.conn.works()
	}
}

// end closes the exchange once the handler has returned.
func (x *exchange) end() {
	if !x.arrived {
		if x.conn != nil {
			x.conn.unread.Store(true)
		}
		// net/http reads again after the response; let it find nothing.
		_ = http.NewResponseController(x.ResponseWriter).SetReadDeadline(time.Unix(1, 0))
	}
	if x.status == 0 {
		panic(http.ErrAbortHandler)
	}
}

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (x *exchange) WriteHeader(status int) {
	if x.status == 0 && status >= http.StatusOK {
		x.status = status
		x.beforeHeader()
	}
	x.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (x *exchange) Write(p []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
		x.beforeHeader()
	}
	write := x.ResponseWriter.Write
	if x.isWhole(p) {
		write = x.writeWhole
	}
	n, err := write(p)
	x.bytes += n
	x.failed = x.failed || err != nil
	return n, err
}

// The rest of a body that may be discarded when the response begins. Discarding it lets the connection serve the next
// request, provided that the rest arrives by then: a new connection for each rejected request costs more than discarding
// its body. Otherwise the response does not wait and is the connection's last.
const (
	leftBytes = 1 << 20
	leftTime  = 50 * time.Millisecond
)

// beforeHeader decides, before the response's header is written, whether the response is the last one on its
// connection. It releases what the request context keeps, because the remaining time depends on the client.
func (x *exchange) beforeHeader() {
	if slot, ok := x.context.value.(interface{ Release() }); ok {
		slot.Release()
	}
	if x.arrived {
		return
	}
	// A client that expects 100 Continue has sent nothing, and reading would request
	// the body. Chunked bodies cannot be resumed after a deadline.
	if n := x.request.ContentLength; !x.broken && n >= 0 && n <= leftBytes && x.request.Header.Get("Expect") == "" {
		deadline := http.NewResponseController(x.ResponseWriter)
		if deadline.SetReadDeadline(time.Now().Add(leftTime)) == nil {
			_, _ = io.CopyN(io.Discard, x.request.Body, n+1)
		}
	}
	if !x.arrived {
		x.Header().Set("Connection", "close")
	}
}

// requestBody is the body as the handler reads it.
type requestBody exchange

// Read implements io.Reader.
func (b *requestBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	switch {
	case err == io.EOF:
		(*exchange)(b).complete()
	case err != nil:
		b.broken = true
	}
	return n, err
}

// Close implements io.Closer.
func (b *requestBody) Close() error { return b.body.Close() }

// SetHeader sets a response header, whose name must be in canonical form. It does
// what header.Set does, without allocating for the first few.
func SetHeader(w http.ResponseWriter, name, value string) {
	x, ok := w.(*exchange)
	if !ok || x.set == len(x.values) {
		w.Header()[name] = []string{value}
		return
	}
	x.values[x.set] = value
	x.set++
	w.Header()[name] = x.values[x.set-1 : x.set : x.set]
}

// The values of headers that every response of a call has, allocated once and never modified. Their capacity equals
// their length, so appending to one makes a copy.
var (
	JSONType    = []string{"application/json"}
	ProblemType = []string{"application/problem+json"}
	noStore     = []string{"no-store"}
	noSniff     = []string{"nosniff"}
)

// WriteBody sends a complete body with its exact length. Responses contain input and must not be cached.
func WriteBody(w http.ResponseWriter, status int, mediaType []string, body []byte) {
	header := w.Header()
	header["Content-Type"] = mediaType
	SetHeader(w, "Content-Length", strconv.Itoa(len(body)))
	header["Cache-Control"] = noStore
	header["X-Content-Type-Options"] = noSniff
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone; nothing else can be done
}
