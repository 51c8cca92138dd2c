//go:build unix

package engine

import (
	"os"
	"syscall"
)

// bell is a pipe that one goroutine writes to and reads from.
type bell struct {
	reads, writes *os.File
	waits         syscall.RawConn // of reads
}

// newBell returns nil when the process may open no more files.
func newBell() *bell {
	reads, writes, err := os.Pipe()
	if err != nil {
		return nil
	}
	waits, err := reads.SyscallConn()
	if err != nil {
		return nil
	}
	return &bell{reads, writes, waits}
}

// wait rings the bell and waits until the runtime has heard it.
func (b *bell) wait() {
	if b == nil {
		return
	}
	signal := [1]byte{}
	rung := false
	var failed error
	// The runtime waits when the function says that there is nothing to read. It
	// is told so once, when it has got ready to hear the bell.
	err := b.waits.Read(func(uintptr) bool {
		if rung {
			return true
		}
		rung = true
		_, failed = b.writes.Write(signal[:])
		return failed != nil
	})
	if err == nil && failed == nil {
		_, _ = b.reads.Read(signal[:])
	}
}
