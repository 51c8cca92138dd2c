package cluster

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/test/proxy"
)

// gaps are the pauses between the end of one restart and the next one's
// beginning.
var gaps = []time.Duration{0, 200 * time.Millisecond, 500 * time.Millisecond, time.Second}

// TestRolling: replicas are restarted in a row, and behind the proxies killed
// in a row too, while clients call: no call is lost, no answer wrong or empty.
// Once for each gap, or until SOAK_CALLS calls were made in all.
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
			c := newCluster(t, "--rate-limit=0")
			for i := range c.replicas {
				c.start(i)
			}
			c.roll(t, c.addresses[:], false, calls/3, &all)
		})
		for _, p := range proxy.All {
			t.Run("behind "+p.Name, func(t *testing.T) {
				t.Parallel()
				c := newCluster(t, "--rate-limit=0")
				for i := range c.replicas {
					c.start(i)
				}
				c.startProxy(t, p)
				c.roll(t, []string{strings.TrimPrefix(c.url, "http://")}, true, calls/3, &all)
			})
		}
	})
	t.Logf("together: %s", &all)
}

// roll restarts the replicas under the traffic of clients that know some
// addresses, until at least enough calls were made.
func (c *cluster) roll(t *testing.T, addresses []string, kills bool, enough int, all *tally) {
	steady := callers(addresses, enough > 0, all)
	defer steady.end(t)
	time.Sleep(2 * time.Second) // until HAProxy has checked each replica
	next := 0
	for restarts := 0; restarts < len(gaps) || steady.calls.Load() < int64(enough) && !t.Failed(); {
		for _, gap := range gaps {
			if err := c.replicas[next].Stop(); err != nil {
				t.Errorf("after SIGTERM: %v", err)
			}
			c.start(next)
			next = (next + 1) % len(c.replicas)
			time.Sleep(gap)
			restarts++
		}
		if !kills {
			continue
		}
		steady.onlyWhole(t)
		time.Sleep(2 * time.Second) // until all replicas count as up
		for _, gap := range gaps {
			c.replicas[next].Kill()
			c.start(next)
			next = (next + 1) % len(c.replicas)
			time.Sleep(gap)
		}
		steady.small.Store(false)
	}
}
