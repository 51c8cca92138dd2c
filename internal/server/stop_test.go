package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"
)

// TestDrainAndHurry: while it drains the service serves on, and asks each client
// to go elsewhere; a signal ends the drain, and half of the grace those that
// wait for their clients, so that the stop is a good one.
// Rule: ADDR-4.
func TestDrainAndHurry(t *testing.T) {
	server, err := New(defaults(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	signals, stopped := make(chan os.Signal), make(chan error, 1)
	go func() {
		stopped <- server.Serve(ctx, listener, nil, Stop{Drain: time.Hour, Grace: 3 * time.Second, Hurry: signals})
	}()
	ready := func() *http.Response {
		response, err := http.Get("http://" + listener.Addr().String() + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response
	}
	if got := ready(); got.StatusCode != http.StatusOK || got.Close {
		t.Errorf("before: status %d, the connection ends: %t", got.StatusCode, got.Close)
	}
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	stop()
	for !server.stopping.Load() {
		time.Sleep(time.Millisecond)
	}
	if got := ready(); got.StatusCode != http.StatusServiceUnavailable || !got.Close {
		t.Errorf("while it drains: status %d, the connection ends: %t", got.StatusCode, got.Close)
	}
	// The beginning of a request that does not end.
	fmt.Fprint(client, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
	signals <- syscall.SIGTERM
	begin := time.Now()
	if err := <-stopped; err != nil {
		t.Errorf("the stop ended after %v with %v", time.Since(begin), err)
	}
	_ = client.SetReadDeadline(time.Now().Add(time.Second))
	if _, err := bufio.NewReader(client).ReadByte(); err != io.EOF {
		t.Errorf("the client that did not send on: %v", err)
	}
}
