package attack

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// swarm is clients that send requests without pause and count the responses.
type swarm struct {
	answered, shed atomic.Int64 // 200 or 422, and 503
	clients        sync.WaitGroup
	leave          context.CancelFunc
}

// swarm starts n clients that send the bodies in turn until they leave. Every request must get a response: a
// conversion, a rejection, or 503 with Retry-After.
func (s *target) swarm(t *testing.T, n int, path string, bodies ...string) *swarm {
	ctx, leave := context.WithCancel(t.Context())
	w := &swarm{leave: leave}
	t.Cleanup(leave)
	var turn atomic.Int64
	for range n {
		w.clients.Go(func() {
			for ctx.Err() == nil {
				r := s.request(path, bodies[int(turn.Add(1))%len(bodies)], "Accept", "application/json, text/event-stream")
				got, err := s.try(r.WithContext(ctx))
				switch {
				case ctx.Err() != nil:
				case err != nil:
					t.Errorf("a broken response: %v", err)
					return
				case got.status == http.StatusServiceUnavailable && got.header.Get("Retry-After") != "":
					w.shed.Add(1)
					time.Sleep(100 * time.Millisecond) // less than Retry-After
				case got.status == http.StatusOK || got.status == http.StatusUnprocessableEntity:
					w.answered.Add(1)
				default:
					t.Errorf("status %d, Retry-After %q: %.300s", got.status, got.header.Get("Retry-After"), got.body)
				}
			}
		})
	}
	return w
}

// left makes the clients leave, in the middle of their calls, and waits for them.
func (w *swarm) left() {
	w.leave()
	w.clients.Wait()
}

// callBeside makes small calls during an attack until enough of them were converted and done reports true. A busy
// service may shed a small call but must never fail it. It prints the duration of the calls, and of health checks for
// comparison.
func (s *target) callBeside(t *testing.T, enough int, done func() bool) {
	t.Helper()
	var calls, checks []time.Duration
	converted, shed := 0, 0
	timed := func(times *[]time.Duration, r *http.Request) response {
		start := time.Now()
		got := s.send(t, r)
		*times = append(*times, time.Since(start))
		return got
	}
	for ; converted < enough || !done(); time.Sleep(5 * time.Millisecond) {
		if t.Failed() {
			return
		}
		check, _ := http.NewRequest(http.MethodGet, s.URL+"/healthz", nil)
		if got := timed(&checks, check); got.status != http.StatusOK {
			t.Errorf("a health check: %d", got.status)
		}
		got := timed(&calls, s.request("/v1/tools/json_format", goodBody))
		switch {
		case got.status == http.StatusOK:
			converted++
		case got.status == http.StatusServiceUnavailable && got.header.Get("Retry-After") != "":
			shed++
		default:
			t.Errorf("a small call: %d %.300s", got.status, got.body)
		}
	}
	slices.Sort(calls)
	slices.Sort(checks)
	t.Logf("small calls: %d converted, %d shed, 95th percentile %v; health checks %v; held %d MiB",
		converted, shed, calls[len(calls)*95/100], checks[len(checks)*95/100], s.Held(t)>>20)
}
