//go:build !linux

package guard

import "net"

// limitUnsent bounds the send buffer of a TCP connection.
func limitUnsent(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(2 * unsentBytes)
	}
}

// kernelBytes returns 0: only Linux reports what the kernel holds.
func kernelBytes(net.Conn) (unsent, unread int) { return 0, 0 }
