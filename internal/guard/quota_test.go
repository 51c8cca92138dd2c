package guard

import (
	"context"
	"encoding/binary"
	"net/netip"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"

	"github.com/convertd/convertd/internal/check"
)

// TestQuotaWhenTheClockIsSet checks that a client that has used up its quota stays rejected for no longer than before,
// and that other clients still pass. The test sets the store's clock: Linux has one wall clock for all processes
// (time_namespaces(7) has only monotonic ones), and setting the machine's would harm everything else that runs on it.
func TestQuotaWhenTheClockIsSet(t *testing.T) {
	const perMinute = 60
	for _, step := range []time.Duration{time.Hour, -time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			store := check.Value(memstore.New(addresses))(t)
			clock := time.Duration(0)
			store.SetTimeNow(func() time.Time { return time.Now().Add(clock).Round(0) }) // no monotonic reading
			quota := check.Value(newQuota(perMinute, nil, throttled.WrapStoreWithContext(store)))(t)
			take := func(client string) verdict {
				return check.Value(quota.take(t.Context(), client))(t)
			}
			for range perMinute + 2 {
				take("greedy")
			}
			modest := take("modest")
			clock = step
			if v := take("greedy"); !v.limited || v.retryAfter != time.Second {
				t.Errorf("%v: over the quota: %+v", step, v)
			}
			if v := take("modest"); v.limited || v.remaining != modest.remaining-1 || v.resetAfter != 2*time.Second {
				t.Errorf("%v: the second request: %+v, after %+v", step, v, modest)
			}
		})
	}
}

// TestQuotaMemory checks that a flood from a million networks uses bounded
// memory, and that an address that sends requests all the while is not forgotten.
func TestQuotaMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const networks, limit = 1_000_000, 16 << 20
		quota := check.Value(NewQuota(60, nil))(t)
		before := heap()
		steady := 0
		for i := range networks {
			address := [16]byte{0x20, 0x01, 0x0d, 0xb8}
			binary.BigEndian.PutUint32(address[4:], uint32(i)*2654435761) // the longest addresses
			if _, err := quota.take(context.Background(), key(netip.AddrFrom16(address))); err != nil {
				t.Fatal(err)
			}
			if i%1000 == 0 {
				v := check.Value(quota.take(context.Background(), key(netip.MustParseAddr("192.0.2.1"))))(t)
				if !v.limited {
					steady++
				}
			}
		}
		used := heap() - before
		t.Logf("%d networks: %.1f MiB", networks, float64(used)/(1<<20))
		if used > limit {
			t.Errorf("the quota holds %d bytes after %d networks, more than %d", used, networks, limit)
		}
		if steady != 60 {
			t.Errorf("%d of 1000 requests of one address passed during the flood", steady)
		}
		runtime.KeepAlive(quota)
	})
}

// heap returns how many bytes are in use after a collection.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
