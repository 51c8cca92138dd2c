package cluster

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
)

// served returns how many calls the i-th replica has converted.
func (c *cluster) served(t *testing.T, i int) float64 {
	return c.replicas[i].Metric(t, "convertd_requests_total", `status="200"`, "/v1/tools/json_format")
}

// TestFaults runs load with the quota on and kills a replica, then restarts all one after the other, then kills and
// restarts Redis. It does so once, or repeatedly for SOAK_MINUTES, behind each proxy. No call may be lost.
func TestFaults(t *testing.T) {
	minutes := 0.0
	if text := os.Getenv("SOAK_MINUTES"); text != "" {
		var err error
		if minutes, err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatal(err)
		}
	}
	eachProxy(t, 1_000_000, func(t *testing.T, c *cluster) {
		end, cancel := context.WithTimeout(t.Context(), time.Duration(minutes*float64(time.Minute)))
		defer cancel()
		var all tally
		rounds := 0
		for ; rounds == 0 || end.Err() == nil && !t.Failed(); rounds++ {
			for _, fault := range []struct {
				name   string
				inject func(*testing.T, *cluster, *traffic)
			}{
				{"a replica is killed", killReplica},
				{"a rolling restart", restartAll},
				{"Redis dies and comes back", killRedis},
			} {
				t.Run(fault.name, func(t *testing.T) {
					steady := callers([]string{c.address()}, true, &all)
					steady.onlyWhole(t)
					fault.inject(t, c, steady)
					steady.end(t)
				})
			}
		}
		t.Logf("%d rounds, %s", rounds, &all)
	})
}

func killReplica(t *testing.T, c *cluster, steady *traffic) {
	served := c.served(t, 1)
	daemon.Await(t, "the replica has calls", func() bool { return c.served(t, 1) > served+20 })
	c.replicas[1].Kill()
	steady.more(t, 200)
	c.startReplica(t, 1)
}

func restartAll(t *testing.T, c *cluster, _ *traffic) {
	for i := range c.replicas {
		served := c.served(t, i)
		daemon.Await(t, "the replica has calls", func() bool { return c.served(t, i) > served+20 })
		if err := c.replicas[i].Stop(); err != nil {
			t.Errorf("replica %d: %v", i, err)
		}
		c.startReplica(t, i)
		daemon.Await(t, "the replica has calls again", func() bool { return c.served(t, i) > 20 })
	}
}

func killRedis(t *testing.T, c *cluster, steady *traffic) {
	steady.more(t, 100)
	_ = c.redisRuns.Process.Kill()
	_, _ = c.redisRuns.Process.Wait()
	for i, replica := range c.replicas {
		daemon.Await(t, "the replica counts for itself", func() bool { return !c.shared(t, i) })
		daemon.Await(t, "the log says so", func() bool { return strings.Contains(replica.Log(), "the shared quota is unavailable") })
	}
	steady.more(t, 100)
	c.startRedis(t)
	for i := range c.replicas {
		daemon.Await(t, "the replica counts in Redis again", func() bool { return c.shared(t, i) })
	}
}
