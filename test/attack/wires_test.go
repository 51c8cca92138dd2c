package attack

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/mcp"
	"github.com/convertd/convertd/test/daemon"
)

// openEnd is a request whose body does not come: the head, what is sent of the
// body, and what then dribbles.
type openEnd struct{ address, head, begun, dribble string }

// reads reports whether the service waits for the body.
func (o openEnd) reads() bool {
	line, _, _ := strings.Cut(o.head, "\r\n")
	for _, part := range []string{"Content-Type: application/json\r\n", "Host: 127.0.0.1\r\n"} {
		if !strings.Contains(o.head, part) {
			return false
		}
	}
	for _, part := range []string{"Content-Encoding", "Origin", "Content-Length: 3000000"} {
		if strings.Contains(o.head, part) {
			return false
		}
	}
	return strings.HasPrefix(line, "POST /v1/tools/json_format") || strings.HasPrefix(line, "POST /v1/pipeline") || strings.HasPrefix(line, "POST /mcp HTTP")
}

// openEnds are all that can be made of methods, paths, headers and framings.
func (s *target) openEnds() (all []openEnd) {
	admin := strings.TrimPrefix(s.Admin, "http://")
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "FOO"} {
		for _, path := range []string{"/healthz", "/readyz", "/", "/docs/", "/v1/openapi.json", "/v1/unknown", "/v1/tools/json_format", "/v1/pipeline", "/mcp", "/mcp/unknown", "*", "admin/metrics", "admin/healthz", "admin/unknown"} {
			for _, headers := range []string{"", "Content-Type: application/json\r\n", "Content-Type: text/plain\r\n", "Content-Type: application/json\r\nContent-Encoding: gzip\r\n", "Content-Type: application/json\r\nOrigin: https://" + marker + ".example\r\n", "Content-Type: application/json\r\nExpect: 100-continue\r\n", "Connection: close\r\n", "Connection: keep-alive\r\n"} {
				for _, framing := range []openEnd{
					{"", "Content-Length: 1\r\n", "", ""},
					{"", "Content-Length: 1000\r\n", "{", " "},
					{"", "Content-Length: 300000\r\n", "", ""},
					{"", "Content-Length: 3000000\r\n", strings.Repeat("x", 100_000), "x"},
					{"", "Transfer-Encoding: chunked\r\n", "", ""},
					{"", "Transfer-Encoding: chunked\r\n", "5\r\n{", " "},
					{"", "Transfer-Encoding: chunked\r\n", "1\r\n{\r\n", "1\r\n \r\n"},
				} {
					address, host, version := s.Address(), "127.0.0.1", "1.1"
					target, operators := strings.CutPrefix(path, "admin")
					if operators {
						address = admin
					}
					switch len(all) % 11 {
					case 1:
						host = marker + ".example"
					case 2:
						if !strings.HasPrefix(framing.head, "T") {
							version = "1.0"
						}
					}
					head := fmt.Sprintf("%s %s HTTP/%s\r\nHost: %s\r\n%s%s\r\n", method, target, version, host, headers, framing.head)
					all = append(all, openEnd{address, head, framing.begun, framing.dribble})
				}
			}
		}
	}
	return all
}

// ends sends the request and reads until the server has ended the connection,
// which stays open on this side.
func (o openEnd) ends(t *testing.T, connection net.Conn) {
	begin := time.Now()
	_, _ = io.WriteString(connection, o.head+o.begun)
	over := make(chan struct{})
	defer close(over)
	if o.dribble != "" {
		go func() {
			for {
				select {
				case <-over:
					return
				case <-time.After(700 * time.Millisecond):
					_, _ = io.WriteString(connection, o.dribble)
				}
			}
		}()
	}
	_ = connection.SetReadDeadline(begin.Add(15 * time.Second))
	reader := bufio.NewReader(connection)
	method, _, _ := strings.Cut(o.head, " ")
	status, answered := 0, time.Duration(0)
	for status < 200 { // 100 Continue comes before the answer
		response, err := http.ReadResponse(reader, &http.Request{Method: method})
		if err != nil {
			t.Errorf("%q: no answer after %v: %v", o.head, time.Since(begin), err)
			return
		}
		_, _ = io.Copy(io.Discard, response.Body)
		status, answered = response.StatusCode, time.Since(begin)
	}
	_, err := io.Copy(io.Discard, reader)
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		t.Errorf("%q: still open after its answer %d", o.head, status)
	}
	if answered > 2*time.Second && !o.reads() {
		t.Errorf("%q: answered %d after %v", o.head, status, answered)
	}
}

