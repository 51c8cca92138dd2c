package guard

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// listen returns connections on loopback.
func listen(t *testing.T, memory *Memory) *Connections {
	t.Helper()
	listener := check.Value(Listen("127.0.0.1:0"))(t)
	c := LimitConnections(listener, 0, false, nil)
	c.Memory = memory
	t.Cleanup(func() { c.Close() })
	return c
}

// queue is a listener whose connections come from the queued addresses.
type queue struct {
	waiting chan net.Conn
	closed  chan struct{}
}

func newQueue() *queue { return &queue{make(chan net.Conn, 1000), make(chan struct{})} }

func (q *queue) Accept() (net.Conn, error) {
	select {
	case c := <-q.waiting:
		return c, nil
	case <-q.closed:
		return nil, net.ErrClosed
	}
}

func (q *queue) Addr() net.Addr { return &net.TCPAddr{} }
func (q *queue) Close() error   { close(q.closed); return nil }

// dial adds a connection from an address and returns the client's end.
func (q *queue) dial(address string) net.Conn {
	client, server := net.Pipe()
	q.waiting <- &remote{server, &net.TCPAddr{IP: net.ParseIP(address), Port: 1}}
	return client
}

type remote struct {
	net.Conn
	address net.Addr
}

func (r *remote) RemoteAddr() net.Addr { return r.address }

// TestResized checks that Resized gets a number that is never less than that of
// the open connections, and does not follow each small change.
func TestResized(t *testing.T) {
	c := LimitConnections(newQueue(), 0, false, nil)
	var sizes []int
	c.Resized = func(n int) { sizes = append(sizes, n) }
	var open []*conn
	resize := func(n int) {
		for len(open) < n {
			s := &conn{Conn: &net.TCPConn{}, from: c}
			c.enter(s)
			open = append(open, s)
		}
		for len(open) > n {
			c.leave(open[len(open)-1])
			open = open[:len(open)-1]
		}
	}
	for _, n := range []int{1, 256, 257, 600, 500, 600, 257, 256, 0, 1} {
		resize(n)
	}
	if want := []int{256, 512, 768, 256}; !slices.Equal(sizes, want) {
		t.Errorf("sizes %v, want %v", sizes, want)
	}
}

func TestConnectionsOfOneAddress(t *testing.T) {
	for _, test := range []struct {
		name    string
		each    bool
		proxies []netip.Prefix
		address func(i int) string
		want    int // of 20 that arrive, with a limit of 64
	}{
		{"one address", true, nil, func(int) string { return "192.0.2.1" }, 4},
		{"one address in two spellings", true, nil, func(i int) string { return []string{"192.0.2.1", "::ffff:192.0.2.1"}[i%2] }, 4},
		{"one IPv6 network", true, nil, func(i int) string { return "2001:db8::" + string(rune('1'+i%9)) }, 4},
		{"five addresses", true, nil, func(i int) string { return "192.0.2." + string(rune('1'+i%5)) }, 20},
		{"a proxy", true, prefixes("192.0.2.0/24"), func(int) string { return "192.0.2.1" }, 20},
		{"a proxy's network, not masked", true, prefixes("192.0.2.7/24"), func(int) string { return "192.0.2.1" }, 20},
		{"another's proxy", true, prefixes("10.0.0.0/8"), func(int) string { return "192.0.2.1" }, 4},
		{"addresses do not count", false, nil, func(int) string { return "192.0.2.1" }, 20},
	} {
		synctest.Test(t, func(t *testing.T) {
			q := newQueue()
			c := LimitConnections(q, 64, test.each, test.proxies)
			var open []net.Conn
			go func() {
				for {
					connection, err := c.Accept()
					if err != nil {
						return
					}
					open = append(open, connection)
				}
			}()
			for i := range 20 {
				q.dial(test.address(i))
			}
			synctest.Wait()
			if len(open) != test.want {
				t.Errorf("%s: %d are open, want %d", test.name, len(open), test.want)
			}
			for _, connection := range open { // each makes room for one more
				connection.Close()
				connection.Close()
			}
			open = nil
			q.dial(test.address(0))
			synctest.Wait()
			if len(open) != 1 {
				t.Errorf("%s: after all have gone %d are let in", test.name, len(open))
			}
			c.Close()
			synctest.Wait()
			if len(c.all) != 0 || len(c.open) != 0 {
				t.Errorf("%s: %d connections on which nothing arrived are open, of %v", test.name, len(c.all), c.open)
			}
		})
	}
}

