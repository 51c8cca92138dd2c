package cluster

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// load is traffic that goes on until it is stopped, each call with a value of
// its own so that a wrong answer is told from a right one.
type load struct {
	sent, failed, wrong atomic.Int64
	mutex               sync.Mutex
	first               string // the first failure
	stopping            chan struct{}
	workers             sync.WaitGroup
}

const workers = 6

func (c *cluster) load() *load {
	l := &load{stopping: make(chan struct{})}
	for worker := range workers {
		client := c.client("127.0.0.1")
		l.workers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-l.stopping:
					return
				default:
					l.call(client, c.url, fmt.Sprintf("%d%07d", worker+1, i))
				}
			}
		})
	}
	return l
}

func (l *load) call(client client, url, number string) {
	l.sent.Add(1)
	r, _ := http.NewRequest(http.MethodPost, url+"/v1/tools/json_format", strings.NewReader(`{"input":{"mediaType":"application/json","value":"[`+number+`]"},"options":{"indent":0}}`))
	r.Host = "convert.example.com"
	r.Header.Set("Content-Type", "application/json")
	response, err := client.Do(r)
	if err != nil {
		l.fail(err.Error())
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		l.fail(err.Error())
	case response.StatusCode != http.StatusOK:
		l.fail(fmt.Sprintf("%s %.300s", response.Status, body))
	case !strings.Contains(string(body), `"value":"[`+number+`]"`):
		l.wrong.Add(1)
	}
}

func (l *load) fail(what string) {
	l.failed.Add(1)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.first == "" {
		l.first = what
	}
}

// stop ends the traffic and checks it.
func (l *load) stop(t *testing.T) {
	t.Helper()
	close(l.stopping)
	l.workers.Wait()
	t.Logf("%d calls, %d failed", l.sent.Load(), l.failed.Load())
	if l.sent.Load() < 100 {
		t.Errorf("only %d calls were made", l.sent.Load())
	}
	if l.failed.Load() > 0 || l.wrong.Load() > 0 {
		t.Errorf("%d calls failed, %d answers were wrong; first: %s", l.failed.Load(), l.wrong.Load(), l.first)
	}
}

// served is how many calls the i-th replica has answered.
func (c *cluster) served(t *testing.T, i int) float64 {
	return c.replicas[i].Metric(t, "convertd_requests_total", `status="200"`, "/v1/tools/json_format")
}

// TestFaults: under load, with the quota on, a replica is killed, then all are
// restarted one after the other, then Redis dies and comes back; all this once,
// or again and again for SOAK_MINUTES behind each proxy.
func TestFaults(t *testing.T) {
	minutes := 0.0
	if text := os.Getenv("SOAK_MINUTES"); text != "" {
		var err error
		if minutes, err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatal(err)
		}
	}
	eachProxy(t, 1_000_000, func(t *testing.T, c *cluster) {
		end := time.Now().Add(time.Duration(minutes * float64(time.Minute)))
		var sent, failed int64
		rounds := 0
		for ; rounds == 0 || time.Now().Before(end) && !t.Failed(); rounds++ {
			for _, fault := range []struct {
				name   string
				inject func(*testing.T, *cluster)
			}{
				{"a replica is killed", killReplica},
				{"a rolling restart", restartAll},
				{"Redis dies and comes back", killRedis},
			} {
				t.Run(fault.name, func(t *testing.T) {
					l := c.load()
					fault.inject(t, c)
					l.stop(t)
					sent, failed = sent+l.sent.Load(), failed+l.failed.Load()
				})
			}
		}
		t.Logf("%d rounds, %d calls, %d failed", rounds, sent, failed)
	})
}

func killReplica(t *testing.T, c *cluster) {
	served := c.served(t, 1)
	within(t, "the replica has calls", func() bool { return c.served(t, 1) > served+20 })
	c.replicas[1].Kill()
	time.Sleep(time.Second)
	c.startReplica(t, 1)
}

func restartAll(t *testing.T, c *cluster) {
	for i := range c.replicas {
		served := c.served(t, i)
		within(t, "the replica has calls", func() bool { return c.served(t, i) > served+20 })
		if err := c.replicas[i].Stop(); err != nil {
			t.Errorf("replica %d: %v", i, err)
		}
		c.startReplica(t, i)
		within(t, "the replica has calls again", func() bool { return c.served(t, i) > 20 })
	}
}

func killRedis(t *testing.T, c *cluster) {
	time.Sleep(200 * time.Millisecond)
	_ = c.redisRuns.Process.Kill()
	_, _ = c.redisRuns.Process.Wait()
	for i := range c.replicas {
		within(t, "the replica counts for itself", func() bool { return !c.shared(t, i) })
	}
	time.Sleep(500 * time.Millisecond)
	c.startRedis(t)
	for i, replica := range c.replicas {
		within(t, "the replica counts in Redis again", func() bool { return c.shared(t, i) })
		if !strings.Contains(replica.Log(), "the shared quota is gone") {
			t.Errorf("replica %d does not say so", i)
		}
	}
}
