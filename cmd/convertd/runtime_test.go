package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/convertd/convertd/internal/server"
)

// TestTuneRuntime: what the operator says by Go's own variables stays; the rest
// follows from the work slots and the machine.
func TestTuneRuntime(t *testing.T) {
	processors, growth, limit := runtime.GOMAXPROCS(0), debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	reset := func() {
		runtime.GOMAXPROCS(processors)
		debug.SetGCPercent(growth)
		debug.SetMemoryLimit(limit)
	}
	defer reset()
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GOMAXPROCS"} {
		t.Setenv(name, "1") // so that it is put back
		os.Unsetenv(name)
	}
	tuneRuntime(6)
	if got, want := debug.SetMemoryLimit(-1), server.MemoryLimit(6, containerMemory()); got != want {
		t.Errorf("a memory limit of %d bytes, want %d", got, want)
	}
	if got := debug.SetGCPercent(100); got != heapGrowth {
		t.Errorf("GOGC %d", got)
	}
	want := processors
	if processors == runtime.NumCPU() { // no quota
		want++
	}
	if got := runtime.GOMAXPROCS(0); got != want {
		t.Errorf("%d processors, want %d", got, want)
	}
	reset()
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GOMAXPROCS"} {
		t.Setenv(name, "1")
	}
	tuneRuntime(6)
	if debug.SetMemoryLimit(-1) != limit || debug.SetGCPercent(growth) != growth || runtime.GOMAXPROCS(0) != processors {
		t.Error("the operator's settings do not win")
	}
}
