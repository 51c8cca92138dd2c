package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/mcp"
	"github.com/convertd/convertd/internal/tools"
)

// wire is a connection on which a test controls every byte.
type wire struct {
	net.Conn
	reader *bufio.Reader
}

func (s service) dial(t testing.TB) wire {
	t.Helper()
	connection := check.Value(s.dialer())(t)
	t.Cleanup(func() { connection.Close() })
	return wire{connection, bufio.NewReader(connection)}
}

// closeWrite closes the client's sending direction; reset makes the next Close a reset.
func (w wire) closeWrite() { _ = w.Conn.(*net.TCPConn).CloseWrite() }
func (w wire) reset()      { _ = w.Conn.(*net.TCPConn).SetLinger(0) }

// send sends a request. The lines of its head are separated by \n; a body that is not chunked gets a Content-Length.
func (w wire) send(head, body string) {
	line, headers, more := strings.Cut(head, "\n")
	head = line + " HTTP/1.1\nHost: 127.0.0.1"
	if more {
		head += "\n" + headers
	}
	if !strings.Contains(head, "\nContent-Length:") && !strings.Contains(head, "\nTransfer-Encoding:") {
		head += fmt.Sprintf("\nContent-Length: %d", len(body))
	}
	_, _ = io.WriteString(w, strings.ReplaceAll(head, "\n", "\r\n")+"\r\n\r\n"+body)
}

// receive reads one response; the status is 0 if there was no response.
func (w wire) receive() (reply, error) {
	response, err := http.ReadResponse(w.reader, nil)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	if response.Close { // ReadResponse removes the header
		response.Header.Set("Connection", "close")
	}
	body, err := io.ReadAll(response.Body)
	return reply{response.StatusCode, response.Header, body}, err
}

const jsonCall = "POST /v1/tools/json_format\nContent-Type: application/json"

var goodCall = toolBody("application/json", "[1]", "")

// A client that resets the connection is recorded as gone, not as served or rejected, and the work for it ends, even if
// the body's time limit has passed by then.
// Rule: ANS-9.
func TestClientGone(t *testing.T) {
	config := defaults()
	config.BodyTimeout, config.ExecTimeout = 20*time.Millisecond, time.Hour
	entered, ended := make(chan struct{}), make(chan error, 1)
	s := start(t, config, replaced("json_format", func(ctx context.Context, _ convert.Input) (convert.Result, error) {
		close(entered)
		<-ctx.Done()
		ended <- ctx.Err()
		return convert.Result{}, ctx.Err()
	}))
	connection := s.dial(t)
	connection.send(jsonCall, goodCall)
	<-entered
	time.Sleep(5 * config.BodyTimeout)
	select {
	case err := <-ended:
		t.Fatalf("the work ended with the body's time: %v", err)
	default:
	}
	connection.reset()
	connection.Close()
	if err := <-ended; err != context.Canceled {
		t.Errorf("the work ended with %v", err)
	}
	for !strings.Contains(s.log.String(), `"status":0,"code":"client_gone"`) {
		time.Sleep(time.Millisecond)
	}
}

// A client that closes its sending direction after a complete request gets its
// response, over REST and MCP, even if more requests preceded the end.
// Rule: ANS-9.
func TestHalfClosed(t *testing.T) {
	closed := make(chan struct{}, 10)
	s := start(t, defaults(), replaced("json_format", func(ctx context.Context, in convert.Input) (convert.Result, error) {
		<-closed
		select { // EOF is on its way
		case <-ctx.Done():
			return convert.Result{}, ctx.Err()
		case <-time.After(100 * time.Millisecond):
			return convert.Result{Value: in.Artifact.Value}, nil
		}
	}))
	body := toolBody("application/json", "[1234]", "")
	calls := map[string]agentRequest{
		jsonCall: {body, nil},
		"POST /v1/pipeline\nContent-Type: application/json": {strings.Replace(`{"version":1,"steps":[{"id":"a","tool":"json_format"}],`+body[1:], `,"options":{}`, "", 1), nil},
	}
	for _, version := range mcp.Revisions {
		call := agentCall(version, "json_format", body)
		head := "POST /mcp\nContent-Type: application/json\nAccept: application/json, text/event-stream"
		for i := 0; i < len(call.headers); i += 2 {
			head += "\n" + call.headers[i] + ": " + call.headers[i+1]
		}
		calls[head] = call
		calls[head+"\nMcp-Session-Id: 1"] = call
	}
	for head, call := range calls {
		for _, n := range []int{1, 3} {
			w := s.dial(t)
			for range n {
				w.send(head, call.body)
			}
			w.closeWrite()
			for range n {
				closed <- struct{}{}
			}
			for i := range n {
				if got, err := w.receive(); got.status != http.StatusOK || !strings.Contains(string(got.body), "[1234]") {
					t.Errorf("%s: response %d of %d: %d %.200s %v", head, i+1, n, got.status, got.body, err)
				}
			}
			if _, err := w.receive(); err == nil {
				t.Errorf("%s: one more response", head)
			}
		}
	}
}

