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

	"github.com/convertd/convertd/test/daemon"
)

// crowd is how many connections one attack on the memory opens.
const crowd = 400

// TestHeldMemory: what many clients make the server hold at once by stopping
// in the middle, of a header, of a body or of reading an answer, is bounded,
// and nobody else waits for them.
func TestHeldMemory(t *testing.T) {
	daemon.SecondTier(t)
	post := func(path string, headers string) string {
		return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" + headers + "\r\n"
	}
	piece := `{"input":{"mediaType":"application/json","value":"` + strings.Repeat("1", 900_000)
	chunked := fmt.Sprintf("%x\r\n%s\r\n", len(piece), piece)
	// 2 KB that become nearly 2 MiB.
	deep := toolBody("application/json", strings.Repeat("[", 250)+strings.Repeat("1,", 700)+"1"+strings.Repeat("]", 250), `{"indent":8}`)
	agents := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"json_format","arguments":` + deep + `}}`
	var names strings.Builder
	for i := range 32 << 10 / 6 {
		fmt.Fprintf(&names, "%03x:\r\n", i)
	}
	for _, test := range []struct {
		name, text string
		between    time.Duration
	}{
		{"bodies that stop", post("/v1/tools/json_format", "Content-Length: 1048576\r\n") + piece, 0},
		{"bodies in chunks that stop", post("/v1/tools/json_format", "Transfer-Encoding: chunked\r\n") + chunked, 0},
		{"bodies for agents that stop", post("/mcp", "Content-Length: 1048576\r\n") + piece, 0},
		{"bodies of medium size that stop", post("/v1/tools/json_format", "Content-Length: 65000\r\n") + piece[:64_000], 0},
		{"bodies that hardly begin", post("/v1/tools/json_format", "Content-Length: 1048576\r\n") + "{", 0},
		{"refused bodies that stop", post("/v1/tools/json_format", "Content-Encoding: gzip\r\nContent-Length: 1048576\r\n") + piece, 0},
		{"headers that stop", "POST /v1/pipeline HTTP/1.1\r\n" + names.String(), 0},
		{"large answers that nobody reads", post("/v1/tools/json_format", fmt.Sprintf("Content-Length: %d\r\n", len(deep))) + deep, 5 * time.Millisecond},
		{"large answers to agents that nobody reads", post("/mcp", fmt.Sprintf("Content-Length: %d\r\n", len(agents))) + agents, 10 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := attack(t, "--rate-limit=0")
			s.ResetPeak()
			started, processor := time.Now(), s.Processor(t)
			clients := s.crowd(t, crowd, test.between, test.text)
			var good, health []time.Duration // alternately, for machines that are busy otherwise
			for range 200 {
				good, health = append(good, s.good(t)), append(health, s.health(t))
			}
			large := s.post(t, "/v1/tools/json_format", toolBody("application/json", "["+strings.Repeat("1,", 200_000)+"1]", ""))
			worst, bare := percentile(good, 95), percentile(health, 95)
			t.Logf("%d MiB at most, %d MiB now; %v of processor in %v; good calls: %v at the 95th of 100, health checks %v; a large one: %d", s.Peak(t)>>20, s.Resident(t)>>20, s.Processor(t)-processor, time.Since(started), worst, bare, large.status)
			if peak := s.Peak(t); peak > callMemory {
				t.Errorf("held %d MiB", peak>>20)
			}
			if worst > max(goodTime, 3*bare) {
				t.Errorf("good calls took %v, health checks %v", worst, bare)
			}
			if large.status != http.StatusOK && (large.status != http.StatusServiceUnavailable || large.header.Get("Retry-After") == "") {
				t.Errorf("a large call: %d %.300s", large.status, large.body)
			}
			for _, client := range clients {
				client.Close()
			}
			s.unharmed(t)
			for start := time.Now(); ; time.Sleep(50 * time.Millisecond) { // until all is given back
				got := s.post(t, "/v1/tools/json_format", toolBody("application/json", "["+strings.Repeat("1,", 200_000)+"1]", ""))
				if got.status == http.StatusOK {
					break
				}
				if time.Since(start) > 5*time.Second {
					t.Fatalf("large calls still get %d", got.status)
				}
			}
		})
	}
}

// crowd opens connections that send the text as far as the server takes it,
// and then wait, reading nothing.
func (s *target) crowd(t *testing.T, n int, between time.Duration, text string) []net.Conn {
	clients := make([]net.Conn, n)
	var all sync.WaitGroup
	for i := range clients {
		dialer := net.Dialer{Control: smallWindow}
		connection, err := dialer.Dial("tcp", s.Address())
		if err != nil {
			t.Fatal(err)
		}
		clients[i] = connection
		all.Go(func() {
			_ = connection.SetWriteDeadline(time.Now().Add(5 * time.Second))
			_, _ = io.WriteString(connection, text)
		})
		time.Sleep(between)
	}
	all.Wait()
	return clients
}

// smallWindow keeps the system from taking what a client does not read.
func smallWindow(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10) })
}
