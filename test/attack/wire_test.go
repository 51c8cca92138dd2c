package attack

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// exchange writes raw bytes on a new connection and returns all that comes back. Once it has received a response it
// closes the sending direction, so that the server closes the connection after the responses to whatever it took for
// further requests.
func (s *target) exchange(t *testing.T, raw string) string {
	t.Helper()
	connection := check.Value(net.Dial("tcp", s.Address()))(t)
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(daemon.Hang))
	sent := make(chan struct{})
	go func() { // the server may respond before it has read everything
		defer close(sent)
		_, _ = io.WriteString(connection, raw)
	}()
	var got bytes.Buffer
	first := bufio.NewReader(io.TeeReader(connection, &got))
	if response, err := http.ReadResponse(first, nil); err == nil {
		_, _ = io.Copy(io.Discard, response.Body)
	}
	<-sent
	_ = connection.(*net.TCPConn).CloseWrite()
	if _, err := io.Copy(io.Discard, first); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection stays open")
	}
	return got.String()
}

// statuses returns the status of each of the responses, -1 for what is not HTTP.
func statuses(text string) (all []int) {
	reader := bufio.NewReader(strings.NewReader(text))
	for {
		if _, err := reader.Peek(1); err != nil {
			return all
		}
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			return append(all, -1)
		}
		_, err = io.Copy(io.Discard, response.Body)
		all = append(all, response.StatusCode)
		if err != nil {
			return append(all, -1)
		}
	}
}

// Parts of the broken requests: the beginning of a good call, and a request that a server
// responds to only if it reads bodies wrongly.
const (
	begun    = "POST /v1/tools/json_format HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
	smuggled = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + marker + "\r\n\r\n"
)

// lengthOf returns the header for a body of n bytes.
func lengthOf(n int) string { return fmt.Sprintf("Content-Length: %d\r\n", n) }

