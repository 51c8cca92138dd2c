package guard

import (
	"cmp"
	"net"
	"slices"
	"time"
)

// A response that the client does not read is first in the handler, which holds Memory for it; its end is in the
// kernel. limitUnsent bounds the kernel's part for each connection. This file bounds it for all connections: at
// intervals, while any bytes may be unsent, the server queries how much the kernel holds and counts it in the same
// Memory. What clients send ahead while the server works for them counts, too. If that exceeds the limit of a client or
// the total limit, the server resets first the connections that sent ahead, then those that have waited longest.
const (
	unsentBytes   = 64 << 10
	unsentTime    = 30 * time.Second // until a client must have read the end of a response
	sweepInterval = 250 * time.Millisecond
)

// wrote records that the kernel may hold unsent bytes of the connection.
func (s *conn) wrote() {
	if !s.unsent.Swap(true) {
		s.from.watch()
	}
}

// watch schedules a sweep after the interval, unless one is scheduled already.
func (c *Connections) watch() {
	if !c.watching.Swap(true) {
		time.AfterFunc(sweepInterval, c.sweep)
	}
}

// kernelConn is a connection for which the kernel holds bytes.
type kernelConn struct {
	*conn
	bytes   int
	waiting int64 // since when for the client; 0 while the server works
	surplus bool  // the client has sent more while the server works
}

// sweep queries what the kernel holds, resets connections that exceed their limits, and runs again as long as bytes
// are unsent or the server works for a client.
func (c *Connections) sweep() {
	c.watching.Store(false) // later writes schedule another sweep
	var all []kernelConn
	works := false
	for _, s := range c.list(func(s *conn) bool { return s.unsent.Swap(false) || s.waiting.Load() == 0 }) {
		unsent, unread := kernelBytes(s.Conn)
		since := s.waiting.Load()
		works = works || since == 0
		if unsent == 0 && (unread == 0 || since != 0) {
			continue
		}
		if unsent > 0 {
			s.unsent.Store(true)
		}
		if since != 0 && time.Since(started)-time.Duration(since) > unsentTime {
			_ = s.giveUp()
			continue
		}
		all = append(all, kernelConn{s, unsent + unread, since, since == 0 && unread > 0})
	}
	held := c.trim(all)
	c.Memory.inKernel(held)
	if works || len(held) > 0 {
		c.watch()
	}
}

// trim resets connections until what the kernel holds for the others is within
// the limits per client and in total. It returns the bytes by client.
func (c *Connections) trim(all []kernelConn) map[string]int {
	held, total := map[string]int{}, 0
	for _, s := range all {
		held[s.client] += s.bytes
		total += s.bytes
	}
	slices.SortFunc(all, func(a, b kernelConn) int { return cmp.Compare(a.waiting, b.waiting) })
	for _, s := range all {
		if (s.waiting != 0 || s.surplus) && c.Memory.tooMuch(s.client, held[s.client], total) {
			held[s.client] -= s.bytes
			total -= s.bytes
			_ = s.giveUp()
		}
	}
	return held
}

// list returns the open connections that satisfy is.
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

// giveUp closes the connection now and discards what the client has not read,
// which the kernel would otherwise keep for minutes.
func (s *conn) giveUp() error {
	if s.isUnsent() {
		_ = s.Conn.(*net.TCPConn).SetLinger(0) // isUnsent is true only for TCP
	}
	return s.end()
}
