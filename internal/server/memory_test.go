package server

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/record"
)

var garbage []byte

// TestMemoryComesBack makes garbage as a rush of large calls does. While calls
// come it stays, for they will need it; afterwards it goes.
func TestMemoryComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m memory
		ctx, stop := context.WithCancel(t.Context())
		go m.giveBack(ctx)
		garbage = make([]byte, 4*memoryKept)
		for i := range garbage {
			garbage[i] = 1 // so that the system has really given it
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
