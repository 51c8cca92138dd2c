//go:build unix

package cluster

import (
	"net/http"
	"sync"
	"syscall"
	"testing"

	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/proxy"
)

// TestFrozenReplica freezes a replica (SIGSTOP) behind each proxy, with its timeouts and health checks as they are in
// deploy/. The calls that the frozen replica gets end with another replica's response, and so do later calls.
func TestFrozenReplica(t *testing.T) {
	for _, p := range proxy.All {
		t.Run(p.Name, func(t *testing.T) {
			c := newCluster(t, 3, "--rate-limit=0")
			c.startProxy(t, p)
			arrived := func() float64 {
				return c.replicas[0].Metric(t, "convertd_requests_total", `route="/v1/tools/json_format"`)
			}
			c.replicas[0].Freeze(t)
			for _, when := range []string{"before the proxy notices", "after it has noticed"} {
				if got := c.together(t, 30); got[http.StatusOK] != 30 {
					t.Errorf("%s: statuses %v of 30 calls", when, got)
				}
			}
			c.replicas[0].Signal(syscall.SIGCONT)
			daemon.Await(t, "the replica reads the calls that it got while it was frozen", func() bool { return arrived() > 0 })
		})
	}
}

// together makes n calls at once, each on a connection of its own, and counts the statuses.
func (c *cluster) together(t *testing.T, n int) map[int]int {
	statuses := map[int]int{}
	var mutex sync.Mutex
	var calls sync.WaitGroup
	for range n {
		calls.Go(func() {
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: daemon.Hang}
			status := post(t, client, c.url, "")
			mutex.Lock()
			defer mutex.Unlock()
			statuses[status]++
		})
	}
	calls.Wait()
	return statuses
}
