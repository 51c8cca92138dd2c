package cluster

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/convertd/convertd/test/proxy"
)

// TestDribble: a client that sends a byte of its body each three seconds is cut
// behind the proxies too, whatever it asks for and however long a body it
// promises, and no replica holds a connection for it.
func TestDribble(t *testing.T) {
	eachProxy(t, 100_000, func(t *testing.T, c *cluster) {
		const limit = 25 * time.Second
		var clients sync.WaitGroup
		for _, line := range []string{"GET /healthz", "GET /", "POST /v1/unknown", "OPTIONS /v1/tools/json_format", "POST /v1/tools/json_format", "GET /mcp", "POST /mcp"} {
			for _, framing := range []string{"Content-Length: 1000", "Content-Length: 1000000", "Transfer-Encoding: chunked"} {
				clients.Go(func() {
					took := dribble(t, strings.TrimPrefix(c.url, "http://"), fmt.Sprintf("%s HTTP/1.1\r\nHost: convert.example.com\r\nContent-Type: application/json\r\n%s\r\n\r\n", line, framing), limit+5*time.Second)
					if took > limit {
						t.Errorf("%s, %s: not cut after %v", line, framing, took)
					}
					t.Logf("%s, %s: %v", line, framing, took)
				})
			}
		}
		clients.Wait()
	})
}

// dribble sends the head and then a byte each three seconds, and returns how
// long the connection lasted.
func dribble(t *testing.T, address, head string, limit time.Duration) time.Duration {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		t.Error(err)
		return limit
	}
	defer connection.Close()
	begin := time.Now()
	piece := " "
	if strings.Contains(head, "chunked") {
		piece = "1\r\n \r\n"
	}
	_, _ = io.WriteString(connection, head)
	buffer := make([]byte, 4096)
	for time.Since(begin) < limit {
		_ = connection.SetReadDeadline(time.Now().Add(3 * time.Second))
		for {
			if _, err = connection.Read(buffer); err != nil {
				break
			}
		}
		if timeout, ok := err.(net.Error); !ok || !timeout.Timeout() {
			break
		}
		_, _ = io.WriteString(connection, piece)
	}
	return time.Since(begin)
}

// TestHalfClosed: who closes the sending direction behind a request is answered
// through the proxies too.
func TestHalfClosed(t *testing.T) {
	eachProxy(t, 100_000, func(t *testing.T, c *cluster) {
		body := `{"input":{"mediaType":"application/json","value":"[` + strings.Repeat("1,", 20_000) + `1]"}}`
		raw := fmt.Sprintf("POST /v1/tools/json_format HTTP/1.1\r\nHost: convert.example.com\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		for i := range 200 {
			connection, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			_ = connection.SetDeadline(time.Now().Add(10 * time.Second))
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

// TestBodyInPieces: a call of 8 KiB is answered though all replicas die between
// the two pieces in which its body comes, on a connection that was used before.
func TestBodyInPieces(t *testing.T) {
	for _, p := range proxy.All {
		t.Run(p.Name, func(t *testing.T) {
			c := newCluster(t, "--rate-limit=0")
			for i := range c.replicas {
				c.start(i)
			}
			c.startProxy(t, p)
			body := `{"input":{"mediaType":"application/json","value":"[` + strings.Repeat("1,", 4_000) + `1]"}}`
			head := fmt.Sprintf("POST /v1/tools/json_format HTTP/1.1\r\nHost: convert.example.com\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", len(body))
			connection, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			_ = connection.SetDeadline(time.Now().Add(20 * time.Second))
			answers := bufio.NewReader(connection)
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
				response, err := http.ReadResponse(answers, nil)
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
