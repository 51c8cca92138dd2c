package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/convertd/convertd/internal/server"
)

// heapGrowth is Go's GOGC, in percent. Idle, the service holds about 10 MiB of
// live heap, so Go's default would collect after every 10 MiB of new garbage,
// which one large call makes. Letting the heap grow to five times what is alive
// saves most of the collections; near the memory limit they become frequent
// again.
const heapGrowth = 400

// tuneRuntime sets what fits this service better than Go's defaults, unless
// the operator has decided by Go's own environment variables.
func tuneRuntime(slots int) {
	collectAt(heapGrowth)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(server.MemoryLimit(slots, containerMemory()))
	}
}

// tuneCommand does so for a command that is no service, which ends before
// collecting pays.
func tuneCommand(words []string) {
	if len(words) > 1 && words[1] != "serve" && words[1] != "mcp" {
		collectAt(heapGrowth)
	}
}

// collectAt sets Go's GOGC, in percent, unless the user has set it.
func collectAt(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// defaultSlots is the number of work slots unless the operator says otherwise.
func defaultSlots() int { return server.Slots(runtime.GOMAXPROCS(0), containerMemory()) }

// containerMemory is the memory limit of the control group that the process is
// in, in bytes, or 0 for none.
func containerMemory() int64 {
	limit, err := memlimit.FromCgroup()
	if err != nil || int64(limit) < 0 {
		return 0
	}
	return int64(limit)
}
