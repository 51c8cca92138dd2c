package server

import (
	"context"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/convertd/convertd/internal/record"
)

// Memory is divided as follows. The process may use restBytes, plus callBytes for each heavy call that runs at once and
// connectionBytes for each open connection, but at most four fifths of the container's memory: that is Go's memory
// limit, unless GOMEMLIMIT sets another. Two thirds of the limit without connections are for requests that depend on
// their clients (see guard.Memory), the rest for running calls. As many heavy calls run at once as there are
// processors, or fewer if the container lacks memory for them.
//
// Without connectionBytes, some thousand idle connections would take up the limit.
// The garbage collector would then run all the time.
const (
	restBytes       = 32 << 20
	callBytes       = 32 << 20
	connectionBytes = 16 << 10
	leastRoom       = 24 << 20 // for requests; with less, one address could not send a full-size one
)

// Slots returns how many calls should run at once, half of them heavy, on this
// many processors in a container of this many bytes, 0 if unlimited.
func Slots(processors int, container int64) int {
	heavy := int64(processors)
	if container > 0 {
		heavy = min(heavy, (usable(container)-restBytes)/callBytes)
	}
	return 2 * int(max(heavy, 1))
}

// MemoryLimit returns Go's memory limit in bytes for this many slots and open
// connections in a container of this many bytes, 0 if unlimited.
func MemoryLimit(slots, connections int, container int64) int64 {
	limit := restBytes + callBytes*int64(max(slots/2, 1)) + connectionBytes*int64(connections)
	if container > 0 {
		limit = min(limit, usable(container))
	}
	return limit
}

func usable(container int64) int64 { return container / 5 * 4 }

// room returns how many bytes requests may hold under Go's memory limit, which is math.MaxInt64 if unlimited.
func room(limit int64, slots int) int {
	if limit == math.MaxInt64 {
		limit = MemoryLimit(slots, 0, 0)
	}
	return int(max(limit/3*2, leastRoom))
}

// How often the server checks whether it holds memory that it no longer needs, how much it may keep, and how many bytes
// of requests since the last check mean that it will need the memory again.
const (
	memoryInterval = 20 * time.Second
	memoryKept     = 48 << 20
	memoryBusy     = 32 << 20
)

// memory returns memory to the system after a burst. By itself the runtime would keep what the last collection allowed
// until the next one, and without requests that takes minutes.
type memory struct {
	received atomic.Int64 // bytes of requests since the last check
}

// observe counts incoming bytes; it is an observer for guard.Observe.
func (m *memory) observe(_ context.Context, r record.Record) { m.received.Add(r.BytesIn) }

// releaseUnused checks at every interval until ctx ends.
func (m *memory) releaseUnused(ctx context.Context) {
	ticker := time.NewTicker(memoryInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if m.received.Swap(0) < memoryBusy && held() > memoryKept {
				debug.FreeOSMemory()
			}
		}
	}
}

// held returns how many bytes the runtime has obtained from the system.
func held() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() - sample[1].Value.Uint64()
}
