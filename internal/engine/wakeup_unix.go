//go:build unix

package engine

import (
	"os"
	"syscall"
)

// wakeup is a pipe that one goroutine writes to and reads from, in order to be
// woken by the runtime's look at the network.
type wakeup struct {
	reader, writer *os.File
	poll           syscall.RawConn // of reader
}

// newWakeup returns nil when the process may open no more files.
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

// wait writes to the pipe and waits until the runtime has noticed.
func (w *wakeup) wait() {
	if w == nil {
		return
	}
	signal := [1]byte{}
	written := false
	var failed error
	// The runtime waits when the function says that there is nothing to read. It
	// says so once, after it has written.
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
