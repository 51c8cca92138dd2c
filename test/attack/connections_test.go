package attack

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// dialFrom opens a connection from an address of this machine.
func (s *target) dialFrom(t *testing.T, address string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: 5 * time.Second}
	connection, err := dialer.Dial("tcp", s.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	return connection
}

// isOpen reports whether a connection that has sent nothing is still open.
func isOpen(connection net.Conn) bool {
	_ = connection.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	_, err := connection.Read(make([]byte, 1))
	timeout, ok := err.(net.Error)
	return ok && timeout.Timeout()
}

// asks sends a request and reports whether it is answered well.
func asks(connection net.Conn) bool {
	_ = connection.SetDeadline(time.Now().Add(5 * time.Second))
	_, _ = io.WriteString(connection, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
	got, _ := io.ReadAll(connection)
	return strings.HasPrefix(string(got), "HTTP/1.1 200 ")
}

// TestConnections: one address cannot take the connections of others.
func TestConnections(t *testing.T) {
	s := attack(t, "--max-connections=64", "--rate-limit=600")
	var greedy []net.Conn
	for range 40 {
		greedy = append(greedy, s.dialFrom(t, "127.0.0.2"))
	}
	open := 0
	for _, connection := range greedy {
		if isOpen(connection) {
			open++
		}
	}
	if open != 4 {
		t.Errorf("one address has %d of 64 connections open, want 4", open)
	}
	if !asks(s.dialFrom(t, "127.0.0.3")) {
		t.Error("another address is not served")
	}
	for _, connection := range greedy {
		connection.Close()
	}
	time.Sleep(50 * time.Millisecond)
	if !asks(s.dialFrom(t, "127.0.0.2")) {
		t.Error("the address is not served after it has closed its connections")
	}
	s.unharmed(t)
}

// TestDescriptors: when connections use up all descriptors, the service waits
// for some to come back, and is as before.
func TestDescriptors(t *testing.T) {
	s := attack(t, "--rate-limit=0")
	limit := uint64(s.Descriptors(t) + 20)
	if err := unix.Prlimit(s.PID(), unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: limit, Max: limit}, nil); err != nil {
		t.Skipf("the limit cannot be set: %v", err)
	}
	var open []net.Conn
	for range 100 {
		open = append(open, s.dialFrom(t, "127.0.0.1"))
	}
	time.Sleep(300 * time.Millisecond)
	waiting := s.dialFrom(t, "127.0.0.1")
	for _, connection := range open {
		connection.Close()
	}
	if !asks(waiting) {
		t.Error("who waited is not served")
	}
	s.unharmed(t)
}
