package attack

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
)

// isOpen reports whether the server has not closed a connection that sent nothing.
func isOpen(connection net.Conn) bool {
	_ = connection.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := connection.Read(make([]byte, 1))
	return errors.Is(err, os.ErrDeadlineExceeded)
}

// isServed sends a request and reports whether it succeeds.
func isServed(connection net.Conn) bool {
	_, _ = io.WriteString(connection, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
	got, _ := io.ReadAll(connection)
	return strings.HasPrefix(string(got), "HTTP/1.1 200 ")
}

// TestConnections checks that one address cannot take the connections of others.
func TestConnections(t *testing.T) {
	s := attack(t, "--max-connections=64", "--rate-limit=600")
	var greedy []net.Conn
	for range 40 {
		greedy = append(greedy, daemon.Dial(t, "127.0.0.2", s.Address()))
	}
	open := func() (n int) {
		for _, connection := range greedy {
			if isOpen(connection) {
				n++
			}
		}
		return n
	}
	daemon.Await(t, "one address has 4 of 64 connections", func() bool { return open() <= 4 })
	if n := open(); n != 4 {
		t.Errorf("one address has %d of 64 connections, want 4", n)
	}
	if !isServed(daemon.Dial(t, "127.0.0.3", s.Address())) {
		t.Error("another address is not served")
	}
	for _, connection := range greedy {
		connection.Close()
	}
	daemon.Await(t, "the address is served after it has closed its connections", func() bool {
		return isServed(daemon.Dial(t, "127.0.0.2", s.Address()))
	})
	s.unharmed(t)
}

// TestDescriptors checks that when connections use up all descriptors, the
// service waits until some are released, and continues to serve.
func TestDescriptors(t *testing.T) {
	s := attack(t, "--rate-limit=0")
	limit := s.Descriptors(t) + 20
	s.limit(t, fmt.Sprint("--nofile=", limit))
	var open []net.Conn
	for range 100 {
		open = append(open, daemon.Dial(t, "127.0.0.1", s.Address()))
	}
	daemon.Await(t, "all descriptors are in use", func() bool { return s.Descriptors(t) >= limit })
	waiting := daemon.Dial(t, "127.0.0.1", s.Address())
	for _, connection := range open {
		connection.Close()
	}
	if !isServed(waiting) {
		t.Error("the client that waited is not served")
	}
	s.unharmed(t)
}
