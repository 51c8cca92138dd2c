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
	client string // the key that it counts for, "" for none
	key    string // of the other end, "" before it is asked for; see clientOf
	left   sync.Once

	reading, sending deadline

	// waiting is when the server began to wait for its client (nanoseconds since
	// started), 0 while the server is at work for it.
	waiting atomic.Int64

	// unread is true once a request was answered of which more may come; see
	// Close.
	unread, lingers atomic.Bool

	// unsent is true while the kernel may hold bytes that the client has not
	// read; failed once a write has failed.
	unsent, failed atomic.Bool

	// skips is true while what comes of a body is thrown away.
	skips atomic.Bool

	writing  sync.Mutex // is held while something is sent
	ahead    int        // bytes of the answer that are sent already; writing guards it
	gathered *gathering // where what is written is kept until sendGathered, or nil; writing guards it

	context context.Context // ends when the client is known to be gone
	gone    context.CancelFunc
}

// newConn is a connection that counts for a client, "" for none.
func newConn(connection net.Conn, from *Connections, client string) *conn {
	return &conn{
		Conn: connection, from: from, client: client,
		reading: deadline{set: connection.SetReadDeadline},
		sending: deadline{set: connection.SetWriteDeadline},
	}
}

type connKey struct{}

// ConnContext is http.Server's hook of that name, for connections that come
// from a Connections.
func ConnContext(ctx context.Context, connection net.Conn) context.Context {
	s, ok := connection.(*conn)
	if !ok {
		return ctx
	}
	s.context, s.gone = context.WithCancel(context.WithValue(ctx, connKey{}, s))
	return s.context
}

// connOf is the connection that a request came by, nil when it is none of a
// Connections.
func connOf(r *http.Request) *conn {
	s, _ := r.Context().Value(connKey{}).(*conn)
	return s
}

// ConnState is http.Server's hook of that name.
func ConnState(connection net.Conn, state http.ConnState) {
	if s, ok := connection.(*conn); ok && state == http.StateIdle && s.waiting.Load() == 0 {
		s.waits() // else it has since it began to answer
	}
}

// started is what waiting counts from: a steady clock, and never 0.
var started = time.Now()

// waits notes that the server waits for the client from now on.
func (c *conn) waits() { c.waiting.Store(int64(time.Since(started))) }

// works notes that the server is at work for the client.
func (c *conn) works() { c.waiting.Store(0) }

// Read implements net.Conn. The end of what the client sends says nothing about
// whether it still reads (it may have closed one direction, RFC 9293, section
// 3.6), see ended; a reset says that it does not.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.receive(p)
	switch {
	case err == io.EOF:
		c.ended()
	case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
		c.leaves()
	}
	return n, err
}

// come reads what has come from the connection, or throws it away: what fits
// into net/http's buffer may be for it, and then it may be the beginning of the
// next request.
func (c *conn) come(p []byte) (int, error) {
	if len(p) > bufferBytes && c.skips.Load() {
		return skip(c.Conn, p)
	}
	return c.Conn.Read(p)
}

// Write implements net.Conn.
func (c *conn) Write(p []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.gathered != nil {
		c.gathered.keep(p)
		return len(p), nil
	}
	c.waits()
	left := c.remaining(p)
	n, err := c.send(left)
	c.sent(err)
	return len(p) - len(left) + n, err
}

// sent notes the end of a write.
func (c *conn) sent(err error) {
	c.wrote()
	if err != nil {
		c.failed.Store(true)
		c.leaves()
	}
}

// leaves notes that the client is gone.
func (c *conn) leaves() {
	if c.gone != nil {
		c.gone()
	}
}

// CloseWrite closes the sending direction, as (*net.TCPConn).CloseWrite.
func (c *conn) CloseWrite() error {
	if c.linger() {
		return nil
	}
	return c.closeWrite()
}

// Close implements net.Conn. A connection whose client may still be sending is
// closed in two steps (RFC 9112, section 9.6): nothing more is sent at once,
// and what still comes is thrown away for a while; bytes that find the
// connection closed would be answered by a reset, which takes the answer away
// from a client that has not read it yet. So is one whose client has not read
// its response: until it has, the connection counts as open.
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

// linger begins the closing in two steps where one is due.
func (c *conn) linger() bool {
	if unsent, _ := kernelBytes(c.Conn); unsent <= freeBytes && !c.unread.Load() {
		return false
	}
	if !c.lingers.Swap(true) {
		c.waits()
		go func() {
			_ = c.closeWrite()
			_ = c.Conn.SetReadDeadline(time.Now().Add(lingerTime))
			discard(func(p []byte) (int, error) { return skip(c.Conn, p) }, lingerBytes)
			for c.isUnsent() { // a sweep ends it in time
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