// TestOpenEnds: whatever is asked for, a body that does not come, or comes a
// byte at a time, keeps neither the answer waiting nor the connection open.
func TestOpenEnds(t *testing.T) {
	daemon.SecondTier(t)
	t.Parallel() // it mostly waits
	s := attack(t, "--rate-limit=0", "--max-connections=0", "--body-timeout=1s")
	all := s.openEnds()
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if testing.Short() {
		all = all[:1000]
	}
	before := s.Descriptors(t)
	for len(all) > 0 && !t.Failed() {
		batch := all[:min(1500, len(all))]
		all = all[len(batch):]
		var clients sync.WaitGroup
		open := make([]net.Conn, len(batch))
		for i, o := range batch {
			var err error
			if open[i], err = net.Dial("tcp", o.address); err != nil {
				t.Fatal(err)
			}
			clients.Go(func() { o.ends(t, open[i]) })
		}
		clients.Wait()
		s.forgotten(t, before, 5*time.Second)
		for _, connection := range open {
			connection.Close()
		}
	}
	s.unharmed(t)
	s.memoryIsBack(t)
}

// forgotten waits until the server has let go of its connections, although
// their clients have not.
func (s *target) forgotten(t *testing.T, descriptors int, limit time.Duration) {
	t.Helper()
	begin := time.Now()
	for s.Descriptors(t) > descriptors+4 {
		if time.Since(begin) > limit {
			t.Errorf("%d descriptors are open after %v, %d before", s.Descriptors(t), limit, descriptors)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestOpenEndsOverQuota: the same behind 429.
func TestOpenEndsOverQuota(t *testing.T) {
	s := attack(t, "--rate-limit=1", "--body-timeout=1s")
	s.post(t, "/v1/tools/json_format", goodBody)
	before := s.Descriptors(t)
	var clients sync.WaitGroup
	for i := range 100 {
		length := []int{1, 1000, 300_000, 900_000}[i%4]
		o := openEnd{s.Address(), fmt.Sprintf("POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n", []string{"/v1/tools/json_format", "/mcp", "/v1/unknown"}[i%3], length), "", " "}
		connection := s.dialFrom(t, "127.0.0.1")
		clients.Go(func() { o.ends(t, connection) })
	}
	clients.Wait()
	s.forgotten(t, before, 5*time.Second)
}

// silence is how silent connections differ.
var silence = []string{
	"",
	"GET / HTTP/1.1\r\nHost: 127.0",
	"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\n\r\n",
	"POST /v1/tools/json_format HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n",
	"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n",
	"DELETE /v1/unknown HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n",
}

// silent opens 16 times 256 connections, from as many addresses, that begin a
// request in one of the ways.
func (s *target) silent(t *testing.T, ways []string) {
	t.Helper()
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for j := range 256 {
				connection := s.dialFrom(t, fmt.Sprintf("127.0.1.%d", i+1))
				_, _ = io.WriteString(connection, ways[j%len(ways)])
			}
		})
	}
	all.Wait()
	for begin := time.Now(); s.Descriptors(t) < 4000; time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > 2*time.Second { // some that were first are gone
			break
		}
	}
}

// TestSilence: as many connections as there may be, all silent, from sixteen
// addresses, keep nobody out, are gone within 20 s and hold no shutdown up.
func TestSilence(t *testing.T) {
	daemon.SecondTier(t)
	for name, ways := range map[string][]string{
		"in the middle of a request": silence,
		"idle":                       {"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := attack(t, "--rate-limit=100000")
			before := s.Descriptors(t)
			begin := time.Now()
			s.silent(t, ways)
			t.Logf("%d descriptors after %v", s.Descriptors(t)-before, time.Since(begin))
			for i := range 100 {
				asked := time.Now()
				if !asks(s.dialFrom(t, "127.0.2.1")) {
					t.Fatalf("client %d is not served", i)
				}
				if took := time.Since(asked); took > time.Second {
					t.Errorf("client %d waits %v", i, took)
				}
			}
			if name != "idle" {
				s.forgotten(t, before, time.Until(begin.Add(20*time.Second)))
				t.Logf("gone after %v", time.Since(begin))
				s.silent(t, ways)
			}
			s.stopsWithin(t, 15*time.Second)
		})
	}
}

