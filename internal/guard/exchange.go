package guard

import (
	"io"
	"net/http"
	"time"

	"github.com/convertd/convertd/internal/convert"
)

// exchange is one request and its answer, as the connection sees them. It keeps
// two promises whatever the handler does: no connection waits for a body that
// nobody reads (net/http itself waits without an end for up to 256 KiB), and
// there is no answer that nobody gave (net/http makes one with status 200).
type exchange struct {
	http.ResponseWriter
	request *http.Request
	conn    *conn // nil without Connections
	status  int   // 0 for no answer yet
	bytes   int   // written
	failed  bool  // a part of the answer could not be written

	body    io.ReadCloser // nil for none
	arrived bool          // whole
	broken  bool          // by the client or a deadline

	context requestContext
	values  [3]string // of headers, see SetHeader
	set     int       // how many of them are
}

// begin takes a request over. The handler gets the exchange and a request with
// what begin sets in r, which is not net/http's own but a copy.
func (x *exchange) begin(r *http.Request) {
	x.request = r
	if r.Body == nil || r.Body == http.NoBody {
		x.complete()
		return
	}
	x.body = r.Body
	r.Body = (*requestBody)(x)
	// A heavy body may have to wait before it is read, on a connection that was
	// idle for longer than any other; those that are should go first.
	if x.conn != nil && (r.ContentLength > convert.Light || r.ContentLength < 0) {
		x.conn.waits()
	}
}

// complete notes that the request is there.
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
		// net/http reads on after the response; it finds nothing.
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
		x.settle()
	}
	x.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (x *exchange) Write(p []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
		x.settle()
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

// What is left of a body when the answer begins: so much is thrown away, so
// that the connection can serve the next request, if it is there by then: a new
// connection for each call that is shed costs more than to skip its body. Else
// the answer does not wait, and is the connection's last.
const (
	leftBytes = 1 << 20
	leftTime  = 50 * time.Millisecond
)

// settle decides, before the header of the response is written, whether it is the
// last one on its connection. It releases what the request context keeps: the
// rest depends on the client.
func (x *exchange) settle() {
	if slot, ok := x.context.value.(interface{ Release() }); ok {
		slot.Release()
	}
	if x.arrived {
		return
	}
	// Who expects 100 Continue has sent nothing, and reading would ask for it.
	// Chunks cannot be read on after a deadline.
	if n := x.request.ContentLength; !x.broken && n >= 0 && n <= leftBytes && x.request.Header.Get("Expect") == "" {
		deadline := http.NewResponseController(x.ResponseWriter)
		if deadline.SetReadDeadline(time.Now().Add(leftTime)) == nil {
			x.skip(n + 1)
		}
	}
	if !x.arrived {
		x.Header().Set("Connection", "close")
	}
}

// skip reads what is left of the body, so many bytes at most, and drops it.
func (x *exchange) skip(bytes int64) {
	if x.conn != nil {
		x.conn.skips.Store(true)
		defer x.conn.skips.Store(false)
	}
	discard(x.request.Body.Read, bytes)
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

// SetHeader sets a header of the answer, whose name is in its canonical form, as
// header.Set does, without memory of its own for the first few.
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
