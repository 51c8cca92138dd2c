package guard

import "time"

// ahead is how every answer begins, of HTTP/1.0 and of 1.1. A client that has
// closed its connection, and one that only sends nothing more and waits for its
// answer, look alike to TCP until they are sent something: then the first one's
// system answers with a reset, which the next sending meets. So a client that has
// ended its sending while the server is at work for it gets the first bytes of
// its answer ahead, one by one, whatever the answer will be.
const ahead = "HTTP/1."

// When bytes are sent ahead: first so long after the end of the sending, each
// further one after twice the time, for clients that are far.
const (
	firstAhead = 10 * time.Millisecond
	lastAhead  = 2 * time.Second
)

// ended is called when the client has ended its sending.
func (c *conn) ended() { time.AfterFunc(firstAhead, func() { c.probe(firstAhead) }) }

// probe sends a byte of the answer ahead while the server is at work for the
// client, and comes again.
func (c *conn) probe(after time.Duration) {
	if c.context == nil || c.context.Err() != nil || after > lastAhead || !c.writing.TryLock() {
		return // gone, or an answer is being sent
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

// remaining is what is still to be sent of the next piece of an answer.
func (c *conn) remaining(p []byte) []byte {
	sent := min(c.ahead, len(p))
	c.ahead -= sent
	return p[sent:]
}
