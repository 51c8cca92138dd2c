package attack

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
)

// openEnd is a request whose body does not arrive: the address, the header, the
// beginning of the body, and the bytes that then dribble in.
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

// openEnds returns every combination of methods, paths, headers and framings.
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

// ends sends the request and reads until the server has closed the connection, which stays open on this side.
func (o openEnd) ends(t *testing.T, connection net.Conn) {
	if o.dribble == "" {
		_, _ = io.WriteString(connection, o.head+o.begun)
	} else {
		go daemon.Dribble(connection, o.head+o.begun, o.dribble, 700*time.Millisecond)
	}
	_ = connection.SetReadDeadline(time.Now().Add(daemon.Hang))
	reader := bufio.NewReader(connection)
	method, _, _ := strings.Cut(o.head, " ")
	for status := 0; status < 200; { // 100 Continue comes before the response
		response, err := http.ReadResponse(reader, &http.Request{Method: method})
		if err != nil {
			t.Errorf("%q: no response: %v", o.head, err)
			return
		}
		_, _ = io.Copy(io.Discard, response.Body)
		status = response.StatusCode
	}
	if _, err := io.Copy(io.Discard, reader); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%q: still open after its response", o.head)
	}
}

// sendAll sends the requests, 1,500 at once, and waits until the server has released
// their connections although the clients have not.
func (s *target) sendAll(t *testing.T, all []openEnd) {
	before := s.Descriptors(t)
	for batch := range slices.Chunk(all, 1500) {
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
		if t.Failed() {
			return
		}
		s.releases(t, before)
		for _, connection := range open {
			connection.Close()
		}
	}
}

// releases waits until the server has no more descriptors open than before.
func (s *target) releases(t *testing.T, before int) {
	t.Helper()
	daemon.Await(t, "the connections' descriptors are released", func() bool { return s.Descriptors(t) <= before+4 })
}

// TestOpenEnds checks that a body that does not arrive, or arrives a byte at a time, delays neither the response nor
// the end of the connection. Only a request whose body is read may take the body timeout, so all others go to a service
// whose body timeout is an hour.
func TestOpenEnds(t *testing.T) {
	t.Parallel() // it mostly waits
	for name, timeout := range map[string]string{"read": "1s", "not read": "1h"} {
		t.Run(name, func(t *testing.T) {
			s := attack(t, "--rate-limit=0", "--max-connections=0", "--body-timeout="+timeout)
			all := slices.DeleteFunc(s.openEnds(), func(o openEnd) bool { return o.reads() != (name == "read") })
			if testing.Short() {
				rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
				all = all[:min(100, len(all))]
			}
			s.sendAll(t, all)
			s.unharmed(t)
			s.releasesMemory(t)
		})
	}
}

// TestOpenEndsOverQuota checks the same for requests that are rejected with 429.
func TestOpenEndsOverQuota(t *testing.T) {
	t.Parallel()
	s := attack(t, "--rate-limit=1", "--body-timeout=1h")
	var all []openEnd
	for i := range 100 {
		length := []int{1, 1000, 300_000, 900_000}[i%4]
		path := []string{"/v1/tools/json_format", "/mcp", "/v1/unknown"}[i%3]
		all = append(all, openEnd{s.Address(), fmt.Sprintf("POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n", path, length), "", " "})
	}
	s.sendAll(t, all)
}

// silence lists how a connection may fall silent.
var silence = []string{
	"",
	"GET / HTTP/1.1\r\nHost: 127.0",
	"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\n\r\n",
	"POST /v1/tools/json_format HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n",
	"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n",
	"DELETE /v1/unknown HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n",
}

// silent opens 256 connections from each of 16 addresses. Each sends one of the texts
// and then nothing, except for one in 256 that goes on sending a header.
func (s *target) silent(t *testing.T, texts []string) {
	t.Helper()
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for j := range 256 {
				connection := daemon.Dial(t, fmt.Sprintf("127.0.1.%d", i+1), s.Address())
				_, _ = io.WriteString(connection, texts[j%len(texts)])
				if j == 0 && texts[0] == "" {
					go daemon.Dribble(connection, "GET / HTTP/1.1\r\nX-"+marker+": ", "1", time.Second)
				}
			}
		})
	}
	all.Wait()
}

// TestSilence checks that as many silent connections as the service allows, from sixteen addresses, keep no other
// client out and do not delay a shutdown. Those in the middle of a request are closed.
func TestSilence(t *testing.T) {
	daemon.SecondTier(t)
	for name, texts := range map[string][]string{
		"in the middle of a request": silence,
		"idle":                       {"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := attack(t, "--rate-limit=100000", "--shutdown-timeout=1h")
			before := s.Descriptors(t)
			s.silent(t, texts)
			for i := range 100 {
				if !isServed(daemon.Dial(t, "127.0.2.1", s.Address())) {
					t.Fatalf("client %d is not served", i)
				}
			}
			if name == "idle" {
				s.stops(t)
			} else {
				s.releases(t, before)
			}
		})
	}
}

// stops sends SIGTERM and waits for exit code 0.
func (s *target) stops(t *testing.T) {
	t.Helper()
	if err := s.Stop(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// TestStopsBeforeBodies checks that the service stops within its shutdown timeout
// although that is shorter than a body or a slow reader may take.
func TestStopsBeforeBodies(t *testing.T) {
	daemon.SecondTier(t)
	t.Parallel()
	s := attack(t, "--rate-limit=0", "--body-timeout=1h", "--shutdown-timeout=10s")
	before := s.Descriptors(t)
	for _, text := range silence {
		for range 10 {
			_, _ = io.WriteString(daemon.Dial(t, "127.0.0.1", s.Address()), text)
		}
	}
	for range 5 { // these read no response
		connection := daemon.Dial(t, "127.0.0.1", s.Address())
		go func() { _, _ = io.WriteString(connection, rawCall("/v1/tools/json_format", largeBody)) }()
	}
	daemon.Await(t, "the clients are connected", func() bool { return s.Descriptors(t) >= before+len(silence)*10 })
	s.stops(t)
}

// rawCall returns a call as it goes over the wire.
func rawCall(path, body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
}
