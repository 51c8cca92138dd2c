package guard

import (
	"cmp"
	"net"
	"slices"
	"time"
)

// A response that the client does not read is at first in the handler, which
// holds Memory for it, and its end in the kernel. The kernel's part is bounded
// for each connection by limitUnsent, and for all of them here: at intervals,
// while there may be any, the server asks the kernel what it holds. That counts
// in the same Memory, and where it is more than a client may hold, or all of
// them, those connections are reset that have waited longest.
const (
	unsentBytes   = 64 << 10
	unsentTime    = 30 * time.Second // until a client must have read the end of a response
	sweepInterval = 250 * time.Millisecond
)

// wrote notes that the kernel may hold unsent bytes of the connection.
func (s *conn) wrote() {
	if !s.unsent.Swap(true) {
		s.from.watch()
	}
}

// watch begins a sweep after the interval, unless one is due already.
func (c *Connections) watch() {
	if !c.watching.Swap(true) {
		time.AfterFunc(sweepInterval, c.sweep)
	}
}

// unsentConn is a connection with unsent bytes.
type unsentConn struct {
	*conn
	bytes   int   // that the kernel holds
	waiting int64 // since when for the client, 0 while the server is at work
}

// sweep asks the kernel what it holds, resets the connections that may not go
// on, and comes again while there are others.
func (c *Connections) sweep() {
	c.watching.Store(false) // what is written from now on begins another watch
	var all []unsentConn
	for _, s := range c.list(func(s *conn) bool { return s.unsent.Swap(false) }) {
		unsent, unread := kernelBytes(s.Conn)
		if unsent == 0 {
			continue
		}
		s.unsent.Store(true)
		since := s.waiting.Load()
		if since != 0 && time.Since(started)-time.Duration(since) > unsentTime {
			_ = s.giveUp()
			continue
		}
		all = append(all, unsentConn{s, unsent + unread, since})
	}
	held := c.trim(all)
	c.Memory.inKernel(held)
	if len(held) > 0 {
		c.watch()
	}
}

// trim resets connections until what the kernel holds for the others is at most
// what a client may hold, and all of them. It returns the bytes by client.
func (c *Connections) trim(all []unsentConn) map[string]int {
	held, total := map[string]int{}, 0
	for _, s := range all {
		held[s.client] += s.bytes
		total += s.bytes
	}
	slices.SortFunc(all, func(a, b unsentConn) int { return cmp.Compare(a.waiting, b.waiting) })
	for _, s := range all {
		if s.waiting != 0 && c.Memory.tooMuch(s.client, held[s.client], total) {
			held[s.client] -= s.bytes
			total -= s.bytes
			_ = s.giveUp()
		}
	}
	return held
}

// list returns the open connections of which something is true.
func (c *Connections) list(is func(*conn) bool) (found []*conn) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for s := range c.all {
		if is(s) {
			found = append(found, s)
		}
	}
	return found
}

// isUnsent reports whether the client has not read all that was written.
func (s *conn) isUnsent() bool {
	unsent, _ := kernelBytes(s.Conn)
	return unsent > 0
}

// giveUp closes the connection now. What the client has not read is discarded:
// the kernel would keep it for minutes.
func (s *conn) giveUp() error {
	if s.isUnsent() {
		_ = s.Conn.(*net.TCPConn).SetLinger(0) // only of TCP the kernel says so
	}
	return s.end()
}
