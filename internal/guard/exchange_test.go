package guard

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// serveGuarded serves a handler on loopback under Observe and Connections, and connects to it.
func serveGuarded(t *testing.T, handler http.HandlerFunc) (net.Conn, *bufio.Reader) {
	t.Helper()
	connections := listen(t, nil)
	server := &http.Server{Handler: Observe()(handler), ConnContext: ConnContext, ConnState: ConnState}
	go func() { _ = server.Serve(connections) }()
	t.Cleanup(func() { server.Close() })
	connection := check.Value(net.Dial("tcp", connections.Addr().String()))(t)
	t.Cleanup(func() { connection.Close() })
	return connection, bufio.NewReader(connection)
}

// TestSkippedBodies checks that a request that is rejected before or while its body is read leaves the connection
// usable: the next, pipelined request arrives whole.
func TestSkippedBodies(t *testing.T) {
	connection, responses := serveGuarded(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/refused" {
			_, _ = io.CopyN(io.Discard, r.Body, r.ContentLength/8)
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		body, err := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, "%x %v", sha256.Sum256(body), err)
	})
	request := func(path, body string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
	}
	for _, size := range []int{1, 100, 4095, 4096, 4097, 8191, 8192, 8193, 65_535, 65_537, 300_000, leftBytes} {
		body := strings.Repeat("a body. ", size/8+1)[:size]
		sent := make(chan error, 1)
		go func() {
			_, err := io.WriteString(connection, request("/refused", body)+request("/taken", body))
			sent <- err
		}()
		refused, err := http.ReadResponse(responses, nil)
		if err != nil || refused.StatusCode != http.StatusServiceUnavailable {
			t.Fatalf("%d bytes: %v, %v", size, refused, err)
		}
		taken, err := http.ReadResponse(responses, nil)
		if err != nil {
			t.Fatalf("%d bytes: the next one: %v", size, err)
		}
		got, err := io.ReadAll(taken.Body)
		if want := fmt.Sprintf("%x <nil>", sha256.Sum256([]byte(body))); err != nil || string(got) != want {
			t.Errorf("%d bytes: the next one is %s, %v", size, got, err)
		}
		check.OK(t, <-sent)
	}
}
