package guard

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// alone counts what its connections write piece by piece. What they write
// together, as net.Buffers, does not go through Write.
type alone struct {
	net.Listener
	writes atomic.Int64
}

type aloneConn struct {
	*net.TCPConn
	from *alone
}

func (a *alone) Accept() (net.Conn, error) {
	connection, err := a.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &aloneConn{connection.(*net.TCPConn), a}, nil
}

func (c *aloneConn) Write(p []byte) (int, error) {
	c.from.writes.Add(1)
	return c.TCPConn.Write(p)
}

// writesOf returns how many piecewise writes two responses with such a body take.
// It checks that their bytes arrive, and before the handler returns.
func writesOf(t *testing.T, body int, length bool) int64 {
	t.Helper()
	listener := check.Value(Listen("127.0.0.1:0"))(t)
	count := &alone{Listener: listener}
	connections := LimitConnections(count, 0, false, nil)
	text := strings.Repeat("x", body)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if length {
			w.Header().Set("Content-Length", strconv.Itoa(body))
		}
		_, _ = io.WriteString(w, text)
		if connOf(r).gathered != nil {
			t.Errorf("%d bytes: something is kept back", body)
		}
	})
	server := &http.Server{Handler: Observe()(handler), ConnContext: ConnContext, ConnState: ConnState}
	go func() { _ = server.Serve(connections) }()
	defer server.Close()
	connection := check.Value(net.Dial("tcp", listener.Addr().String()))(t)
	defer connection.Close()
	reader := bufio.NewReader(connection)
	for range 2 { // the second response on a connection is like the first
		_, _ = io.WriteString(connection, "GET / HTTP/1.1\r\nHost: h\r\n\r\n")
		response := check.Value(http.ReadResponse(reader, nil))(t)
		if got, err := io.ReadAll(response.Body); err != nil || string(got) != text {
			t.Errorf("%d bytes: %d came, %v", body, len(got), err)
		}
	}
	return count.writes.Load()
}

// TestResponsesAreWhole checks that a header and a body that is not large are sent together, so that a process that is
// killed has sent a complete response or nothing.
func TestResponsesAreWhole(t *testing.T) {
	for _, body := range []int{0, 1, smallBytes, smallBytes + 1, 3700, 4 << 10, 5000, 8 << 10, wholeBytes} {
		got := writesOf(t, body, true)
		if want := int64(2); body <= smallBytes && got != want || body > smallBytes && got != 0 {
			t.Errorf("%d bytes: two responses took %d writes of a piece", body, got)
		}
		writesOf(t, body, false) // without a length the end is unknown
	}
	if writesOf(t, wholeBytes+1, true) < 4 {
		t.Error("a large body is kept, too")
	}
}
