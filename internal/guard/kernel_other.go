//go:build !linux

package guard

import (
	"net"
	"syscall"
)

// limitUnsent bounds the send buffer of a TCP connection.
func limitUnsent(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(2 * unsentBytes)
	}
}

// limitUnread sets the size of the receive buffer of a TCP connection.
func limitUnread(c net.Conn, bytes int) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(bytes)
	}
}

// limitAccepted does nothing: the problems that it solves are only known of Linux.
func limitAccepted(_, _ string, _ syscall.RawConn) error { return nil }

// kernelBytes returns 0: only Linux reports what the kernel holds.
func kernelBytes(net.Conn) (unsent, unread int) { return 0, 0 }
