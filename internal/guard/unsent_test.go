//go:build linux

package guard

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
)

// unreadBytes is the maximum that the system of a client that does not read
// accepts, with the small receive window of the tests.
const unreadBytes = 64 << 10

// accepted returns connections of c and their clients, which have small windows.
func accepted(t *testing.T, c *Connections, n int) (conns []*conn, clients []*net.TCPConn) {
	t.Helper()
	dialer := net.Dialer{Control: func(_, _ string, raw syscall.RawConn) error {
		return raw.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10) })
	}}
	for range n {
		client := check.Value(dialer.Dial("tcp", c.Addr().String()))(t)
		server := check.Value(c.Accept())(t)
		t.Cleanup(func() { client.Close(); _ = server.(*conn).giveUp() })
		conns, clients = append(conns, server.(*conn)), append(clients, client.(*net.TCPConn))
	}
	return conns, clients
}

// TestUnsentIsBounded checks that the server writes at most unsentBytes ahead of
// a client that does not read, and that what the client reads later is complete.
func TestUnsentIsBounded(t *testing.T) {
	conns, clients := accepted(t, listen(t, nil), 1)
	response := make([]byte, 3<<20) // larger than unsentBytes; the kernel alone would accept all of it
	_ = conns[0].SetWriteDeadline(time.Now().Add(200 * time.Millisecond))
	n, err := conns[0].Write(response)
	if !errors.Is(err, os.ErrDeadlineExceeded) || n > 2*unsentBytes+unreadBytes {
		t.Errorf("%d bytes were written for a client that reads nothing: %v", n, err)
	}
	_ = conns[0].SetWriteDeadline(time.Time{})
	go func() { _, _ = conns[0].Write(response[n:]) }()
	if n, err := io.ReadFull(clients[0], make([]byte, len(response))); err != nil {
		t.Errorf("after %d bytes: %v", n, err)
	}
}

// TestKernelBytesCount checks that what the kernel holds counts as memory of
// requests, and that connections over the limit are reset, oldest first.
func TestKernelBytesCount(t *testing.T) {
	const each, limit = 60 << 10, 1 << 20
	memory := NewMemory(limit)
	c := listen(t, memory)
	conns, clients := accepted(t, c, 40)
	for i, s := range conns {
		check.Value(s.Write(make([]byte, each)))(t)
		s.waiting.Store(int64(i + 1)) // in this order, and recently
	}
	bytes := func() (all int) {
		for _, s := range conns {
			unsent, _ := kernelBytes(s.Conn)
			all += unsent
		}
		return all
	}
	before := bytes()
	if before <= limit {
		t.Fatalf("only %d bytes are unsent", before)
	}
	long := time.Since(started)
	for _, s := range conns {
		s.waiting.Add(int64(long))
	}
	c.sweep()
	now := bytes()
	if now > limit || now < limit-2*each || memory.kernelTotal < now || memory.kernelTotal > limit { // some may arrive meanwhile
		t.Errorf("%d bytes are unsent of %d, %d count; %d may be", now, before, memory.kernelTotal, limit)
	}
	if c.all[conns[0]] || !c.all[conns[39]] {
		t.Error("the connection that has waited longest is not the first to be reset")
	}
	if _, err := io.Copy(io.Discard, clients[0]); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("its client: %v", err)
	}
	r, _ := http.NewRequest(http.MethodPost, "/", nil)
	hold := memory.Hold(r)
	if hold.Take(limit-now+each) == nil {
		t.Error("a response finds room that the kernel has taken")
	}
	if _, err := io.ReadFull(clients[39], make([]byte, each)); err != nil {
		t.Error(err)
	}
	for bytes() > now-each/2 { // until the acknowledgment arrives
		time.Sleep(time.Millisecond)
	}
	c.sweep()
	if memory.kernelTotal != bytes() || conns[39].unsent.Load() {
		t.Errorf("%d bytes count, %d are unsent", memory.kernelTotal, bytes())
	}
}

// TestCloseWithUnsentBytes checks that a connection that is closed before its client has read the response stays open
// until it has, or until the timeout. After that the kernel holds nothing of it.
func TestCloseWithUnsentBytes(t *testing.T) {
	c := listen(t, NewMemory(1<<30))
	conns, clients := accepted(t, c, 2)
	response := make([]byte, unsentBytes)
	for _, s := range conns {
		check.Value(s.Write(response))(t)
		_ = s.Close()
	}
	c.sweep()
	if len(c.list(func(*conn) bool { return true })) != 2 || c.Memory.kernelTotal == 0 {
		t.Fatal("closed connections with unsent bytes do not count")
	}
	if n, err := io.Copy(io.Discard, clients[0]); err != nil || n != unsentBytes {
		t.Errorf("the client that reads gets %d bytes: %v", n, err)
	}
	clients[0].Close()
	conns[1].waiting.Store(int64(time.Since(started) - unsentTime - 1))
	c.sweep()
	if _, err := io.Copy(io.Discard, clients[1]); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the client that does not: %v", err)
	}
	for len(c.list(func(*conn) bool { return true })) > 0 {
		time.Sleep(time.Millisecond)
	}
}

// TestResetReleases checks that the kernel holds nothing for a connection that its
// client has reset, although the client had not acknowledged all bytes.
func TestResetReleases(t *testing.T) {
	conns, clients := accepted(t, listen(t, nil), 1)
	check.Value(conns[0].Write(make([]byte, unsentBytes)))(t)
	if !conns[0].isUnsent() {
		t.Fatal("the client has acknowledged everything")
	}
	_ = clients[0].SetLinger(0)
	_ = clients[0].Close()
	if _, err := conns[0].Conn.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("after the reset: %v", err)
	}
	if unsent, unread := kernelBytes(conns[0].Conn); unsent+unread > 0 {
		t.Errorf("%d bytes are unsent and %d unread", unsent, unread)
	}
}
