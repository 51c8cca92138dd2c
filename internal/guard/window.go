package guard

// What a client sends ahead of the server's reads is in the kernel, whose receive buffer for a connection grows to
// several MiB. Fixed sizes bound it: every connection has narrowWindow, and wideTotal of them have wideWindow instead,
// so that a large body needs few round trips over a distant link. A connection gets a wide one when it is accepted or
// when a large body begins, if necessary from an idle connection. The sizes are what Linux charges for; about half of
// it is for bytes.
const (
	narrowWindow = 32 << 10
	wideWindow   = 1 << 20
	wideTotal    = 96
	wideEach     = wideTotal / 4 // for one address

	// segmentBytes bounds the segments on loopback, whose maximum of 64 KiB does not fit into a narrow window: clients
	// would wait for timers.
	segmentBytes = 4 << 10
)

// widen gives a connection a wide window if there is one for its address, and reports whether it has one. It may take
// it from a connection that is idle.
func (c *Connections) widen(s *conn) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if s.wide || !c.all[s] {
		return s.wide
	}
	var idle *conn
	all, own := 0, 0
	for other := range c.all {
		if !other.wide {
			continue
		}
		all++
		if s.client != "" && other.client == s.client {
			own++
		}
		if idle == nil && other != s && other.isIdle() {
			idle = other
		}
	}
	if own >= wideEach {
		return false
	}
	if all >= wideTotal {
		if idle == nil {
			return false
		}
		idle.setWindow(false)
	}
	s.setWindow(true)
	return true
}

// isIdle reports whether the connection is between two requests, or before the first, with nothing of the next one.
func (s *conn) isIdle() bool {
	if !s.idle.Load() && s.began.Load() {
		return false
	}
	_, unread := kernelBytes(s.Conn)
	return unread == 0
}

// setWindow sets the size of the receive buffer. The caller holds the mutex of s.from.
func (s *conn) setWindow(wide bool) {
	s.wide = wide
	bytes := narrowWindow
	if wide {
		bytes = wideWindow
	}
	limitUnread(s.Conn, bytes)
}
