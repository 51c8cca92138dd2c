package guard

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strconv"
	"syscall"

	"github.com/redis/go-redis/v9"
)

// replyRoom bounds a reply of Redis: its bytes, plus the lengths of the strings that it announces, plus 16 bytes per
// array element. The largest expected reply, for reportClients, needs a third of it.
const replyRoom = 64 << 10

var errReply = errors.New("a Redis reply is larger than expected")

// replyConn bounds the replies of Redis. The client library allocates what a
// reply announces before it arrives: 16 GB for "*1000000000".
type replyConn struct {
	net.Conn
	room int    // what the reply to the last command may still use
	skip int    // rest of a string, including the line end
	line []byte // the current line, as far as it matters
}

// boundReplies returns a dialer whose connections bound the replies of Redis.
func boundReplies(options *redis.Options) func(context.Context, string, string) (net.Conn, error) {
	dial := redis.NewDialer(options)
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		bounded := &replyConn{Conn: c}
		if inner, ok := c.(system); ok { // the library needs this to see whether an idle connection is still open
			return checkedConn{bounded, inner}, nil
		}
		return bounded, nil
	}
}

// system is a connection of the operating system.
type system = syscall.Conn

// checkedConn is a replyConn on a connection of the operating system.
type checkedConn struct {
	*replyConn
	system
}

// Write implements net.Conn: it sends a command and resets the room for the reply.
func (c *replyConn) Write(p []byte) (int, error) {
	c.room = replyRoom
	return c.Conn.Write(p)
}

// Read implements net.Conn.
func (c *replyConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.room -= n
	for rest := p[:n]; len(rest) > 0 && c.room >= 0; {
		if c.skip > 0 {
			skipped := min(c.skip, len(rest))
			c.skip, rest = c.skip-skipped, rest[skipped:]
			continue
		}
		line, more, ended := bytes.Cut(rest, []byte("\n"))
		c.line, rest = append(c.line, line...), more
		if ended {
			c.announce(c.line)
			c.line = c.line[:0]
		}
	}
	if c.room < 0 {
		return 0, errReply
	}
	return n, err
}

// announce subtracts what a line of RESP announces from the room.
func (c *replyConn) announce(line []byte) {
	if len(line) == 0 {
		return
	}
	n, err := strconv.Atoi(string(bytes.TrimSuffix(line[1:], []byte("\r"))))
	if err != nil && !errors.Is(err, strconv.ErrRange) || n < 0 {
		return // the library rejects it, or it is null
	}
	switch line[0] {
	case '$', '!', '=': // strings
		c.room -= min(n, replyRoom+1)
		c.skip = min(n, replyRoom+1) + len("\r\n")
	case '*', '~', '>', '%', '|': // arrays, sets, pushes, maps, attributes
		c.room -= 16 * min(n, replyRoom+1)
	}
}