// A request that ends before its body does is malformed; its client is not gone.
// Rules: ANS-9, REQ-3.
func TestCutShort(t *testing.T) {
	s := start(t, defaults(), tools.All())
	for _, framing := range []string{"Content-Length: 100", "Transfer-Encoding: chunked"} {
		for _, body := range []string{"", "5\r\n{\"inp", "5\r\n{\"inp\r\n", "1\r\n1\r\n0\r\n"} {
			w := s.dial(t)
			w.send(jsonCall+"\n"+framing, body)
			w.closeWrite()
			got, err := w.receive()
			if err != nil {
				t.Errorf("%s %q: %v", framing, body, err)
				continue
			}
			checkProblem(t, s.url, got, convert.MalformedJSON)
		}
	}
}

// Connections of well-behaved clients are kept, whatever the response, even if
// the next request arrives later than the body's time limit. See TestFraming for bodies in chunks.
func TestKeptAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := defaults()
		config.BodyTimeout = time.Second
		s := startInBubble(t, config, tools.All())
		large := toolBody("application/json", "["+strings.Repeat("1,", 100_000)+"1]", "")
		w := s.dial(t)
		for _, call := range []struct {
			head, body string
			status     int
		}{
			{jsonCall, goodCall, 200},
			{jsonCall, large, 200},
			{"GET /healthz", goodCall, 200},
			{"POST /healthz", goodCall, 405},
			{"POST /v1/unknown", large, 404},
			{"GET /v1/unknown", "", 404},
			{"POST /v1/tools/json_format\nContent-Type: text/plain", large, 415},
			{"DELETE /mcp", goodCall, 405},
			{jsonCall, goodCall, 200},
		} {
			go w.send(call.head, call.body)
			got, err := w.receive()
			if err != nil || got.status != call.status || got.header.Get("Connection") != "" {
				t.Fatalf("%s: %d %v %v", call.head, got.status, got.header, err)
			}
			time.Sleep(2 * config.BodyTimeout)
		}
	})
}

// After a response that did not wait for the request body the connection ends: when the client had its chance to read,
// not at the end of the header's time limit.
func TestEndsAfterEarlyResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startInBubble(t, defaults(), tools.All())
		w := s.dial(t)
		w.send("POST /v1/unknown\nTransfer-Encoding: chunked", "")
		if got, err := w.receive(); err != nil || got.status != http.StatusNotFound {
			t.Fatalf("%d %v", got.status, err)
		}
		_ = w.SetDeadline(time.Now().Add(headerTimeout / 2))
		if _, err := w.reader.ReadByte(); err != io.EOF {
			t.Errorf("after the response: %v", err)
		}
	})
}

// The rest of a rejected body is discarded up to its end, without the next request that arrives in the same segment.
func TestNextRequestAfterDiscardedBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startInBubble(t, defaults(), tools.All())
		w := s.dial(t)
		_, _ = fmt.Fprintf(w, "POST /v1/unknown HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n")
		synctest.Wait() // until the server waits for the rest
		_, _ = fmt.Fprintf(w, "%sGET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", strings.Repeat("x", 1000))
		got, err := w.receive()
		if err != nil || got.status != http.StatusNotFound || got.header.Get("Connection") != "" {
			t.Fatalf("%d %v %v", got.status, got.header, err)
		}
		if got, err := w.receive(); err != nil || got.status != http.StatusOK {
			t.Fatalf("the next request: %d %.100s %v", got.status, got.body, err)
		}
	})
}

// If a client that expects 100 Continue (RFC 9110, section 10.1.1) is rejected,
// the server does not request the body first.
func TestRefusedBeforeContinue(t *testing.T) {
	s := start(t, defaults(), tools.All())
	w := s.dial(t)
	_, _ = fmt.Fprintf(w, "POST /v1/unknown HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n")
	if line, err := w.reader.ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 404 ") {
		t.Errorf("%q %v", line, err)
	}
}

