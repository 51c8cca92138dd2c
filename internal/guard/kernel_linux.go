package guard

import (
	"net"

	"golang.org/x/sys/unix"
)

// limitUnsent makes writes to a TCP connection wait while the kernel has
// unsentBytes that it could not send yet, because the client does not read.
// What is on its way does not count (TCP_NOTSENT_LOWAT, tcp(7)), so that the
// window still grows with the line, as a smaller send buffer would not let it.
func limitUnsent(c net.Conn) {
	control(c, func(fd int) {
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, unsentBytes)
	})
}

// kernelBytes returns how many bytes the kernel holds for a TCP connection: of
// what was written, those that the client has not acknowledged, and of what
// came, those that were not read. It returns 0 for a closed connection.
func kernelBytes(c net.Conn) (unsent, unread int) {
	control(c, func(fd int) {
		unsent, _ = unix.IoctlGetInt(fd, unix.SIOCOUTQ)
		unread, _ = unix.IoctlGetInt(fd, unix.SIOCINQ)
	})
	return unsent, unread
}

// control calls f with the descriptor of a TCP connection that is open.
func control(c net.Conn, f func(fd int)) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return
	}
	if raw, err := tcp.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { f(int(fd)) })
	}
}
