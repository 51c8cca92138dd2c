package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/convertd/convertd/internal/server"
)

// heapGrowth is Go's GOGC, in percent. The idle service has about 10 MiB of live heap, so with Go's default every 10
// MiB of garbage, or one large request, would start a collection. With 400 there are far fewer, and near the memory
// limit as many as necessary.
const heapGrowth = 400

// tuneRuntime sets the garbage collector of the service, unless Go's environment
// variables do. It returns server.Config's MemoryLimit.
func tuneRuntime(slots int) (limit func(connections int) int64) {
	collectAt(heapGrowth)
	if os.Getenv("GOMEMLIMIT") != "" {
		return nil
	}
	container := containerMemory()
	limit = func(connections int) int64 { return server.MemoryLimit(slots, connections, container) }
	debug.SetMemoryLimit(limit(0))
	return limit
}

// collectAt sets Go's GOGC, in percent, unless the user has set it.
func collectAt(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// defaultSlots returns the default number of work slots.
func defaultSlots() int { return server.Slots(runtime.GOMAXPROCS(0), containerMemory()) }

// containerMemory returns the memory limit of the process's control group in bytes, or 0 if it has no limit.
func containerMemory() int64 {
	limit, err := memlimit.FromCgroup()
	if err != nil || int64(limit) < 0 {
		return 0
	}
	return int64(limit)
}
