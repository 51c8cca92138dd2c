package cluster

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
)

// workers is the number of concurrent clients.
const workers = 6

// tally counts calls by their outcome.
type tally struct {
	calls, lost, wrong, empty atomic.Int64
}

func (n *tally) String() string {
	return fmt.Sprintf("%d calls, %d lost, %d wrong, %d empty", n.calls.Load(), n.lost.Load(), n.wrong.Load(), n.empty.Load())
}

// traffic is clients that call until end is called.
type traffic struct {
	tally
	all      *tally
	small    atomic.Bool  // make no call whose response is sent in pieces
	large    atomic.Int64 // such calls in progress
	stopping chan struct{}
	workers  sync.WaitGroup
	mutex    sync.Mutex
	first    string // failure
}

// callers starts clients that know the service's addresses; each keeps one connection.
// Unless they hurry, they pause between two calls.
func callers(addresses []string, hurry bool, all *tally) *traffic {
	s := &traffic{all: all, stopping: make(chan struct{})}
	for worker := range workers {
		s.workers.Go(func() {
			caller := &caller{addresses: addresses, at: worker % len(addresses), client: &http.Client{Transport: &http.Transport{}, Timeout: daemon.Hang}}
			defer caller.client.CloseIdleConnections()
			for i := 0; ; i++ {
				select {
				case <-s.stopping:
					return
				default:
				}
				s.call(caller, worker+1, i)
				if !hurry {
					time.Sleep(2 * time.Millisecond)
				}
			}
		})
	}
	return s
}

// call makes a call with a unique value and checks the response. One in 16 is about 8 KiB, one in 64 about 200 KiB.
func (s *traffic) call(caller *caller, worker, i int) {
	value := fmt.Sprintf("[%d%07d]", worker, i)
	switch {
	case i%64 == 0 && !s.small.Load():
		s.large.Add(1)
		defer s.large.Add(-1)
		value = "[" + strings.Repeat("1,", 100_000) + value[1:]
	case i%16 == 1:
		value = "[" + strings.Repeat("1,", 4_000) + value[1:]
	}
	status, body, err := caller.call(`{"input":{"mediaType":"application/json","value":"` + value + `"},"options":{"indent":0}}`)
	switch {
	case err != nil:
		s.count(func(n *tally) *atomic.Int64 { return &n.lost }, err.Error())
	case status == http.StatusOK && len(body) == 0:
		s.count(func(n *tally) *atomic.Int64 { return &n.empty }, "a 200 without a body")
	case status != http.StatusOK:
		s.count(func(n *tally) *atomic.Int64 { return &n.lost }, fmt.Sprintf("%d %.300s", status, body))
	case !strings.Contains(string(body), `"value":"`+value+`"`):
		s.count(func(n *tally) *atomic.Int64 { return &n.wrong }, fmt.Sprintf("%.300s", body))
	}
	s.calls.Add(1)
	s.all.calls.Add(1)
}

func (s *traffic) count(which func(*tally) *atomic.Int64, what string) {
	which(&s.tally).Add(1)
	which(s.all).Add(1)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.first == "" {
		s.first = what
	}
}

// onlyWhole stops calls whose response a replica sends in pieces: if the replica is killed after the proxy has
// forwarded a piece, the rest is lost. A response of up to 64 KiB is sent whole or not at all.
func (s *traffic) onlyWhole(t *testing.T) {
	s.small.Store(true)
	daemon.Await(t, "no large call is in progress", func() bool { return s.large.Load() == 0 })
}

// more waits until the clients have made n more calls.
func (s *traffic) more(t *testing.T, n int64) {
	t.Helper()
	n += s.calls.Load()
	daemon.Await(t, "the clients make more calls", func() bool { return s.calls.Load() >= n })
}

// end stops the clients and checks the outcome.
func (s *traffic) end(t *testing.T) {
	t.Helper()
	daemon.Await(t, "500 calls are made", func() bool { return s.calls.Load() >= 500 })
	close(s.stopping)
	s.workers.Wait()
	t.Log(&s.tally)
	if s.lost.Load()+s.wrong.Load()+s.empty.Load() > 0 {
		t.Errorf("%s; first: %s", &s.tally, s.first)
	}
}

// caller is a client that keeps a connection to one address. It moves to the next address when the server asks it to
// close or cannot be reached. It never repeats a call that was sent.
type caller struct {
	addresses []string
	at        int
	client    *http.Client
}

func (c *caller) call(body string) (status int, answer []byte, err error) {
	for range 2 * len(c.addresses) {
		r, _ := http.NewRequest(http.MethodPost, "http://"+c.addresses[c.at]+"/v1/tools/json_format", io.NopCloser(strings.NewReader(body)))
		r.ContentLength = int64(len(body))
		r.Host = "convert.example.com"
		r.Header.Set("Content-Type", "application/json")
		var response *http.Response
		if response, err = c.client.Do(r); err != nil {
			var failed *net.OpError
			if errors.As(err, &failed) && failed.Op == "dial" {
				c.at = (c.at + 1) % len(c.addresses)
				continue
			}
			return 0, nil, err
		}
		defer response.Body.Close()
		answer, err = io.ReadAll(response.Body)
		if response.Close {
			c.at = (c.at + 1) % len(c.addresses)
		}
		return response.StatusCode, answer, err
	}
	return 0, nil, err
}
