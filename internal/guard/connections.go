package guard

import (
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

// Connections is a listener that bounds how many connections are open. When
// there are limit and one more comes, the one that has waited longest for its
// client is closed: idle, in the middle of a request, or not reading its
// answer; first those of the address that has most. Only while the server is
// at work for all of them do further ones wait. One address may have a
// sixteenth of the connections; its further ones are closed at once.
type Connections struct {
	net.Listener
	Memory *Memory // counts what the kernel holds for clients; nil for no bound

	limit   int // 0 for none
	highest int // for one address
	shared  []netip.Prefix
	closed  chan struct{}
	close   sync.Once

	watching   atomic.Bool // a sweep is due
	outOfFiles rate.Sometimes

	mutex sync.Mutex
	all   map[*conn]bool
	open  map[string]int // by the quota's key; nil when all may have all
}

// LimitConnections bounds listener's connections to limit, at least 16, or 0
// for no bound. With each, one address gets a sixteenth, unless it is in one of
// the networks of proxies (CIDRs), whose connections are those of many clients.
func LimitConnections(listener net.Listener, limit int, each bool, proxies []string) (*Connections, error) {
	c := &Connections{
		Listener: listener,
		limit:    limit,
		highest:  limit / 16,
		closed:   make(chan struct{}),
		all:      map[*conn]bool{},

		outOfFiles: rate.Sometimes{Interval: time.Minute},
	}
	if each && limit > 0 {
		c.open = map[string]int{}
	}
	for _, text := range proxies {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, err
		}
		c.shared = append(c.shared, network.Masked())
	}
	return c, nil
}

// lookAgain is how long a connection waits, while the server is at work for all
// others, before it looks again whether one of them may be closed.
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
		s := newConn(connection, c, c.client(connection))
		s.waits()
		if !c.enter(s) {
			connection.Close()
			continue
		}
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

// logAccept logs, once a minute at most, that the process may open no more files:
// clients would only see that nobody answers.
func (c *Connections) logAccept(err error) {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		c.outOfFiles.Do(func() {
			slog.Error("out of file descriptors: connections wait until some are closed; raise the limit (LimitNOFILE, ulimit -n) above --max-connections")
		})
	}
}

// Close implements net.Listener.
func (c *Connections) Close() error {
	c.close.Do(func() { close(c.closed) })
	return c.Listener.Close()
}

// CloseWaiting closes every connection that waits for its client. A server
// that stops calls it once clients have had time enough.
func (c *Connections) CloseWaiting() {
	for _, s := range c.list(func(s *conn) bool { return s.waiting.Load() != 0 }) {
		_ = s.giveUp()
	}
}

// client is the key that a connection counts for, "" for none.
func (c *Connections) client(connection net.Conn) string {
	remote, err := netip.ParseAddrPort(connection.RemoteAddr().String())
	if c.open == nil || err != nil {
		return ""
	}
	address := remote.Addr().Unmap().WithZone("")
	for _, network := range c.shared {
		if network.Contains(address) {
			return ""
		}
	}
	return key(address)
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
	return true
}

// makeRoom reports whether there is room for a newcomer, which has entered, or
// has been made.
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
	if s.client == "" {
		return
	}
	if c.open[s.client]--; c.open[s.client] == 0 {
		delete(c.open, s.client)
	}
}