// TestRefusedAgentBeforeContinue checks that an agent whose message is too large is rejected before its body is
// requested, although the response then cannot have the request's id.
// Rule: MCP-6.
func TestRefusedAgentBeforeContinue(t *testing.T) {
	w := start(t, defaults(), tools.All()).dial(t)
	w.send("POST /mcp\nContent-Type: application/json\nExpect: 100-continue\nContent-Length: 3000000", "")
	got, err := w.receive()
	if err != nil || !strings.HasPrefix(string(got.body), `{"jsonrpc":"2.0","id":null,"error":{"code":413,`) {
		t.Errorf("status %d, %v: %s", got.status, err, got.body)
	}
}

// A request for the server as a whole (RFC 9110, section 9.3.7) passes the same
// guards, and is recorded, like any other.
func TestOptionsOfTheServer(t *testing.T) {
	s := start(t, defaults(), tools.All())
	for host, want := range map[string]int{"127.0.0.1": http.StatusNotFound, "evil.example": http.StatusForbidden} {
		w := s.dial(t)
		_, _ = fmt.Fprintf(w, "OPTIONS * HTTP/1.1\r\nHost: %s\r\n\r\n", host)
		if got, err := w.receive(); err != nil || got.status != want || got.header.Get("X-Request-Id") == "" {
			t.Errorf("%s: %d %v %v", host, got.status, got.header, err)
		}
	}
}

// A body that is too long is rejected before it arrives. The response also
// reaches clients that send the whole body before they read.
func TestRefusedAtOnce(t *testing.T) {
	s := start(t, defaults(), tools.All())
	w := s.dial(t)
	w.send(jsonCall+"\nContent-Length: 3000000", "")
	got, err := w.receive()
	check.OK(t, err)
	checkProblem(t, s.url, got, convert.RequestTooLarge)
	for _, framing := range []string{"Content-Length: 6000000", "Transfer-Encoding: chunked"} {
		body := strings.Repeat("x", 6_000_000)
		if strings.HasPrefix(framing, "T") {
			body = "5b8d80\r\n" + body + "\r\n0\r\n\r\n"
		}
		for range 20 {
			w := s.dial(t)
			w.send(jsonCall+"\n"+framing, body)
			if got, err = w.receive(); err != nil {
				t.Fatalf("%s: %v", framing, err)
			}
			checkProblem(t, s.url, got, convert.RequestTooLarge)
			if got.header.Get("Connection") != "close" {
				t.Error("the connection is not closed")
			}
		}
	}
}

// TestFraming checks that nothing that follows a request is taken for the next one if a proxy in front could disagree
// where the first one ends.
func TestFraming(t *testing.T) {
	s := start(t, defaults(), tools.All())
	const next = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
	chunked := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(goodCall), goodCall)
	length := fmt.Sprint(len(goodCall))
	for _, test := range []struct {
		name, version, headers, body string
		status                       int
		closed                       bool
	}{
		{"a length", "1.1", "Content-Length: " + length, goodCall, http.StatusOK, false},
		{"a length between spaces", "1.1", "Content-Length: \t" + length + " ", goodCall, http.StatusOK, false},
		{"leading zeros", "1.1", "Content-Length: 00" + length, goodCall, http.StatusBadRequest, true},
		{"chunks", "1.1", "Transfer-Encoding: chunked", chunked, http.StatusOK, true},
		{"a length and chunks", "1.1", "Content-Length: 3\r\nTransfer-Encoding: chunked", chunked, http.StatusOK, true},
		{"chunks and a length", "1.1", "Transfer-Encoding: chunked\r\nContent-Length: " + length, chunked, http.StatusOK, true},
		{"a folded header", "1.1", "Transfer-Encoding:\r\n chunked", chunked, http.StatusOK, true},
		{"a bare line feed", "1.1", "X: y\nTransfer-Encoding: chunked\r\nContent-Length: " + length, chunked, http.StatusOK, true},
		{"chunks in HTTP/1.0", "1.0", "Connection: keep-alive\r\nTransfer-Encoding: chunked\r\nContent-Length: " + length, goodCall, http.StatusOK, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := s.dial(t)
			_, _ = fmt.Fprintf(w, "POST /v1/tools/json_format HTTP/%s\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%s\r\n\r\n%s%s",
				test.version, test.headers, test.body, next)
			got, err := w.receive()
			if err != nil || got.status != test.status {
				t.Fatalf("status %d, %v: %s", got.status, err, got.body)
			}
			if test.status != http.StatusOK {
				checkProblem(t, s.url, got, convert.MalformedJSON)
			}
			got, err = w.receive()
			if test.closed && err == nil {
				t.Errorf("what follows got a response: %d %s", got.status, got.body)
			}
			if !test.closed && (err != nil || got.status != http.StatusOK) {
				t.Errorf("the next request: %d %v", got.status, err)
			}
		})
	}
}
