package guard

import "time"

// ahead is how every response begins, of HTTP/1.0 and of 1.1. TCP cannot distinguish a client that has closed its
// connection from one that has only closed its sending direction and waits for the response. Once something is sent,
// the system of the former replies with a reset, which the next write reports. So if a client ends its sending while
// the server works for it, the server sends the first bytes of the response ahead, one by one, whatever the response
// will be.
const ahead = "HTTP/1."

// When bytes are sent ahead: the first this long after the end of sending, each
// further one after twice the interval, for distant clients.
const (
	firstAhead = 10 * time.Millisecond
	lastAhead  = 2 * time.Second
)

// ended is called when the client has closed its sending direction.
func (c *conn) ended() { time.AfterFunc(firstAhead, func() { c.probe(firstAhead) }) }

// probe sends a byte of the response ahead while the server works for the client, and schedules the next.
func (c *conn) probe(after time.Duration) {
	if c.context == nil || c.context.Err() != nil || after > lastAhead || !c.writing.TryLock() {
		return // gone, or a response is being sent
	}
	defer c.writing.Unlock()
	if c.waiting.Load() == 0 && c.ahead < len(ahead) {
		if _, err := c.send([]byte{ahead[c.ahead]}); err != nil {
			c.leaves()
			return
		}
		c.ahead++
	}
	time.AfterFunc(after, func() { c.probe(2 * after) })
}

// remaining returns what is still to be sent of the next piece of a response.
func (c *conn) remaining(p []byte) []byte {
	sent := min(c.ahead, len(p))
	c.ahead -= sent
	return p[sent:]
}
