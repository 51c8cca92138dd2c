package guard

import (
	"io"
	"net"
	"syscall"
)

// skip is from.Read, except that it may leave p unchanged: on TCP the kernel
// discards the bytes instead of copying them (MSG_TRUNC, tcp(7)).
func skip(from net.Conn, p []byte) (int, error) {
	tcp, ok := from.(*net.TCPConn)
	if !ok {
		return from.Read(p)
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return 0, err
	}
	var n int
	var failed error
	err = raw.Read(func(fd uintptr) bool {
		n, _, failed = syscall.Recvfrom(int(fd), p, syscall.MSG_TRUNC)
		for failed == syscall.EINTR {
			n, _, failed = syscall.Recvfrom(int(fd), p, syscall.MSG_TRUNC)
		}
		return failed != syscall.EAGAIN
	})
	switch {
	case err != nil:
		return 0, err
	case failed != nil:
		return 0, failed
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}
