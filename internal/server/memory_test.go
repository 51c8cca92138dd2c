package server

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/record"
)

var garbage []byte

// TestMemoryIsReturned makes garbage like a burst of large calls. While calls
// arrive the memory stays, because they will need it; afterwards it is returned.
func TestMemoryIsReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m memory
		ctx, stop := context.WithCancel(t.Context())
		go m.releaseUnused(ctx)
		garbage = make([]byte, 4*memoryKept)
		for i := range garbage {
			garbage[i] = 1 // so that the system really allocates it
		}
		garbage = nil
		full := held()

		m.observe(ctx, record.Record{BytesIn: memoryBusy})
		time.Sleep(memoryInterval)
		synctest.Wait()
		if now := held(); now < full/2 {
			t.Errorf("%d of %d bytes were given back under load", full-now, full)
		}
		time.Sleep(memoryInterval)
		synctest.Wait()
		if now := held(); now > full-3*memoryKept {
			t.Errorf("of %d bytes only %d were given back", full, full-now)
		}
		stop()
		synctest.Wait()
	})
}

// TestMemoryRule checks that the memory grows with the processors and fits into
// its container, and that an operator's limit decides what requests may hold.
func TestMemoryRule(t *testing.T) {
	const mib = 1 << 20
	if got := MemoryLimit(4, 4096, 0) - MemoryLimit(4, 0, 0); got != 64*mib {
		t.Errorf("4096 connections add %d bytes to the limit", got)
	}
	if got := MemoryLimit(4, 4096, 150*mib); got != 120*mib {
		t.Errorf("in a container, the limit with 4096 connections is %d bytes", got)
	}
	for _, test := range []struct {
		processors       int
		container, limit int64 // of the container; an operator's, 0 if unset
		slots            int
		want             int64 // Go's limit
		room             int   // for requests
	}{
		{1, 0, 0, 2, 64, 42},
		{2, 0, 0, 4, 96, 64},
		{2, 512, 0, 4, 96, 64},
		{2, 128, 0, 4, 96, 64},
		{2, 100, 0, 2, 64, 42},
		{2, 64, 0, 2, 51, 34},
		{2, 16, 0, 2, 12, 24}, // too small to run for long
		{16, 0, 0, 32, 544, 362},
		{16, 512, 0, 22, 384, 256},
		{16, 512, 400, 22, 400, 266},
		{2, 0, 4, 4, 4, 24},
		{2, 0, math.MaxInt64 / mib, 4, math.MaxInt64 / mib, 64},
	} {
		slots := Slots(test.processors, test.container*mib)
		limit := MemoryLimit(slots, 0, test.container*mib)
		switch {
		case test.limit == math.MaxInt64/mib:
			limit = math.MaxInt64
		case test.limit > 0:
			limit = test.limit * mib
		}
		if got := room(limit, slots) / mib; slots != test.slots || limit/mib != test.want || got != test.room {
			t.Errorf("%d processors, %d MiB, an operator's limit of %d: %d slots, %d MiB, %d of it for requests", test.processors, test.container, test.limit, slots, limit/mib, got)
		}
	}
}