// stopsWithin sends SIGTERM and waits for exit code 0.
func (s *target) stopsWithin(t *testing.T, grace time.Duration) {
	t.Helper()
	begin := time.Now()
	err := s.Stop()
	if took := time.Since(begin); err != nil || took > grace {
		t.Errorf("stopped after %v: %v", took, err)
	} else {
		t.Logf("stopped after %v", took)
	}
}

// TestStopsBeforeBodies: the grace is kept also when it is shorter than the
// time that a body or a reader may take.
func TestStopsBeforeBodies(t *testing.T) {
	t.Parallel()
	s := attack(t, "--rate-limit=0", "--shutdown-timeout=3s")
	for _, way := range silence {
		for range 10 {
			_, _ = io.WriteString(s.dialFrom(t, "127.0.0.1"), way)
		}
	}
	large := toolBody("application/json", "["+strings.Repeat("1,", 200_000)+"1]", "")
	for range 5 { // these read no answer
		connection := s.dialFrom(t, "127.0.0.1")
		go fmt.Fprintf(connection, "POST /v1/tools/json_format HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(large), large)
	}
	time.Sleep(500 * time.Millisecond)
	s.stopsWithin(t, 3*time.Second)
}

// TestHalfClosed: 10,000 clients that close the sending direction behind their
// request are all answered.
func TestHalfClosed(t *testing.T) {
	s := attack(t, "--rate-limit=0", "--queue-wait=10s")
	calls := map[string]string{
		"small":    s.rawCall("/v1/tools/json_format", goodBody),
		"large":    s.rawCall("/v1/tools/json_to_yaml", toolBody("application/json", "["+strings.Repeat(`{"a":"b"},`, 5_000)+"1]", "")),
		"pipeline": s.rawCall("/v1/pipeline", `{"version":1,"steps":[{"id":"a","tool":"json_format"},{"id":"b","tool":"json_to_yaml"}],`+goodBody[1:]),
		"page":     "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
	}
	for _, version := range mcp.Revisions {
		a := agent{version}
		for name, arguments := range map[string]string{"": goodBody, ", large": toolBody("application/json", "["+strings.Repeat("1,", 20_000)+"1]", "")} {
			calls["MCP "+version+name] = s.rawCall("/mcp", a.call("json_format", arguments), a.headers("tools/call", "json_format")...)
		}
		calls["MCP list "+version] = s.rawCall("/mcp", a.message("tools/list", ""), a.headers("tools/list", "")...)
	}
	n := 10_000 / len(calls)
	var mutex sync.Mutex
	lost := map[string]int{}
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			for range n/8 + 1 {
				for name, raw := range calls {
					if !s.answersHalfClosed(raw) {
						mutex.Lock()
						lost[name]++
						mutex.Unlock()
					}
				}
			}
		})
	}
	clients.Wait()
	if len(lost) > 0 {
		t.Errorf("of %d each are not answered: %v", (n/8+1)*8, lost)
	}
	s.unharmed(t)
}

// rawCall is a call as it goes over the wire.
func (s *target) rawCall(path, body string, headers ...string) string {
	head := "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
	for i := 0; i < len(headers); i += 2 {
		head += headers[i] + ": " + headers[i+1] + "\r\n"
	}
	return head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

// answersHalfClosed reports whether a request is answered well by 200 and a
// body although the client says at once that it sends nothing more.
func (s *target) answersHalfClosed(raw string) bool {
	connection, err := net.Dial("tcp", s.Address())
	if err != nil {
		return false
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(15 * time.Second))
	_, _ = io.WriteString(connection, raw)
	_ = connection.(*net.TCPConn).CloseWrite()
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return false
	}
	body, err := io.ReadAll(response.Body)
	return err == nil && response.StatusCode == http.StatusOK && len(body) > 50
}
