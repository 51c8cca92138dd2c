package main

import (
	"os"
	"runtime/debug"
)

// Idle, the service holds about 10 MiB of live heap, so Go's default would
// collect after every 10 MiB of new garbage, which one large call makes.
// Letting the heap grow to five times what is alive costs tens of megabytes
// and saves most of the collections; near the limit they become frequent
// again.
const (
	heapGrowth = 400       // percent, GOGC
	heapLimit  = 104 << 20 // bytes, GOMEMLIMIT
)

// tuneMemory sets the collector unless the operator has, by Go's own
// environment variables.
func tuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(heapLimit)
	}
}
