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

// limitSegments limits the segments of the connections that a listener accepts.
func limitSegments(l net.Listener) {
	control(l, func(fd int) { _ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_MAXSEG, segmentBytes) })
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

// control calls f with the file descriptor of an open TCP connection or listener.
func control(c any, f func(fd int)) {
	tcp, ok := c.(syscall.Conn)
	if !ok {
		return
	}
	if raw, err := tcp.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { f(int(fd)) })
	}
}
