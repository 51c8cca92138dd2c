//go:build unix

package engine

import (
	"os"
	"syscall"
)

// wakeup is a pipe that one goroutine writes to and reads from in order to be woken by the runtime's network poller.
// With runtime.Gosched alone, two callers of jwt_decode next to eight of 500 KB get 6,000 responses a second instead of
// 10,900, in 74 µs instead of 54 (medians of nine interleaved rounds on two processors, the callers included).
type wakeup struct {
	reader, writer *os.File
	poll           syscall.RawConn // of reader
}

// newWakeup returns nil if the process has run out of file descriptors.
func newWakeup() *wakeup {
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil
	}
	poll, err := reader.SyscallConn()
	if err != nil {
		return nil
	}
	return &wakeup{reader, writer, poll}
}

// wait writes to the pipe and waits until the poller has noticed.
func (w *wakeup) wait() {
	if w == nil {
		return
	}
	signal := [1]byte{}
	written := false
	var failed error
	// The runtime waits if the function reports that there is nothing to read. The
	// function does so once, after it has written.
	err := w.poll.Read(func(uintptr) bool {
		if written {
			return true
		}
		written = true
		_, failed = w.writer.Write(signal[:])
		return failed != nil
	})
	if err == nil && failed == nil {
		_, _ = w.reader.Read(signal[:])
	}
}
