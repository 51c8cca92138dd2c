package server

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools"
)

// TestSlowClientsHoldNoSlot checks that while clients stop in the middle of
// sending a heavy body or of reading its response, the only slot stays free.
func TestSlowClientsHoldNoSlot(t *testing.T) {
	config := defaults()
	config.WorkSlots = 1
	body := toolBody("application/json", "["+strings.Repeat("1,", 200_000)+"1]", `{"indent":4}`)
	agents := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"json_format","arguments":` + body + `}}`
	for name, sent := range map[string]struct {
		path, body string
		cut        int // bytes that are not sent
	}{
		"bodies that stop":                     {"/v1/tools/json_format", body, 1},
		"responses that nobody reads":          {"/v1/tools/json_format", body, 0},
		"responses over MCP that nobody reads": {"/mcp", agents, 0},
		"refusals that nobody reads":           {"/v1/tools/json_format", body[1:], 0},
		"refusals over MCP that nobody reads":  {"/mcp", agents[1:], 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := startInBubble(t, config, tools.All())
				for range 5 {
					w := s.dial(t)
					go func() {
						_, _ = fmt.Fprintf(w, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s",
							sent.path, len(sent.body), sent.body[:len(sent.body)-sent.cut])
					}()
				}
				time.Sleep(time.Second) // slow bodies lose their read-ahead places
				begin := time.Now()
				if got := s.post(t, "/v1/tools/json_format", body); got.status != http.StatusOK || !time.Now().Equal(begin) {
					t.Errorf("after %v: status %d: %.300s", time.Since(begin), got.status, got.body)
				}
			})
		})
	}
}

// TestHeavyBodiesWaitForAProcessor checks that while a heavy call has the only
// processor, another call's body is not decoded, over REST or MCP.
func TestHeavyBodiesWaitForAProcessor(t *testing.T) {
	config := defaults()
	config.WorkSlots, config.QueueWait = 1, 10*time.Millisecond
	entered, leave := make(chan struct{}), make(chan struct{})
	s := start(t, config, replaced("json_to_yaml", func(context.Context, convert.Input) (convert.Result, error) {
		close(entered)
		<-leave
		return convert.Result{Value: "1"}, nil
	}))
	heavy := strings.Repeat(" ", 2*convert.Light) + "1"
	first := make(chan reply, 1)
	go func() { first <- s.post(t, "/v1/tools/json_to_yaml", toolBody("application/json", heavy, "")) }()
	<-entered
	for _, path := range []string{"/v1/tools/json_format", "/mcp"} {
		if got := s.post(t, path, heavy); got.status != http.StatusServiceUnavailable {
			t.Errorf("%s, while the processor is taken: status %d: %.200s", path, got.status, got.body)
		}
	}
	close(leave)
	if got := <-first; got.status != http.StatusOK {
		t.Errorf("the call that has the processor: status %d: %.200s", got.status, got.body)
	}
	for _, path := range []string{"/v1/tools/json_format", "/mcp"} {
		if got := s.post(t, path, heavy); got.status != http.StatusUnprocessableEntity && got.status != http.StatusBadRequest {
			t.Errorf("%s, when it is free: status %d: %.200s", path, got.status, got.body)
		}
	}
}
