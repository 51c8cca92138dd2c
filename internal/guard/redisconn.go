package guard

import (
	"context"
	"errors"
	"net"
	"regexp"
	"syscall"

	"github.com/redis/go-redis/v9"
)

// replyRoom bounds a reply of Redis, in bytes. The largest expected one describes the server and its modules.
const replyRoom = 4 << 10

// largeReply matches a line that announces more than 99 elements or a string of more than 999 bytes. The client library
// allocates what a reply announces before it arrives: 16 GB for "*1000000000".
var largeReply = regexp.MustCompile(`(?m)^(?:[*~>%|]\+?[0-9]{3}|[$!=]\+?[0-9]{4})`)

var errReply = errors.New("a Redis reply is larger than expected")

// replyConn bounds the replies of Redis.
type replyConn struct {
	net.Conn
	reply []byte // what has arrived since the last command
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
		if inner, ok := c.(syscall.Conn); ok { // the library needs this to see whether an idle connection is still open
			return struct {
				*replyConn
				syscall.Conn
			}{bounded, inner}, nil
		}
		return bounded, nil
	}
}

// Write implements net.Conn: it sends a command.
func (c *replyConn) Write(p []byte) (int, error) {
	c.reply = c.reply[:0]
	return c.Conn.Write(p)
}

// Read implements net.Conn.
func (c *replyConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.reply = append(c.reply, p[:min(n, replyRoom)]...)
	if len(c.reply) > replyRoom || n > replyRoom || largeReply.Match(c.reply) {
		return 0, errReply
	}
	return n, err
}
