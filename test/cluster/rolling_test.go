package cluster

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/proxy"
)

// gaps are the pauses between two restarts.
var gaps = []time.Duration{0, 200 * time.Millisecond, 500 * time.Millisecond, time.Second}

// TestRolling restarts replicas one after the other, and behind the proxies also kills them one after the other, while
// clients make calls. No call may be lost, and no response may be wrong or empty. It does so once for each gap, or
// until SOAK_CALLS calls were made.
func TestRolling(t *testing.T) {
	calls := 0
	if text := os.Getenv("SOAK_CALLS"); text != "" {
		var err error
		if calls, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	var all tally
	t.Run("clients", func(t *testing.T) {
		t.Run("that keep connections", func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, 3, "--rate-limit=0")
			c.roll(t, c.addresses[:], false, calls/3, &all)
		})
		for _, p := range proxy.All {
			t.Run("behind "+p.Name, func(t *testing.T) {
				t.Parallel()
				c := newCluster(t, 3, "--rate-limit=0")
				c.startProxy(t, p)
				c.roll(t, []string{c.address()}, true, calls/3, &all)
			})
		}
	})
	t.Logf("together: %s", &all)
}

// roll restarts the replicas under the traffic of clients that know the addresses, until enough calls were made.
func (c *cluster) roll(t *testing.T, addresses []string, proxied bool, enough int, all *tally) {
	steady := callers(addresses, enough > 0, all)
	defer steady.end(t)
	next := 0
	restart := func(end func(*daemon.Process)) {
		for _, gap := range gaps {
			if proxied {
				c.inUse(t)
			}
			end(c.replicas[next])
			c.start(next)
			next = (next + 1) % len(c.replicas)
			time.Sleep(gap)
		}
	}
	for round := 0; round == 0 || steady.calls.Load() < int64(enough) && !t.Failed(); round++ {
		restart(func(p *daemon.Process) {
			if err := p.Stop(); err != nil {
				t.Errorf("after SIGTERM: %v", err)
			}
		})
		if proxied {
			steady.onlyWhole(t)
			restart((*daemon.Process).Kill)
			steady.small.Store(false)
		}
	}
}

// inUse waits until the proxy sends calls to every replica. Until the proxy has
// seen that a replica is back, it cannot spare another one.
func (c *cluster) inUse(t *testing.T) {
	t.Helper()
	for i := range c.replicas {
		daemon.Await(t, "the proxy uses each replica", func() bool { return c.served(t, i) > 0 })
	}
}
