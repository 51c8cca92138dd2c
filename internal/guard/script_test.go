//go:build unix

package guard

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"

	"github.com/convertd/convertd/internal/check"
)

// testClock passes the test's time to the script.
const testClock = "local now = tonumber(ARGV[#ARGV])\n"

// TestSharedQuotaMatchesLocal checks that the script and the local count decide alike about the same arrivals, to the
// microsecond: bursts, pauses around the moment at which one more passes, and pauses that refill the quota.
func TestSharedQuotaMatchesLocal(t *testing.T) {
	server := startRedis(t)
	client := server.client()
	defer client.Close()
	random := rand.New(rand.NewPCG(12, 5))
	for _, perMinute := range []int{1, 2, 7, 60, 61, 1000, 77_777, 999_999, 1_000_000} {
		store := check.Value(memstore.New(addresses))(t)
		now := time.Now().Truncate(time.Microsecond)
		store.SetTimeNow(func() time.Time { return now })
		local, err := throttled.NewGCRARateLimiterCtx(throttled.WrapStoreWithContext(store), localQuota(perMinute))
		check.OK(t, err)
		shared := newCounter(client, testClock, perMinute)
		key := fmt.Sprintf("test:%d", perMinute)
		if use := perMinute - 50; use > 50 { // so that the next few dozen use up a large quota
			if _, _, err := local.RateLimitCtx(context.Background(), "a", use); err != nil {
				t.Fatal(err)
			}
			whole := now.Add(time.Duration(use) * emission(perMinute))
			check.OK(t, client.Set(t.Context(), key, whole.UnixMicro(), time.Hour).Err())
		}
		refused := 0
		var last verdict
		for i := range 2000 {
			now = now.Add(pause(random, last, emission(perMinute)))
			limited, state, err := local.RateLimitCtx(context.Background(), "a", 1)
			check.OK(t, err)
			want := verdict{limited, state.Remaining, state.ResetAfter, max(0, state.RetryAfter)}
			got := check.Value(shared.count(context.Background(), key, now.UnixMicro()))(t)
			if got != want {
				t.Fatalf("%d a minute, request %d: shared %+v, local %+v", perMinute, i, got, want)
			}
			if last = got; got.limited {
				refused++
			}
		}
		t.Logf("%d a minute: %d of 2000 refused", perMinute, refused)
		if refused < 100 || refused > 1900 {
			t.Error("too few of one kind to tell")
		}
	}
}

// pause returns the time from a response to the next request.
func pause(random *rand.Rand, last verdict, interval time.Duration) time.Duration {
	switch n := random.IntN(100); {
	case n < 60:
		return 0
	case n < 90:
		return time.Duration(random.Int64N(int64(2 * interval))).Truncate(time.Microsecond)
	case n < 94:
		return last.retryAfter
	case n < 98:
		return max(0, last.retryAfter-time.Microsecond)
	}
	return min(last.resetAfter, time.Duration(random.IntN(3))*interval)
}
