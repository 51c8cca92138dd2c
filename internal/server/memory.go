package server

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/convertd/convertd/internal/record"
)

// How often the server looks whether it holds memory that it no longer needs,
// how much it may keep, and how many bytes of requests in between mean that it
// will need the memory again.
const (
	memoryInterval = 20 * time.Second
	memoryKept     = 48 << 20
	memoryBusy     = 32 << 20
)

// memory gives memory back after a rush. By itself the runtime would keep what
// the last collection allowed until the next one, and without calls there is
// none for minutes.
type memory struct {
	received atomic.Int64 // bytes of requests since the last look
}

// observe counts what comes in; it is an observer for guard.Observe.
func (m *memory) observe(_ context.Context, r record.Record) { m.received.Add(r.BytesIn) }

// giveBack looks every interval until ctx ends.
func (m *memory) giveBack(ctx context.Context) {
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

// held is how many bytes the runtime has from the system.
func held() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() - sample[1].Value.Uint64()
}
