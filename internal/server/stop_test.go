package server

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
)

// serving returns a server in a synctest bubble that the test stops itself.
func serving(t *testing.T, list []convert.Tool, how Stop) (server *Server, s service, stop func(), stopped chan error) {
	t.Helper()
	config := defaults()
	config.Listen = "127.0.0.1:8080"
	server = check.Value(assemble(config, slog.New(slog.DiscardHandler), list))(t)
	listener := newPipes()
	ctx, stop := context.WithCancel(t.Context())
	stopped = make(chan error, 1)
	go func() { stopped <- server.Serve(ctx, listener, nil, how) }()
	return server, service{dialer: listener.dial}, stop, stopped
}

// ready requests /readyz on a new connection.
func (s service) ready(t *testing.T) reply {
	t.Helper()
	w := s.dial(t)
	w.send("GET /readyz", "")
	got := check.Value(w.receive())(t)
	w.Close()
	return got
}

// TestDrainAndHurry checks that while it drains, the server continues and asks each client to close its connection. A
// signal ends the drain. After half of the grace period the connections that wait for their clients are closed.
// Rule: ADDR-4.
func TestDrainAndHurry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals := make(chan os.Signal)
		_, s, stop, stopped := serving(t, replaced("", nil), Stop{Drain: time.Hour, Grace: 10 * time.Second, Hurry: signals})
		if got := s.ready(t); got.status != http.StatusOK || got.header.Get("Connection") != "" {
			t.Errorf("before: status %d, %v", got.status, got.header)
		}
		client := s.dial(t)
		stop()
		synctest.Wait()
		if got := s.ready(t); got.status != http.StatusServiceUnavailable || got.header.Get("Connection") != "close" {
			t.Errorf("while it drains: status %d, %v", got.status, got.header)
		}
		_, _ = io.WriteString(client, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n") // incomplete
		signals <- syscall.SIGTERM
		hurried := time.Now()
		if _, err := client.reader.ReadByte(); err != io.EOF || time.Since(hurried) != 5*time.Second {
			t.Errorf("the client that did not send on: %v after %v", err, time.Since(hurried))
		}
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
}

// TestStopBetweenHeaderAndStatus checks that a 503 of /readyz asks to close the connection if the stop began after parting
// had looked.
func TestStopBetweenHeaderAndStatus(t *testing.T) {
	server := &Server{}
	late := server.parting(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		server.stopping.Store(true)
		server.ready(w, r)
	}))
	response := httptest.NewRecorder()
	late.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	if response.Code != http.StatusServiceUnavailable || response.Header().Get("Connection") != "close" {
		t.Errorf("status %d, %v", response.Code, response.Header())
	}
}

// TestSilentConnectionsDelayNoStop checks that connections on which nothing arrived are closed when a stop begins.
func TestSilentConnectionsDelayNoStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, s, stop, stopped := serving(t, replaced("", nil), Stop{Grace: time.Minute})
		silent, used := s.dial(t), s.dial(t)
		used.send("GET /readyz", "")
		check.Value(used.receive())(t)
		synctest.Wait()
		began := time.Now()
		stop()
		if _, err := silent.reader.ReadByte(); err != io.EOF {
			t.Errorf("the silent connection: %v", err)
		}
		if err := <-stopped; err != nil || time.Since(began) >= time.Second {
			t.Errorf("stopped after %v: %v", time.Since(began), err)
		}
	})
}

// TestShutdown checks that a request under way finishes, and that no new one is accepted.
// Rule: ADDR-4.
func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entered, leave := make(chan struct{}), make(chan struct{})
		_, s, stop, stopped := serving(t, replaced("json_format", func(context.Context, convert.Input) (convert.Result, error) {
			close(entered)
			<-leave
			return convert.Result{Value: "done"}, nil
		}), Stop{Grace: 10 * time.Second})
		w := s.dial(t)
		w.send(jsonCall, goodCall)
		<-entered
		stop()
		synctest.Wait()
		if len(stopped) > 0 {
			t.Fatalf("stopped before the call was done: %v", <-stopped)
		}
		close(leave)
		if got, err := w.receive(); err != nil || got.status != http.StatusOK || !strings.Contains(string(got.body), `"done"`) {
			t.Errorf("the call under way: status %d, %v: %s", got.status, err, got.body)
		}
		if err := <-stopped; err != nil {
			t.Error(err)
		}
		if _, err := s.dialer(); err == nil {
			t.Error("still accepts connections after the stop")
		}
	})
}
