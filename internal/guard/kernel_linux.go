package guard

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// limitUnsent makes writes to a TCP connection wait while the kernel holds unsentBytes that it could not send yet
// because the client does not read. Bytes in flight do not count (TCP_NOTSENT_LOWAT, tcp(7)), so the window can still
// grow with the link, which a smaller send buffer would prevent.
func limitUnsent(c net.Conn) {
	control(c, func(fd int) {
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, unsentBytes)
	})
}

// limitUnread sets the size of the receive buffer of a TCP connection, which then no longer grows.
func limitUnread(c net.Conn, bytes int) {
	control(c, func(fd int) {
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, bytes/2) // the kernel doubles it
		// Otherwise the window never exceeds that of the buffer before.
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_WINDOW_CLAMP, bytes)
	})
}

// limitAccepted limits the segments and the receive buffers of the connections that a listener will accept, which
// receive before they are accepted. Their buffers are not fixed yet, since the kernel would never enlarge the window of
// a connection that began with a small fixed one. Before Linux 5.14 they are, so there no window exceeds 64 KiB.
func limitAccepted(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_MAXSEG, segmentBytes)
		_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, narrowWindow/2) // the kernel doubles it
		_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_BUF_LOCK, 0)
	})
}

// kernelBytes returns how many bytes the kernel holds for a TCP connection: sent bytes that the client has not
// acknowledged, and received bytes that were not read. It returns 0 for a closed connection, also for one that the
// client has reset: the kernel has discarded its bytes, but SIOCOUTQ still counts them.
func kernelBytes(c net.Conn) (unsent, unread int) {
	control(c, func(fd int) {
		unsent, _ = unix.IoctlGetInt(fd, unix.SIOCOUTQ)
		unread, _ = unix.IoctlGetInt(fd, unix.SIOCINQ)
		if unsent == 0 {
			return
		}
		if info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO); err == nil && info.State == unix.BPF_TCP_CLOSE {
			unsent, unread = 0, 0
		}
	})
	return unsent, unread
}

// control calls f with the file descriptor of an open TCP connection.
func control(c net.Conn, f func(fd int)) {
	tcp, ok := c.(syscall.Conn)
	if !ok {
		return
	}
	if raw, err := tcp.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { f(int(fd)) })
	}
}
