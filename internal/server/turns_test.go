package server

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools"
)

// TestSlowClientsHoldNoTurn: while clients stop in the middle of sending a heavy
// body or of reading its answer, the one turn that there is stays free.
func TestSlowClientsHoldNoTurn(t *testing.T) {
	config := defaults()
	// A body has longer than a call may wait, and so has an answer (writeTimeout): a
	// turn that they held would not be free in time. A busy machine needs seconds for
	// what came before.
	config.WorkSlots, config.QueueWait, config.BodyTimeout = 1, writeTimeout-5*time.Second, time.Minute
	s := start(t, config, tools.All())
	body := toolBody("application/json", "["+strings.Repeat("1,", 200_000)+"1]", `{"indent":4}`)
	agents := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"json_format","arguments":` + body + `}}`
	for name, sent := range map[string]struct {
		path, body string
		cut        int // bytes that are not sent
		times      int
	}{
		"bodies that stop":                          {"/v1/tools/json_format", body, 1, 1},
		"answers that nobody reads":                 {"/v1/tools/json_format", body, 0, 8},
		"answers that nobody reads of agents' door": {"/mcp", agents, 0, 8},
	} {
		t.Run(name, func(t *testing.T) {
			for range 5 {
				connection, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				defer connection.Close()
				_ = connection.(*net.TCPConn).SetReadBuffer(4096)
				request := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s",
					sent.path, len(sent.body), sent.body[:len(sent.body)-sent.cut])
				// The system's buffers take the first answers; the others stop.
				go func() { _, _ = io.WriteString(connection, strings.Repeat(request, sent.times)) }()
			}
			time.Sleep(200 * time.Millisecond)
			begin := time.Now()
			if got := s.post(t, "/v1/tools/json_format", body); got.status != http.StatusOK {
				t.Errorf("after %v: status %d: %.300s", time.Since(begin), got.status, got.body)
			}
		})
	}
}

// TestHeavyBodiesAreDecodedInTurn: while a heavy call has the one turn that
// there is, another's body is not looked into, at either door.
func TestHeavyBodiesAreDecodedInTurn(t *testing.T) {
	config := defaults()
	config.WorkSlots = 1
	entered, leave := make(chan struct{}), make(chan struct{})
	s := start(t, config, replaced("json_to_yaml", func(context.Context, convert.Input) (convert.Result, error) {
		close(entered)
		<-leave
		return convert.Result{Value: "1"}, nil
	}))
	heavy := strings.Repeat(" ", 2*convert.Light) + "1"
	first := make(chan answer, 1)
	go func() { first <- s.post(t, "/v1/tools/json_to_yaml", toolBody("application/json", heavy, "")) }()
	<-entered
	for _, path := range []string{"/v1/tools/json_format", "/mcp"} {
		if got := s.post(t, path, heavy); got.status != http.StatusServiceUnavailable {
			t.Errorf("%s, while the turn is taken: status %d: %.200s", path, got.status, got.body)
		}
	}
	close(leave)
	if got := <-first; got.status != http.StatusOK {
		t.Errorf("the call that has the turn: status %d: %.200s", got.status, got.body)
	}
	for _, path := range []string{"/v1/tools/json_format", "/mcp"} {
		if got := s.post(t, path, heavy); got.status != http.StatusUnprocessableEntity && got.status != http.StatusBadRequest {
			t.Errorf("%s, when it is free: status %d: %.200s", path, got.status, got.body)
		}
	}
}
