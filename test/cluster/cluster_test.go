// Package cluster runs three replicas of the real binary behind a real proxy and a real Redis, all on loopback. The
// proxies' configurations are those in deploy/, with different addresses.
package cluster

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/proxy"
)

var binary string

func TestMain(m *testing.M) { daemon.Main(m, func(path string) { binary = path }) }

// cluster is a proxy, its replicas and their Redis.
type cluster struct {
	t         *testing.T // its end kills all processes
	url       string     // of the proxy
	redis     string     // host:port
	redisRuns *exec.Cmd
	addresses [3]string
	replicas  [3]*daemon.Process
	args      []string
}

// eachProxy runs a test behind every proxy, with a Redis, and with a drain that is too short for a proxy to notice.
func eachProxy(t *testing.T, rateLimit int, test func(*testing.T, *cluster)) {
	for _, p := range proxy.All {
		t.Run(p.Name, func(t *testing.T) {
			c := newCluster(t, 0, fmt.Sprintf("--rate-limit=%d", rateLimit), "--drain=100ms")
			c.startRedis(t)
			for i := range c.replicas {
				c.startReplica(t, i)
			}
			c.startProxy(t, p)
			test(t, c)
		})
	}
}

// newCluster returns a cluster with the addresses of three replicas and their flags. It starts the first n replicas.
func newCluster(t *testing.T, n int, flags ...string) *cluster {
	c := &cluster{t: t, args: append([]string{"--trusted-proxies=127.0.0.1/32", "--base-url=http://convert.example.com", "--shutdown-timeout=5s"}, flags...)}
	for i := range c.addresses {
		c.addresses[i] = proxy.Free(t)
	}
	for i := range n {
		c.start(i)
	}
	return c
}

// startProxy starts a proxy in front of the replicas.
func (c *cluster) startProxy(t *testing.T, p proxy.Proxy, changes ...proxy.Change) {
	address := proxy.Free(t)
	c.url = "http://" + address
	p.Start(t, address, c.addresses, changes...)
}

// address returns the proxy's host and port.
func (c *cluster) address() string { return strings.TrimPrefix(c.url, "http://") }

func (c *cluster) startRedis(t *testing.T) {
	if c.redis == "" {
		c.redis = proxy.Free(t)
	}
	c.redisRuns = proxy.StartRedis(c.t, c.redis)
}

// startReplica starts the i-th replica at its address and waits until it counts in Redis.
func (c *cluster) startReplica(t *testing.T, i int) {
	c.start(i, "--redis-url=redis://"+c.redis)
	daemon.Await(t, "the replica counts in Redis", func() bool { return c.shared(t, i) })
}

// start starts the i-th replica at its address and waits until it listens.
func (c *cluster) start(i int, flags ...string) {
	flags = append(flags, "--listen="+c.addresses[i])
	c.replicas[i] = daemon.Start(c.t, binary, nil, append(flags, c.args...)...)
}

func (c *cluster) shared(t *testing.T, i int) bool {
	return c.replicas[i].Metric(t, "convertd_shared_quota_up") == 1
}
