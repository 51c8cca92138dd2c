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
	"time"

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

// TestDiscardInACrowd checks that less is discarded of each body while many are.
func TestDiscardInACrowd(t *testing.T) {
	discarded := func() (all int) {
		discard(func(p []byte) (int, error) { all += len(p); return len(p), nil }, lingerBytes)
		return all
	}
	if n := discarded(); n < lingerBytes {
		t.Errorf("%d bytes alone", n)
	}
	discarding.Add(manyDiscard)
	defer discarding.Add(-manyDiscard)
	if n := discarded(); n <= leftBytes || n > crowdBytes {
		t.Errorf("%d bytes in a crowd", n)
	}
}

// TestSkip checks that skipped bytes are counted like read ones, and that EOF, a
// deadline and a reset are reported as for reads.
func TestSkip(t *testing.T) {
	for name, end := range map[string]func(server, client *net.TCPConn) (want string){
		"end": func(_, client *net.TCPConn) string { _ = client.CloseWrite(); return "EOF" },
		"deadline": func(server, _ *net.TCPConn) string {
			_ = server.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
			return "i/o timeout"
		},
		"reset": func(_, client *net.TCPConn) string {
			_ = client.SetLinger(0)
			_ = client.Close()
			return "connection reset by peer"
		},
	} {
		t.Run(name, func(t *testing.T) {
			server, client := tcpPair(t)
			check.Value(client.Write(make([]byte, 100_000)))(t)
			piece := make([]byte, 8<<10)
			for left := 100_000; left > 0; {
				n, err := skip(server, piece)
				if err != nil || n == 0 {
					t.Fatalf("%d bytes, %v, with %d left", n, err, left)
				}
				left -= n
			}
			if name == "reset" {
				check.SkipUnderWine(t, "reports a reset connection as the end of the input")
			}
			want := end(server, client)
			if n, err := skip(server, piece); n != 0 || err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%d bytes, %v; want %s", n, err, want)
			}
		})
	}
}

// tcpPair returns the two ends of a connection.
func tcpPair(t *testing.T) (server, client *net.TCPConn) {
	t.Helper()
	listener := check.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	dialled := check.Value(net.Dial("tcp", listener.Addr().String()))(t)
	accepted := check.Value(listener.Accept())(t)
	t.Cleanup(func() { dialled.Close(); accepted.Close() })
	return accepted.(*net.TCPConn), dialled.(*net.TCPConn)
}
