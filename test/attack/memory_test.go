//go:build unix

package attack

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// TestHeldMemory checks that clients that stop in the middle of a header, of a body or of reading a response make the
// server hold a bounded amount of memory, and that no other client waits for them.
func TestHeldMemory(t *testing.T) {
	daemon.SecondTier(t)
	const crowd = 400
	post := func(path, headers string) string {
		return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" + headers + "\r\n"
	}
	piece := `{"input":{"mediaType":"application/json","value":"` + strings.Repeat("1", 900_000)
	chunked := fmt.Sprintf("%x\r\n%s\r\n", len(piece), piece)
	// 2 KB that become nearly 2 MiB.
	deep := toolBody("application/json", strings.Repeat("[", 250)+strings.Repeat("1,", 700)+"1"+strings.Repeat("]", 250), `{"indent":8}`)
	agents := toolCall("json_format", deep)
	var names strings.Builder
	for i := range 32 << 10 / 6 {
		fmt.Fprintf(&names, "%03x:\r\n", i)
	}
	for _, test := range []struct{ name, text string }{
		{"bodies that stop", post("/v1/tools/json_format", "Content-Length: 1048576\r\n") + piece},
		{"bodies in chunks that stop", post("/v1/tools/json_format", "Transfer-Encoding: chunked\r\n") + chunked},
		{"bodies for agents that stop", post("/mcp", "Content-Length: 1048576\r\n") + piece},
		{"bodies of medium size that stop", post("/v1/tools/json_format", "Content-Length: 65000\r\n") + piece[:64_000]},
		{"bodies that hardly begin", post("/v1/tools/json_format", "Content-Length: 1048576\r\n") + "{"},
		{"refused bodies that stop", post("/v1/tools/json_format", "Content-Encoding: gzip\r\nContent-Length: 1048576\r\n") + piece},
		{"headers that stop", "POST /v1/pipeline HTTP/1.1\r\n" + names.String()},
		{"large responses that nobody reads", post("/v1/tools/json_format", fmt.Sprintf("Content-Length: %d\r\n", len(deep))) + deep},
		{"large responses to agents that nobody reads", post("/mcp", fmt.Sprintf("Content-Length: %d\r\n", len(agents))) + agents},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := attack(t, "--rate-limit=0")
			clients := s.crowd(t, crowd, test.text)
			s.callBeside(t, 50, func() bool { return true })
			got := s.post(t, "/v1/tools/json_format", largeBody)
			if got.status != http.StatusOK && (got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "") {
				t.Errorf("a large call: %d %.300s", got.status, got.body)
			}
			for _, client := range clients {
				client.Close()
			}
			s.unharmed(t)
			daemon.Await(t, "a large call is converted again", func() bool {
				return s.post(t, "/v1/tools/json_format", largeBody).status == http.StatusOK
			})
			s.checkHeld(t)
		})
	}
}

// crowd opens n connections that send the text as far as the server reads it, and then read nothing.
func (s *target) crowd(t *testing.T, n int, text string) []net.Conn {
	clients := make([]net.Conn, n)
	var all sync.WaitGroup
	for i := range clients {
		dialer := net.Dialer{Control: smallWindow}
		connection := check.Value(dialer.Dial("tcp", s.Address()))(t)
		clients[i] = connection
		all.Go(func() {
			_ = connection.SetWriteDeadline(time.Now().Add(5 * time.Second)) // the server may never read it all
			_, _ = io.WriteString(connection, text)
		})
	}
	all.Wait()
	return clients
}

// smallBuffers keeps the kernel from buffering much of what a client sends and does not read.
func smallBuffers(network, address string, c syscall.RawConn) error {
	_ = c.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_SNDBUF, 64<<10) })
	return smallWindow(network, address, c)
}

// smallWindow keeps the kernel from buffering what a client does not read.
func smallWindow(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10) })
}