// broken are requests that no client library sends.
var broken = []struct{ name, raw string }{
	{"two lengths that differ", begun + lengthOf(4) + lengthOf(60) + "\r\n" + "true" + smuggled},
	{"two lengths in one header", begun + "Content-Length: 4, 60\r\n\r\ntrue" + smuggled},
	{"a length with a sign", begun + "Content-Length: +4\r\n\r\ntrue" + smuggled},
	{"a negative length", begun + "Content-Length: -1\r\n\r\n" + smuggled},
	{"a length with leading zeros", begun + "Content-Length: 0004\r\n\r\ntrue" + smuggled},
	{"a length next to chunks", begun + lengthOf(4) + "Transfer-Encoding: chunked\r\n\r\n4\r\ntrue\r\n0\r\n\r\n" + smuggled},
	{"a folded coding", begun + "Transfer-Encoding:\r\n chunked\r\n\r\n4\r\ntrue\r\n0\r\n\r\n" + smuggled},
	{"chunks after a bare line feed", begun + "X: y\nTransfer-Encoding: chunked\r\n" + lengthOf(4) + "\r\n4\r\ntrue\r\n0\r\n\r\n" + smuggled},
	{"chunks in HTTP/1.0", strings.Replace(begun, "1.1", "1.0", 1) + "Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n" + lengthOf(4) + "\r\ntrue" + smuggled},
	{"a hexadecimal length", begun + "Content-Length: 0x4\r\n\r\ntrue" + smuggled},
	{"a length beyond 64 bits", begun + "Content-Length: 99999999999999999999\r\n\r\n" + smuggled},
	{"a space before the colon", begun + "Content-Length : 4\r\n\r\ntrue" + smuggled},
	{"a space before Transfer-Encoding's colon", begun + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + smuggled},
	{"an unknown coding", begun + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + smuggled},
	{"identity as coding", begun + "Transfer-Encoding: identity\r\n" + lengthOf(4) + "\r\ntrue" + smuggled},
	{"two codings", begun + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + smuggled},
	{"a coding after a vertical tab", begun + "Transfer-Encoding: \x0bchunked\r\n" + lengthOf(4) + "\r\ntrue" + smuggled},
	{"a folded header", begun + "Transfer-Encoding:\r\n chunked, x\r\n" + lengthOf(4) + "\r\ntrue" + smuggled},
	{"a chunk size beyond 64 bits", begun + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF1\r\n" + smuggled},
	{"a chunk size with a sign", begun + "Transfer-Encoding: chunked\r\n\r\n-1\r\n" + smuggled},
	{"a chunk that is longer than its size", begun + "Transfer-Encoding: chunked\r\n\r\n1\r\ntrue\r\n0\r\n\r\n" + smuggled},
	{"a flood of chunk extensions", begun + "Transfer-Encoding: chunked\r\n\r\n1;" + strings.Repeat(marker, 8000) + "\r\n{\r\n0\r\n\r\n" + smuggled},
	{"chunks of one byte with extensions", begun + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1;"+strings.Repeat("x", 200)+"\r\n \r\n", 20_000) + "0\r\n\r\n"},
	{"a trailer flood", begun + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + strings.Repeat("X: "+marker+"\r\n", 60_000) + "\r\n" + smuggled},
	{"a NUL in a header", begun + "X: a\x00b\r\n\r\n" + smuggled},
	{"a header without a name", begun + ": " + marker + "\r\n\r\n" + smuggled},
	{"a header without a colon", begun + marker + "\r\n\r\n" + smuggled},
	{"no Host", "GET /v1/ HTTP/1.1\r\n\r\n"},
	{"two Hosts", "GET /v1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: " + marker + "\r\n\r\n"},
	{"a Host with a path", "GET /v1/ HTTP/1.1\r\nHost: 127.0.0.1/" + marker + "\r\n\r\n"},
	{"another site as target", "GET http://" + marker + ".example/v1/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"},
	{"a tunnel", "CONNECT " + marker + ".example:443 HTTP/1.1\r\nHost: " + marker + ".example:443\r\n\r\n"},
	{"a trace", "TRACE /v1/" + marker + " HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + marker + "\r\n\r\n"},
	{"an unknown method", marker + " /v1/tools/json_format HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"},
	{"a long method", strings.Repeat("X", 60_000) + " / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"},
	{"a long target", "GET /" + strings.Repeat(marker, 8000) + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"},
	{"one long header", "GET /v1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + strings.Repeat(marker, 8000) + "\r\n\r\n"},
	{"100k headers", "GET /v1/ HTTP/1.1\r\nHost: 127.0.0.1\r\n" + strings.Repeat("X: "+marker+"\r\n", 100_000) + "\r\n"},
	{"an unknown expectation", begun + "Expect: " + marker + "\r\n" + lengthOf(4) + "\r\ntrue"},
	{"an expectation and too long a body", begun + "Expect: 100-continue\r\n" + lengthOf(1<<30) + "\r\n"},
	{"10 MiB with a length", begun + lengthOf(10<<20) + "\r\n" + strings.Repeat(marker, 10<<20/len(marker))},
	{"3 MiB in chunks", begun + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("10000\r\n"+strings.Repeat("x", 65536)+"\r\n", 48) + "0\r\n\r\n"},
	{"20 MiB in chunks", begun + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("10000\r\n"+strings.Repeat("x", 65536)+"\r\n", 320) + "0\r\n\r\n"},
	{"a body that does not come", begun + lengthOf(100) + "\r\n{" + marker},
	{"an encoded body", begun + "Content-Encoding: gzip\r\n" + lengthOf(4) + "\r\n\x1f\x8b\x08\x00"},
	{"HTTP/2 without TLS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"},
	{"HTTP/9", "GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n"},
	{"HTTP/0.9", "GET /\r\n\r\n"},
	{"a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x00", 512)},
	{"noise", strings.Repeat("\xff\x00\r\n\n", 20_000)},
	{"half a request", "POST /v1/tools/json_format HTT"},
}

// TestWire sends what no client library sends. At most one response, a rejection,
// may come back; a second one would be the response to smuggled bytes.
func TestWire(t *testing.T) {
	t.Parallel() // it mostly waits
	s := attack(t, "--rate-limit=0", "--body-timeout=1s")
	t.Run("requests", func(t *testing.T) {
		for _, test := range broken {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				got := s.exchange(t, test.raw)
				all := statuses(got)
				if len(all) > 1 {
					t.Errorf("responses: %v\n%.2000s", all, got)
				}
				// 501 and 505 are HTTP's own refusals of a coding and a version.
				if len(all) == 1 && (all[0] < 400 || all[0] >= 500) && all[0] != 501 && all[0] != 505 {
					t.Errorf("status %v\n%.1000s", all, got)
				}
				if strings.Contains(got, marker) || strings.Contains(got, "\r\n\r\nok\n") {
					t.Errorf("the response contains input, or smuggled bytes had a response:\n%.1000s", got)
				}
			})
		}
	})
	// A length next to chunks has no effect (RFC 9112, section 6.3), and the connection is closed after it, since what
	// follows the last chunk may be smuggled. The proxies in deploy/ drop the length.
	t.Run("a length next to chunks", func(t *testing.T) {
		got := s.exchange(t, begun+lengthOf(4)+"Transfer-Encoding: chunked\r\n\r\n"+fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(goodBody), goodBody))
		if all := statuses(got); len(all) != 1 || all[0] != http.StatusOK && all[0] != http.StatusBadRequest {
			t.Errorf("responses: %v\n%.1000s", all, got)
		}
	})
	t.Run("1000 clients that leave in the middle", func(t *testing.T) {
		for i := range 1000 {
			connection := check.Value(net.Dial("tcp", s.Address()))(t)
			_, _ = io.WriteString(connection, (begun + lengthOf(len(goodBody)) + "\r\n" + goodBody)[:1+i%(len(begun)+len(goodBody)+20)])
			connection.Close()
		}
	})
	s.unharmed(t)
	s.releasesMemory(t)
}

// TestPaths checks that a path that only resembles a route is rejected, and that no response redirects.
func TestPaths(t *testing.T) {
	s := attack(t, "--rate-limit=0")
	for _, path := range []string{
		"/v1/../healthz/" + marker, "/v1/..%2f..%2fetc/passwd", "//v1/tools/json_format", "//" + marker + ".example/", "/\\" + marker + ".example/",
		"/v1/tools/json_format/", "/v1/tools/json_format/" + marker, "/v1//tools/json_format", "/v1/./tools/json_format",
		"/v1/tools/json%5fformat%00", "/v1/tools/%2e%2e/%2e%2e/etc/passwd", "/v1/tools/json_format;" + marker, "/v1/TOOLS/json_format",
		"/v1/tools/" + strings.Repeat("%2f", 3000), "/v1/" + strings.Repeat("a/", 5000), "/etc/passwd", "/../../../../etc/passwd",
		"/editor/../../../etc/passwd", "/problems/..%2f..%2fetc%2fpasswd", "/problems/" + marker, "/docs/%2e%2e/" + marker, "/.env", "/.git/config",
		"/metrics", "/debug/pprof/", "/mcp/../v1/" + marker, "/v1/tools/", "/%c0%ae%c0%ae/etc/passwd", "/v1?x=" + marker, "/editor%23r=1&s=" + marker,
	} {
		for _, method := range []string{"GET", "POST"} {
			raw := method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n" + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(goodBody), goodBody)
			if method == "GET" {
				raw = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
			}
			got := s.exchange(t, raw)
			all := statuses(got)
			if len(all) != 1 || all[0] < 400 || all[0] > 499 {
				t.Errorf("%s %.80s: %v\n%.500s", method, path, all, got)
			}
			if strings.Contains(got, marker) || strings.Contains(got, "root:x:0") || strings.Contains(got, "\nLocation:") {
				t.Errorf("%s %.80s:\n%.500s", method, path, got)
			}
		}
	}
	s.unharmed(t)
}
