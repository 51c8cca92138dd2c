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

// replyRoom is what a reply of Redis may have in bytes, in the lengths of the
// strings that it announces, and in 16 bytes for each element of the arrays.
// The largest that is expected, for reportClients, needs a third of it.
const replyRoom = 64 << 10

var errReply = errors.New("a reply of Redis is larger than any that is expected")

// replyConn bounds the replies of Redis: the client library allocates what a
// reply announces before it comes, 16 GB for "*1000000000".
type replyConn struct {
	net.Conn
	room int    // what the reply to the last command may still have
	skip int    // bytes of a string and the end of its line
	line []byte // the current line, as far as it matters
}

// boundReplies returns a dialer whose connections bound what Redis replies.
func boundReplies(options *redis.Options) func(context.Context, string, string) (net.Conn, error) {
	dial := redis.NewDialer(options)
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		bounded := &replyConn{Conn: c}
		if inner, ok := c.(system); ok { // by it the library sees whether an idle connection is still open
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

// Write implements net.Conn: it sends a command, and a reply is due.
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

// announce takes the room for what a line of RESP announces.
func (c *replyConn) announce(line []byte) {
	if len(line) == 0 {
		return
	}
	n, err := strconv.Atoi(string(bytes.TrimSuffix(line[1:], []byte("\r"))))
	if err != nil && !errors.Is(err, strconv.ErrRange) || n < 0 {
		return // the library refuses it, or it is null
	}
	switch line[0] {
	case '$', '!', '=': // strings
		c.room -= min(n, replyRoom+1)
		c.skip = min(n, replyRoom+1) + len("\r\n")
	case '*', '~', '>', '%', '|': // arrays, sets, pushes, maps, attributes
		c.room -= 16 * min(n, replyRoom+1)
	}
}
