package guard

import (
	"net"
	"net/netip"
	"sync"
)

// Connections is a listener that bounds how many connections are open. While
// there are limit, further ones wait in the system's queue. One address may
// have a sixteenth of them; its further ones are closed at once.
type Connections struct {
	net.Listener
	seats   chan struct{}
	closed  chan struct{}
	close   sync.Once
	shared  []netip.Prefix // networks whose addresses are many clients
	mutex   sync.Mutex
	open    map[string]int // by the quota's key; nil when all may have all
	highest int            // for one address
}

// LimitConnections bounds listener's connections to limit, at least 16. With
// each, one address gets a sixteenth, unless it is in one of the networks of
// proxies (CIDRs), whose connections are those of many clients.
func LimitConnections(listener net.Listener, limit int, each bool, proxies []string) (*Connections, error) {
	c := &Connections{Listener: listener, seats: make(chan struct{}, limit), closed: make(chan struct{}), highest: limit / 16}
	if each {
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

// Accept implements net.Listener.
func (c *Connections) Accept() (net.Conn, error) {
	select {
	case c.seats <- struct{}{}:
	case <-c.closed:
		return nil, net.ErrClosed
	}
	for {
		connection, err := c.Listener.Accept()
		if err != nil {
			<-c.seats
			return nil, err
		}
		client := c.client(connection)
		if c.enter(client) {
			return &seated{Conn: connection, leave: func() { c.leave(client) }}, nil
		}
		connection.Close()
	}
}

// Close implements net.Listener.
func (c *Connections) Close() error {
	c.close.Do(func() { close(c.closed) })
	return c.Listener.Close()
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
	return key(address.String())
}

func (c *Connections) enter(client string) bool {
	if client == "" {
		return true
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.open[client] >= c.highest {
		return false
	}
	c.open[client]++
	return true
}

func (c *Connections) leave(client string) {
	<-c.seats
	if client == "" {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.open[client]--; c.open[client] == 0 {
		delete(c.open, client)
	}
}

// seated is a connection that leaves once it is closed.
type seated struct {
	net.Conn
	once  sync.Once
	leave func()
}

// Close implements net.Conn.
func (c *seated) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.leave)
	return err
}
