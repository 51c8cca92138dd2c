package guard

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/time/rate"
)

// Connections is a listener that bounds the number of open connections. When limit are open and another one arrives, it
// closes the one that has waited longest for its client (idle, in the middle of a request, or not reading its
// response), preferring the address with the most connections. New connections wait only while the server works for all
// open ones. An address may have a sixteenth of the connections; more are closed at once.
type Connections struct {
	net.Listener
	Memory  *Memory               // accounts for the kernel's buffers; nil disables the bound
	Resized func(connections int) // called as the number of connections changes, in steps; may be nil

	limit   int // 0 means unlimited
	highest int // per address
	shared  []netip.Prefix
	closed  chan struct{}
	close   sync.Once

	watching   atomic.Bool // a sweep is scheduled
	outOfFiles rate.Sometimes

	mutex sync.Mutex
	all   map[*conn]bool
	wide  map[*conn]bool // those with a wide window, at most wideTotal
	open  map[string]int // by the quota's key; nil if there is no limit per address
	size  int            // what Resized was called with
}

// Listen listens on a TCP address for LimitConnections. It does not use Multipath TCP, Go's default, with which SO_BUF_LOCK
// has no effect; see limitAccepted.
func Listen(address string) (net.Listener, error) {
	config := net.ListenConfig{Control: limitAccepted}
	config.SetMultipathTCP(false)
	return config.Listen(context.Background(), "tcp", address)
}

// LimitConnections bounds listener's connections to limit, at least 16; 0 means unlimited. If each is set, an address
// may have a sixteenth of them, unless it is in one of the networks of proxies, which carry many clients' connections.
func LimitConnections(listener net.Listener, limit int, each bool, proxies []netip.Prefix) *Connections {
	c := &Connections{
		Listener: listener,
		limit:    limit,
		highest:  limit / 16,
		shared:   proxies,
		closed:   make(chan struct{}),
		all:      map[*conn]bool{},
		wide:     map[*conn]bool{},

		outOfFiles: rate.Sometimes{Interval: time.Minute},
	}
	if each && limit > 0 {
		c.open = map[string]int{}
	}
	return c
}

// lookAgain is how long a new connection waits, while the server works for all
// others, before it checks again whether one of them may be closed.
const lookAgain = 10 * time.Millisecond

// Accept implements net.Listener.
func (c *Connections) Accept() (net.Conn, error) {
	for {
		connection, err := c.Listener.Accept()
		if err != nil {
			c.logAccept(err)
			return nil, err
		}
		limitUnsent(connection)
		s := &conn{Conn: connection, from: c, client: c.client(connection)}
		s.waits()
		if !c.enter(s) {
			connection.Close()
			continue
		}
		limitUnread(connection, narrowWindow)
		for !c.makeRoom(s) {
			select {
			case <-time.After(lookAgain):
			case <-c.closed:
				_ = s.end()
				return nil, net.ErrClosed
			}
		}
		return s, nil
	}
}

// logAccept logs, at most once a minute, that the process has run out of file
// descriptors. Clients would only see connections that nothing accepts.
func (c *Connections) logAccept(err error) {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		c.outOfFiles.Do(func() {
			slog.Error("out of file descriptors: connections wait until some are closed; raise the limit (LimitNOFILE, ulimit -n) above --max-connections")
		})
	}
}

// Close implements net.Listener. It also closes the connections whose clients have sent nothing yet: net/http gives them
// five seconds to begin a request, which would delay every stop.
func (c *Connections) Close() error {
	c.close.Do(func() { close(c.closed) })
	err := c.Listener.Close()
	for _, s := range c.list(func(s *conn) bool { return !s.began.Load() }) {
		if _, unread := kernelBytes(s.Conn); unread == 0 {
			_ = s.giveUp()
		}
	}
	return err
}

// CloseWaiting closes every connection that waits for its client. A server that stops calls it after the drain period.
func (c *Connections) CloseWaiting() {
	for _, s := range c.list(func(s *conn) bool { return s.waiting.Load() != 0 }) {
		_ = s.giveUp()
	}
}

// client returns the key that a connection counts towards, "" for none.
func (c *Connections) client(connection net.Conn) string {
	remote, err := netip.ParseAddrPort(connection.RemoteAddr().String())
	if c.open == nil || err != nil {
		return ""
	}
	if inAny(c.shared, plain(remote.Addr())) {
		return ""
	}
	return key(remote.Addr())
}

func (c *Connections) enter(s *conn) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if s.client != "" {
		if c.open[s.client] >= c.highest {
			return false
		}
		c.open[s.client]++
	}
	c.all[s] = true
	c.resize()
	return true
}

// sizeStep is the step in which Resized gets the number of connections.
const sizeStep = 256

// resize calls Resized if there are more connections than it knows of, or at
// least two steps fewer. The caller holds the mutex.
func (c *Connections) resize() {
	n := len(c.all)
	if c.Resized == nil || n <= c.size && n > c.size-2*sizeStep {
		return
	}
	c.size = (n + sizeStep - 1) / sizeStep * sizeStep
	c.Resized(c.size)
}

// makeRoom reports whether there is room for newcomer, which has entered already.
// If not, it tries to make room by closing another connection.
func (c *Connections) makeRoom(newcomer *conn) bool {
	c.mutex.Lock()
	if c.limit == 0 || len(c.all) <= c.limit {
		c.mutex.Unlock()
		return true
	}
	var victim *conn
	var most int    // connections of the victim's address
	var since int64 // when the victim began to wait
	for s := range c.all {
		n, began := c.open[s.client], s.waiting.Load()
		if s == newcomer || began == 0 {
			continue
		}
		if victim == nil || n > most || n == most && began < since {
			victim, most, since = s, n, began
		}
	}
	c.mutex.Unlock()
	if victim == nil {
		return false
	}
	_ = victim.giveUp()
	return true
}

func (c *Connections) leave(s *conn) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.all, s)
	delete(c.wide, s)
	c.resize()
	if s.client == "" {
		return
	}
	if c.open[s.client]--; c.open[s.client] == 0 {
		delete(c.open, s.client)
	}
}
