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
	return server, client
}

// buffer returns the size of a connection's receive buffer.
func buffer(c net.Conn) (bytes int) {
	control(c, func(fd int) { bytes, _ = unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF) })
	return bytes
}

// awaitFull waits until a client that sends ahead can send no more.
func awaitFull(client net.Conn) {
	for before, unsent := -1, 0; unsent == 0 || unsent > before; {
		before = unsent
		time.Sleep(50 * time.Millisecond)
		unsent, _ = kernelBytes(client)
	}
}

// TestWindowsAreFixed checks that the kernel holds no more than the fixed size for a client that sends ahead, before
// the connection is accepted and even after the server has read much in one go, which makes Linux's own windows grow. A
// wide window must still grow beyond the 64 KiB that are the limit of one that began as a small fixed one.
func TestWindowsAreFixed(t *testing.T) {
	c := LimitConnections(check.Value(Listen("127.0.0.1:0"))(t), 4096, true, nil)
	t.Cleanup(func() { c.Close() })
	client := check.Value(net.Dial("tcp", c.Addr().String()))(t)
	t.Cleanup(func() { client.Close() })
	const piece = 16 << 20
	go func() { _, _ = client.Write(make([]byte, 3*piece)) }()
	awaitFull(client)
	server := check.Value(c.Accept())(t).(*conn)
	t.Cleanup(func() { _ = server.end() })
	if _, early := kernelBytes(server.Conn); early == 0 || early > narrowWindow {
		t.Errorf("%d bytes arrived before the connection was accepted, the window is %d", early, narrowWindow)
	}
	read := func() (unread int) {
		check.Value(io.CopyN(io.Discard, server, piece))(t)
		awaitFull(client)
		_, unread = kernelBytes(server.Conn)
		return unread
	}
	if unread := read(); unread == 0 || unread > narrowWindow {
		t.Errorf("%d bytes are unread, the narrow window is %d", unread, narrowWindow)
	}
	if !c.widen(server) {
		t.Fatal("no wide window")
	}
	if unread := read(); unread <= narrowWindow || unread > wideWindow {
		t.Errorf("%d bytes are unread, the wide window is %d", unread, wideWindow)
	}
	check.Value(io.CopyN(io.Discard, server, piece))(t)
	control(client, func(fd int) {
		info := check.Value(unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO))(t)
		if info.Snd_wnd <= 64<<10 {
			t.Errorf("the client may send %d bytes ahead in the wide window", info.Snd_wnd)
		}
	})
}

// TestWindowsTogether checks how many connections have a wide window: all together, those of one address, and that an
// idle one gives its window to a large body.
func TestWindowsTogether(t *testing.T) {
	c := LimitConnections(check.Value(Listen("127.0.0.1:0"))(t), 4096, true, nil)
	t.Cleanup(func() { c.Close() })
	var all []*conn
	for i := range 5 * 2 * wideEach {
		server, _ := dialFrom(t, c, fmt.Sprintf("127.0.0.%d", 2+i%5))
		c.widen(server)
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
