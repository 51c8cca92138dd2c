package guard

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// conn is an open connection of a Connections.
type conn struct {
	net.Conn
	from   *Connections
	client string // the quota key that it counts towards, "" if none
	key    string // the peer's, "" until clientOf computes it
	left   sync.Once

	began atomic.Bool // the client has sent a byte
	idle  atomic.Bool // between two requests

	// waiting is when the server began to wait for its client (nanoseconds since
	// started), or 0 while the server works for it.
	waiting atomic.Int64

	// unread is set when a response ends before its request's body has arrived completely; see Close.
	unread, lingers atomic.Bool

	// unsent is true while the kernel may hold bytes that the client has not read; failed is set by a failed write.
	unsent, failed atomic.Bool

	gathered net.Buffers // collects writes until sendGathered, or nil; net/http writes one piece at a time

	context context.Context // ends when the client is known to be gone
	gone    context.CancelFunc
}

type connKey struct{}

// ConnContext is http.Server's hook of that name, for connections accepted by a Connections.
func ConnContext(ctx context.Context, connection net.Conn) context.Context {
	s, ok := connection.(*conn)
	if !ok {
		return ctx
	}
	s.context, s.gone = context.WithCancel(context.WithValue(ctx, connKey{}, s))
	return s.context
}

// connOf returns the connection that a request arrived on, or nil if a Connections did not accept it.
func connOf(r *http.Request) *conn {
	s, _ := r.Context().Value(connKey{}).(*conn)
	return s
}

// ConnState is http.Server's hook of that name.
func ConnState(connection net.Conn, state http.ConnState) {
	s, ok := connection.(*conn)
	if !ok {
		return
	}
	s.idle.Store(state == http.StateIdle)
	if state == http.StateIdle && s.waiting.Load() == 0 {
		s.waits() // otherwise it has waited since the response began
	}
}

// started is the origin of waiting: a monotonic clock, never 0.
var started = time.Now()

// waits records that the server now waits for the client.
func (c *conn) waits() { c.waiting.Store(int64(time.Since(started))) }

// works records that the server now works for the client. What the client sends meanwhile stays in the kernel.
func (c *conn) works() {
	c.waiting.Store(0)
	c.from.watch()
}

// Read implements net.Conn. EOF does not mean that the client stopped reading: TCP cannot distinguish a client that has
// closed its connection from one that has only closed its sending direction and waits for the response (RFC 9293,
// section 3.6). A reset does.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.began.Store(true)
	}
	if err != nil && err != io.EOF && !errors.Is(err, os.ErrDeadlineExceeded) {
		c.leaves()
	}
	return n, err
}

// Write implements net.Conn.
func (c *conn) Write(p []byte) (int, error) {
	if c.gathered != nil {
		c.keep(p)
		return len(p), nil
	}
	c.waits()
	n, err := c.Conn.Write(p)
	c.sent(err)
	return n, err
}

// sent records the result of a write.
func (c *conn) sent(err error) {
	c.wrote()
	if err != nil {
		c.failed.Store(true)
		c.leaves()
	}
}

// leaves records that the client is gone.
func (c *conn) leaves() {
	if c.gone != nil {
		c.gone()
	}
}

// CloseWrite closes the sending direction, like (*net.TCPConn).CloseWrite.
func (c *conn) CloseWrite() error {
	if c.linger() {
		return nil
	}
	return c.closeWrite()
}

// Close implements net.Conn. A connection whose client may still be sending is closed in two steps (RFC 9112, section
// 9.6): it stops sending at once, then discards incoming bytes for a while. Bytes that reach a closed connection would
// cause a reset, which destroys a response that the client has not read yet. A connection whose client has not read its
// response is closed in two steps as well, and counts as open until the client has read it.
func (c *conn) Close() error {
	if c.failed.Load() {
		return c.giveUp()
	}
	if c.linger() {
		return nil
	}
	return c.end()
}

const (
	lingerBytes = 8 << 20
	lingerTime  = 2 * time.Second
)

// linger begins the two-step close if one is needed.
func (c *conn) linger() bool {
	if unsent, _ := kernelBytes(c.Conn); unsent <= freeBytes && !c.unread.Load() {
		return false
	}
	if !c.lingers.Swap(true) {
		c.waits()
		go func() {
			_ = c.closeWrite()
			_ = c.Conn.SetReadDeadline(time.Now().Add(lingerTime))
			_, _ = io.CopyN(io.Discard, c.Conn, lingerBytes)
			for c.isUnsent() { // a sweep ends this loop in time
				time.Sleep(sweepInterval)
			}
			_ = c.end()
		}()
	}
	return true
}

func (c *conn) closeWrite() error {
	if tcp, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return tcp.CloseWrite()
	}
	return nil
}

// end closes the connection now.
func (c *conn) end() error {
	err := c.Conn.Close()
	c.leaves()
	c.left.Do(func() { c.from.leave(c) })
	return err
}
