package cluster

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/proxy"
)

// TestDribble checks that a client that sends a byte of its body every three seconds is disconnected behind the proxies
// too, whatever it requests and however long its body claims to be.
func TestDribble(t *testing.T) {
	eachProxy(t, 100_000, func(t *testing.T, c *cluster) {
		var clients sync.WaitGroup
		for _, line := range []string{"GET /healthz", "GET /", "POST /v1/unknown", "OPTIONS /v1/tools/json_format", "POST /v1/tools/json_format", "GET /mcp", "POST /mcp"} {
			for _, framing := range []string{"Content-Length: 1000", "Content-Length: 1000000", "Transfer-Encoding: chunked"} {
				head := fmt.Sprintf("%s HTTP/1.1\r\nHost: convert.example.com\r\nContent-Type: application/json\r\n%s\r\n\r\n", line, framing)
				piece := " "
				if strings.Contains(head, "chunked") {
					piece = "1\r\n \r\n"
				}
				connection := daemon.Dial(t, "127.0.0.1", c.address())
				go daemon.Dribble(connection, head, piece, 3*time.Second)
				clients.Go(func() {
					if _, err := io.Copy(io.Discard, connection); errors.Is(err, os.ErrDeadlineExceeded) {
						t.Errorf("%q: not disconnected", head)
					}
				})
			}
		}
		clients.Wait()
	})
}

// TestHalfClosed checks that a client that closes the sending direction after its
// request gets the response through the proxies too.
func TestHalfClosed(t *testing.T) {
	eachProxy(t, 100_000, func(t *testing.T, c *cluster) {
		body := `{"input":{"mediaType":"application/json","value":"[` + strings.Repeat("1,", 20_000) + `1]"}}`
		raw := fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body)
		for i := range 200 {
			connection := daemon.Dial(t, "127.0.0.1", c.address())
			_, _ = io.WriteString(connection, raw)
			_ = connection.(*net.TCPConn).CloseWrite()
			got, _ := io.ReadAll(connection)
			connection.Close()
			if !strings.HasPrefix(string(got), "HTTP/1.1 200 ") || len(got) < len(body) {
				t.Fatalf("call %d: %d bytes, %.100s", i, len(got), got)
			}
		}
	})
}

// TestBodyInPieces checks that a call of 8 KiB succeeds although all replicas are killed between the two pieces in
// which its body arrives, on a connection that was used before.
func TestBodyInPieces(t *testing.T) {
	for _, p := range proxy.All {
		t.Run(p.Name, func(t *testing.T) {
			c := newCluster(t, 3, "--rate-limit=0")
			c.startProxy(t, p, func(config, _ string) string { // the restarts of a busy machine take longer
				return strings.NewReplacer("client_body_timeout 2s", "client_body_timeout 5m", "timeout http-request 10s", "timeout http-request 5m").Replace(config)
			})
			body := `{"input":{"mediaType":"application/json","value":"[` + strings.Repeat("1,", 4_000) + `1]"}}`
			head := fmt.Sprintf("%sContent-Length: %d\r\n\r\n", head, len(body))
			connection := daemon.Dial(t, "127.0.0.1", c.address())
			responses := bufio.NewReader(connection)
			for call := range 3 {
				_, _ = io.WriteString(connection, head+body[:2_000])
				if call > 0 {
					time.Sleep(200 * time.Millisecond) // the proxy has read the first piece
					for i := range c.replicas {
						c.replicas[i].Kill()
						c.start(i)
					}
				}
				_, _ = io.WriteString(connection, body[2_000:])
				response, err := http.ReadResponse(responses, nil)
				if err != nil {
					t.Fatalf("call %d: %v", call, err)
				}
				got, err := io.ReadAll(response.Body)
				if err != nil || response.StatusCode != http.StatusOK || len(got) < len(body) {
					t.Fatalf("call %d: %d %.200s %v", call, response.StatusCode, got, err)
				}
			}
		})
	}
}
