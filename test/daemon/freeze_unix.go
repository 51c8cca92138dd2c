//go:build unix

package daemon

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Freeze suspends the process until SIGCONT. SIGSTOP alone is not enough: on a busy
// machine a thread may still respond for a while.
func (p *Process) Freeze(t testing.TB) {
	t.Helper()
	p.Signal(syscall.SIGSTOP)
	Await(t, "the process is suspended", p.frozen)
}

// frozen reports whether every thread is in state T (proc(5), stat).
func (p *Process) frozen() bool {
	threads, _ := filepath.Glob(p.proc("task/*/stat"))
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err == nil && !bytes.HasPrefix(text[bytes.LastIndexByte(text, ')')+1:], []byte(" T")) {
			return false
		}
	}
	return len(threads) > 0
}
