package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

const (
	// Idle, the service holds about 10 MiB of live heap, so Go's default
	// would collect after every 10 MiB of new garbage, which one large call
	// makes. Letting the heap grow to five times what is alive saves most of
	// the collections; near the limit they become frequent again.
	heapGrowth = 400      // percent, GOGC
	heapLimit  = 96 << 20 // bytes, GOMEMLIMIT

	// Large calls can hold a processor of Go's scheduler each for
	// milliseconds, and nobody looks at the network meanwhile. With some to
	// spare, a small call's thread is woken by its packet and the system's
	// scheduler gives it a turn at once.
	spareProcessors = 2
)

// tuneRuntime sets what fits this service better than Go's defaults, unless
// the operator has decided by Go's own environment variables. Under a quota of
// processor time, which Go keeps to by itself, more threads would be throttled.
func tuneRuntime() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(heapLimit)
	}
	if n := runtime.NumCPU(); os.Getenv("GOMAXPROCS") == "" && runtime.GOMAXPROCS(0) == n {
		runtime.GOMAXPROCS(n + spareProcessors)
	}
}
