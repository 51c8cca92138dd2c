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
//
// Heavy calls have a turn on each processor (see internal/engine), and Go's
// scheduler gets one more, which they never take: it looks at the network, and
// the system's scheduler gives it a turn as soon as there is something. Without
// it a small call would wait until a heavy one ends, or for 10 ms: on one
// processor, beside eight callers of 500 KB, two callers of small calls get some
// 30 a second without it and some 3,000 with it, and a second one adds nothing
// that can be told from chance. Under a quota of processor time, which Go keeps to
// by itself, one more would be throttled.
func tuneRuntime(slots int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(server.MemoryLimit(slots, containerMemory()))
	}
	if n := runtime.NumCPU(); os.Getenv("GOMAXPROCS") == "" && runtime.GOMAXPROCS(0) == n {
		runtime.GOMAXPROCS(n + 1)
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
