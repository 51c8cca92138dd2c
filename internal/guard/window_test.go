//go:build linux

package guard

import (
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/convertd/convertd/internal/check"
)

// dialFrom returns the server's and the client's end of a new connection of c from an address.
func dialFrom(t *testing.T, c *Connections, address string) (*conn, net.Conn) {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	client := check.Value(dialer.Dial("tcp", c.Addr().String()))(t)
	server := check.Value(c.Accept())(t).(*conn)
	t.Cleanup(func() { client.Close(); _ = server.end() })
	server.began.Store(true) // it is in the middle of a request
	return server, client
}

// buffer returns the size of a connection's receive buffer.
func buffer(c net.Conn) (bytes int) {
	control(c, func(fd int) { bytes, _ = unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF) })
	return bytes
}

// TestWindowsAreFixed checks that the kernel holds no more than the fixed size for a client that sends ahead, even
// after the server has read much of it in one go, which makes Linux's own windows grow.
func TestWindowsAreFixed(t *testing.T) {
	c := LimitConnections(check.Value(net.Listen("tcp", "127.0.0.1:0"))(t), 4096, true, nil)
	t.Cleanup(func() { c.Close() })
	for i := range wideEach + 1 {
		server, client := dialFrom(t, c, "127.0.0.1")
		window := wideWindow
		if i == wideEach {
			window = narrowWindow
		} else if i > 0 {
			continue
		}
		go func() { _, _ = client.Write(make([]byte, 64<<20)) }()
		check.Value(io.CopyN(io.Discard, server, 16<<20))(t)
		var unread int
		for before := -1; unread > before; { // until the client can send no more
			before = unread
			time.Sleep(50 * time.Millisecond)
			_, unread = kernelBytes(server.Conn)
		}
		if unread == 0 || unread > window {
			t.Errorf("connection %d: %d bytes are unread, the window is %d", i, unread, window)
		}
	}
}

// TestWindowsTogether checks how many connections have a wide window: all together, those of one address, and that an
// idle one gives its window to a large body.
func TestWindowsTogether(t *testing.T) {
	c := LimitConnections(check.Value(net.Listen("tcp", "127.0.0.1:0"))(t), 4096, true, nil)
	t.Cleanup(func() { c.Close() })
	var all []*conn
	for i := range 5 * 2 * wideEach {
		server, _ := dialFrom(t, c, fmt.Sprintf("127.0.0.%d", 2+i%5))
		all = append(all, server)
	}
	sum, wide := 0, map[string]int{}
	for _, s := range all {
		sum += buffer(s.Conn)
		if c.wide[s] {
			wide[s.client]++
		}
	}
	if limit := wideTotal*wideWindow + (len(all)-wideTotal)*narrowWindow; sum > limit {
		t.Errorf("%d connections have buffers of %d bytes, want at most %d", len(all), sum, limit)
	}
	for client, n := range wide {
		if n > wideEach {
			t.Errorf("%s has %d wide windows", client, n)
		}
	}
	last := all[len(all)-1]
	if c.wide[last] || c.widen(last) {
		t.Fatal("a connection has a wide window too many")
	}
	for _, s := range all {
		if s.client != last.client {
			s.idle.Store(true)
		}
	}
	if own := wide[last.client]; c.widen(last) != (own < wideEach) || c.wide[last] && buffer(last.Conn) <= narrowWindow {
		t.Errorf("a large body gets no window although others are idle; its address has %d", own)
	}
}

// TestSurplusCounts checks that bytes that clients send while the server works for them count as memory of requests,
// and that such connections are reset when there is no memory left.
func TestSurplusCounts(t *testing.T) {
	const each, limit = 4 << 10, 64 << 10
	c := listen(t, NewMemory(limit))
	conns, clients := accepted(t, c, 20)
	send := func(i int) {
		check.Value(clients[i].Write(make([]byte, each)))(t)
		for unread := 0; unread < each; _, unread = kernelBytes(conns[i].Conn) {
			time.Sleep(time.Millisecond)
		}
	}
	for i, s := range conns[:10] {
		send(i)
		s.works()
	}
	c.sweep()
	if c.Memory.kernelTotal != 10*each {
		t.Errorf("%d bytes count, %d are unread", c.Memory.kernelTotal, 10*each)
	}
	for i, s := range conns[10:] {
		send(10 + i)
		s.works()
	}
	c.sweep()
	if open := len(c.list(func(*conn) bool { return true })); c.Memory.kernelTotal > limit || open != limit/each {
		t.Errorf("%d bytes count on %d connections; %d may", c.Memory.kernelTotal, open, limit)
	}
	for _, s := range conns {
		s.waits() // for a body, which the unread bytes belong to
	}
	c.sweep()
	if c.Memory.kernelTotal != 0 {
		t.Errorf("%d bytes of bodies that are awaited count", c.Memory.kernelTotal)
	}
}
