package main

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/convertd/convertd/internal/server"
)

// TestTuneRuntime checks that Go's environment variables win, and that the memory
// limit follows from the work slots otherwise.
func TestTuneRuntime(t *testing.T) {
	growth, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	reset := func() {
		debug.SetGCPercent(growth)
		debug.SetMemoryLimit(limit)
	}
	defer reset()
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Setenv(name, "1") // so that it is put back
		os.Unsetenv(name)
	}
	byConnections := tuneRuntime(6)
	if got, want := debug.SetMemoryLimit(-1), server.MemoryLimit(6, 0, containerMemory()); got != want {
		t.Errorf("a memory limit of %d bytes, want %d", got, want)
	}
	if got, want := byConnections(1000), server.MemoryLimit(6, 1000, containerMemory()); got != want {
		t.Errorf("a memory limit of %d bytes with 1000 connections, want %d", got, want)
	}
	if got := debug.SetGCPercent(100); got != heapGrowth {
		t.Errorf("GOGC %d", got)
	}
	reset()
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Setenv(name, "1")
	}
	if tuneRuntime(6) != nil {
		t.Error("the limit follows the connections although the operator set one")
	}
	collectAt(heapGrowth)
	if debug.SetMemoryLimit(-1) != limit || debug.SetGCPercent(growth) != growth {
		t.Error("the operator's settings do not win")
	}
}
