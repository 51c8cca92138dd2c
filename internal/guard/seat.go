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

// seat is an open connection of a Connections.
type seat struct {
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

// newSeat is a connection that counts for a client, "" for none.
func newSeat(connection net.Conn, from *Connections, client string) *seat {
	return &seat{
		Conn: connection, from: from, client: client,
		reading: deadline{set: connection.SetReadDeadline},
		sending: deadline{set: connection.SetWriteDeadline},
	}
}

type seatKey struct{}

// ConnContext is http.Server's hook of that name, for connections that come
// from a Connections.
func ConnContext(ctx context.Context, connection net.Conn) context.Context {
	s, ok := connection.(*seat)
	if !ok {
		return ctx
	}
	s.context, s.gone = context.WithCancel(context.WithValue(ctx, seatKey{}, s))
	return s.context
}

// seatOf is the connection that a request came by, nil when it is none of a
// Connections.
func seatOf(r *http.Request) *seat {
	s, _ := r.Context().Value(seatKey{}).(*seat)
	return s
}

// ConnState is http.Server's hook of that name.
func ConnState(connection net.Conn, state http.ConnState) {
	if s, ok := connection.(*seat); ok && state == http.StateIdle && s.waiting.Load() == 0 {
		s.waits() // else it has since it began to answer
	}
}

// started is what waiting counts from: a steady clock, and never 0.
var started = time.Now()

// waits notes that the server waits for the client from now on.
func (s *seat) waits() { s.waiting.Store(int64(time.Since(started))) }

// works notes that the server is at work for the client.
func (s *seat) works() { s.waiting.Store(0) }

// Read implements net.Conn. The end of what the client sends says nothing about
// whether it still reads (it may have closed one direction, RFC 9293, section
// 3.6), see ended; a reset says that it does not.
func (s *seat) Read(p []byte) (int, error) {
	n, err := s.receive(p)
	switch {
	case err == io.EOF:
		s.ended()
	case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
		s.leaves()
	}
	return n, err
}

// come reads what has come from the connection, or throws it away: what fits
// into net/http's buffer may be for it, and then it may be the beginning of the
// next request.
func (s *seat) come(p []byte) (int, error) {
	if len(p) > bufferBytes && s.skips.Load() {
		return skip(s.Conn, p)
	}
	return s.Conn.Read(p)
}

// Write implements net.Conn.
func (s *seat) Write(p []byte) (int, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.gathered != nil {
		s.gathered.keep(p)
		return len(p), nil
	}
	s.waits()
	left := s.remaining(p)
	n, err := s.send(left)
	s.sent(err)
	return len(p) - len(left) + n, err
}

// sent notes the end of a write.
func (s *seat) sent(err error) {
	s.wrote()
	if err != nil {
		s.failed.Store(true)
		s.leaves()
	}
}

// leaves notes that the client is gone.
func (s *seat) leaves() {
	if s.gone != nil {
		s.gone()
	}
}

// CloseWrite closes the sending direction, as (*net.TCPConn).CloseWrite.
func (s *seat) CloseWrite() error {
	if s.linger() {
		return nil
	}
	return s.closeWrite()
}

// Close implements net.Conn. A connection whose client may still be sending is
// closed in two steps (RFC 9112, section 9.6): nothing more is sent at once,
// and what still comes is thrown away for a while; bytes that find the
// connection closed would be answered by a reset, which takes the answer away
// from a client that has not read it yet. So is one whose client has not read
// its response: until it has, the connection counts as open.
func (s *seat) Close() error {
	if s.failed.Load() {
		return s.giveUp()
	}
	if s.linger() {
		return nil
	}
	return s.end()
}

const (
	lingerBytes = 8 << 20
	lingerTime  = 2 * time.Second
)

// linger begins the closing in two steps where one is due.
func (s *seat) linger() bool {
	if unsent, _ := kernelBytes(s.Conn); unsent <= freeBytes && !s.unread.Load() {
		return false
	}
	if !s.lingers.Swap(true) {
		s.waits()
		go func() {
			_ = s.closeWrite()
			_ = s.Conn.SetReadDeadline(time.Now().Add(lingerTime))
			discard(func(p []byte) (int, error) { return skip(s.Conn, p) }, lingerBytes)
			for s.isUnsent() { // a sweep ends it in time
				time.Sleep(sweepInterval)
			}
			_ = s.end()
		}()
	}
	return true
}

func (s *seat) closeWrite() error {
	if tcp, ok := s.Conn.(interface{ CloseWrite() error }); ok {
		return tcp.CloseWrite()
	}
	return nil
}

// end closes the connection now.
func (s *seat) end() error {
	err := s.Conn.Close()
	s.leaves()
	s.left.Do(func() { s.from.leave(s) })
	return err
}
