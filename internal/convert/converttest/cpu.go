package converttest

import (
	"syscall"
	"testing"
	"time"
)

// CPU is the processor time that this process has used. Unlike the clock it
// does not run while others have the machine, so a test may hold it against a
// bound.
func CPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Limit is a bound on CPU: d, and much more under the race detector, which
// slows code down by an order of magnitude.
func Limit(d time.Duration) time.Duration { return d * slowdown }

// Unhurried skips a test of time and memory in the run under the race
// detector (go test -race -short), which says nothing about either; make costs
// runs such tests without it.
func Unhurried(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("bounds of time and memory are tested without -short")
	}
}