// accepting accepts q's connections, at most 16 at once, and sends them on
// accepted. It sends the error that ends it on ended.
func accepting(t *testing.T, q *queue) (c *Connections, accepted chan *conn, ended chan error) {
	t.Helper()
	c = LimitConnections(q, 16, false, nil)
	accepted, ended = make(chan *conn, 100), make(chan error, 1)
	go func() {
		for {
			connection, err := c.Accept()
			if err != nil {
				ended <- err
				return
			}
			accepted <- connection.(*conn)
		}
	}()
	return c, accepted, ended
}

// TestTotalConnections checks that while the server works for all connections, new ones wait until one closes.
func TestTotalConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		c, accepted, ended := accepting(t, q)
		first := (*conn)(nil)
		for range 16 {
			q.dial("192.0.2.1")
			first = <-accepted
			first.works()
		}
		q.dial("192.0.2.1")
		time.Sleep(time.Minute)
		if len(accepted) > 0 {
			t.Fatal("a 17th connection is open")
		}
		first.Close()
		(<-accepted).works()
		q.dial("192.0.2.1")
		time.Sleep(time.Minute)
		if len(accepted) > 0 {
			t.Fatal("an 18th connection is open")
		}
		c.Close() // while Accept waits for a connection to leave
		if err := <-ended; !errors.Is(err, net.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	})
}

// TestMakeRoom checks that a newcomer replaces the connection that has waited longest, preferring the address with the
// most, and never one with a request under way.
func TestMakeRoom(t *testing.T) {
	for _, test := range []struct {
		name  string
		works func(i int) bool
		want  int // the index of the connection that is closed
	}{
		{"the oldest", func(int) bool { return false }, 0},
		{"the oldest that waits", func(i int) bool { return i < 7 }, 7},
		{"the only one that waits", func(i int) bool { return i != 15 }, 15},
	} {
		synctest.Test(t, func(t *testing.T) {
			q := newQueue()
			c, accepted, _ := accepting(t, q)
			var all []*conn
			for i := range 16 {
				q.dial("192.0.2.1")
				s := <-accepted
				if test.works(i) {
					s.works()
				}
				all = append(all, s)
				time.Sleep(time.Millisecond)
			}
			q.dial("192.0.2.99")
			newcomer := <-accepted
			for i, s := range append(all, newcomer) {
				if c.all[s] == (i == test.want) {
					t.Errorf("%s: connection %d: open is %t", test.name, i, c.all[s])
				}
			}
			c.Close()
			c.CloseWaiting()
			for s := range c.all {
				if s.waiting.Load() != 0 {
					t.Errorf("%s: one that waits is open after CloseWaiting", test.name)
				}
			}
		})
	}
	t.Run("of the address that has most", func(t *testing.T) {
		c := &Connections{limit: 4, highest: 4, all: map[*conn]bool{}, open: map[string]int{}}
		enter := func(client string) *conn {
			client1, server := net.Pipe()
			t.Cleanup(func() { client1.Close() })
			s := &conn{Conn: server, from: c, client: client}
			s.waits()
			c.enter(s)
			return s
		}
		enter("modest")
		enter("") // a proxy's
		greedy := enter("greedy")
		enter("greedy")
		newcomer := enter("other")
		if !c.makeRoom(newcomer) || c.all[greedy] || len(c.all) != 4 || c.open["greedy"] != 1 {
			t.Errorf("open: %v", c.open)
		}
	})
}

// TestMakeRoomForBodies checks that a connection that has just sent a request's
// header is not the one that has waited longest, however long it was idle before.
func TestMakeRoomForBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		c, accepted, _ := accepting(t, q)
		var all []*conn
		for range 16 {
			q.dial("192.0.2.1")
			all = append(all, <-accepted)
			time.Sleep(time.Second)
		}
		r := httptest.NewRequest(http.MethodPost, "/v1/tools/json_format", strings.NewReader("1"))
		r.ContentLength = 500_000
		(&exchange{conn: all[0]}).begin(r)
		q.dial("192.0.2.99")
		<-accepted
		if !c.all[all[0]] || c.all[all[1]] {
			t.Errorf("open: the one that sends a body %t, the one that is idle %t", c.all[all[0]], c.all[all[1]])
		}
		c.Close()
	})
}

// exhausted is a listener in a process that has run out of file descriptors.
type exhausted struct{ net.Listener }

func (exhausted) Accept() (net.Conn, error) {
	return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
}

// TestOutOfFiles checks that running out of file descriptors is logged, once for many attempts.
func TestOutOfFiles(t *testing.T) {
	log := &converttest.Log{}
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	c := LimitConnections(exhausted{}, 0, false, nil)
	for range 10 {
		if _, err := c.Accept(); !errors.Is(err, syscall.EMFILE) {
			t.Fatal(err)
		}
	}
	if n := log.Count("level=ERROR msg=\"out of file descriptors"); n != 1 {
		t.Errorf("logged %d times", n)
	}
}
