package guard

// What a client sends ahead of the server's reads is in the kernel, whose receive buffer for a connection grows to
// several MiB. Fixed sizes bound it: every connection has narrowWindow, and wideTotal of them have wideWindow instead,
// so that a large body needs few round trips over a distant link. A connection gets a wide one when a large body begins,
// if necessary from an idle connection. The sizes are what Linux charges for; about half of it is for bytes.
const (
	narrowWindow = 32 << 10
	wideWindow   = 1 << 20
	wideTotal    = 64
	wideEach     = wideTotal / 4 // for one address

	// segmentBytes bounds the segments on loopback, whose maximum of 64 KiB does not fit into a narrow window: clients
	// would wait for timers.
	segmentBytes = 4 << 10
)

// widen gives a connection a wide window if there is one for its address, and reports whether it has one. It may take
// it from an idle connection.
func (c *Connections) widen(s *conn) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.wide[s] || !c.all[s] {
		return c.wide[s]
	}
	var idle *conn
	own := 0
	for other := range c.wide {
		if s.client != "" && other.client == s.client {
			own++
		}
		if idle == nil && other.isIdle() {
			idle = other
		}
	}
	if own >= wideEach || len(c.wide) >= wideTotal && idle == nil {
		return false
	}
	if len(c.wide) >= wideTotal {
		delete(c.wide, idle)
		limitUnread(idle.Conn, narrowWindow)
	}
	c.wide[s] = true
	limitUnread(s.Conn, wideWindow)
	return true
}

// isIdle reports whether the connection is between two requests, with nothing of the next one.
func (s *conn) isIdle() bool {
	if !s.idle.Load() {
		return false
	}
	_, unread := kernelBytes(s.Conn)
	return unread == 0
}
