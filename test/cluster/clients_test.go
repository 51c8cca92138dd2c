package cluster

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/proxy"
)

const (
	mostConnections = 256 // per client of HAProxy
	mostRequests    = 64  // per client of nginx
	mostUnsent      = 512 << 10
)

const head = "POST /v1/tools/json_format HTTP/1.1\r\nHost: convert.example.com\r\nContent-Type: application/json\r\n"

// TestOneClient opens more connections or requests from one address than a proxy
// allows. The proxy must reject the rest and serve other addresses.
func TestOneClient(t *testing.T) {
	for _, p := range proxy.All {
		t.Run(p.Name, func(t *testing.T) {
			c := newCluster(t, 1, "--rate-limit=0")
			c.startProxy(t, p)
			if p.Name == "haproxy" {
				c.silent(t)
			} else {
				c.incomplete(t)
			}
		})
	}
}

// silent opens connections that send nothing until all of them are open.
func (c *cluster) silent(t *testing.T) {
	var connections []net.Conn
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	for range mostConnections + 100 {
		if connection, err := dialer.Dial("tcp", c.address()); err == nil { // rejected ones may be reset at once
			t.Cleanup(func() { connection.Close() })
			connections = append(connections, connection)
		}
	}
	c.healthy(t)
	served := 0
	for _, connection := range connections {
		_, _ = io.WriteString(connection, "GET /healthz HTTP/1.1\r\nHost: convert.example.com\r\n\r\n")
		if _, err := http.ReadResponse(bufio.NewReader(connection), nil); err == nil {
			served++
		}
	}
	if served != mostConnections {
		t.Errorf("%d connections of one address were served, want %d", served, mostConnections)
	}
}

// incomplete sends requests with incomplete bodies until the proxy has rejected those over its limit.
func (c *cluster) incomplete(t *testing.T) {
	const body = `{"input":{"mediaType":"application/json","value":"[1]"}}`
	var connections []net.Conn
	var statuses sync.Map
	count := func(status int) (n int) {
		statuses.Range(func(_, got any) bool {
			if got == status {
				n++
			}
			return true
		})
		return n
	}
	for range mostRequests + 30 {
		connection := daemon.Dial(t, "127.0.0.2", c.address())
		fmt.Fprintf(connection, "%sContent-Length: %d\r\n\r\n", head, len(body))
		go func() {
			if response, err := http.ReadResponse(bufio.NewReader(connection), nil); err == nil {
				statuses.Store(connection, response.StatusCode)
			}
		}()
		connections = append(connections, connection)
	}
	daemon.Await(t, "the proxy has refused 30 requests", func() bool { return count(http.StatusTooManyRequests) == 30 })
	c.healthy(t)
	for _, connection := range connections {
		_, _ = io.WriteString(connection, body)
	}
	daemon.Await(t, "all others are served", func() bool { return count(http.StatusOK) == mostRequests })
}

// TestUnreadResponses counts the bytes that the kernel holds for a proxy's clients that don't read their responses.
func TestUnreadResponses(t *testing.T) {
	for _, p := range proxy.All {
		t.Run(p.Name, func(t *testing.T) {
			c := newCluster(t, 3, "--rate-limit=0")
			c.startProxy(t, p)
			deep := fmt.Sprintf(`{"input":{"mediaType":"application/json","value":"%s"},"options":{"indent":8}}`,
				strings.Repeat("[", 240)+strings.Repeat("1,", 800)+"1"+strings.Repeat("]", 240))
			const clients = 10
			for range clients {
				connection := daemon.Dial(t, "127.0.0.2", c.address())
				_ = connection.(*net.TCPConn).SetReadBuffer(4096)
				fmt.Fprintf(connection, "%sContent-Length: %d\r\n\r\n%s", head, len(deep), deep)
			}
			daemon.Await(t, "all responses wait", func() bool { return len(c.unsent(t)) == clients })
			c.healthy(t)
			for _, bytes := range c.unsent(t) {
				if bytes > mostUnsent {
					t.Errorf("the kernel holds %d KiB for one connection, want at most %d", bytes>>10, mostUnsent>>10)
				}
			}
		})
	}
}

// unsent returns how many bytes each of the proxy's connections has still to send.
func (c *cluster) unsent(t *testing.T) (all []int64) {
	t.Helper()
	text := check.File(t, "/proc/net/tcp")
	_, port, _ := net.SplitHostPort(c.address())
	number, _ := strconv.Atoi(port)
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 5 || !strings.HasSuffix(fields[1], fmt.Sprintf(":%04X", number)) {
			continue
		}
		queue, _, _ := strings.Cut(fields[4], ":")
		if bytes, err := strconv.ParseInt(queue, 16, 64); err == nil && bytes > 0 {
			all = append(all, bytes)
		}
	}
	return all
}

// healthy requests the health check five times from another address.
func (c *cluster) healthy(t *testing.T) {
	t.Helper()
	client := daemon.Client(t, "127.0.0.3")
	for range 5 {
		response := check.Value(client.Get(c.url + "/healthz"))(t)
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("the health check of another address: %d", response.StatusCode)
		}
	}
}
