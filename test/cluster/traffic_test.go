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

	"github.com/convertd/convertd/test/proxy"
)

// workers are how many clients call at once.
const workers = 6

// tally is what became of calls.
type tally struct {
	calls, lost, wrong, empty atomic.Int64
}

func (n *tally) String() string {
	return fmt.Sprintf("%d calls, %d lost, %d wrong, %d empty", n.calls.Load(), n.lost.Load(), n.wrong.Load(), n.empty.Load())
}

// traffic is calls that go on until they are ended.
type traffic struct {
	tally
	all      *tally
	small    atomic.Bool  // no call whose answer a replica sends in pieces
	large    atomic.Int64 // calls of such answers, under way
	stopping chan struct{}
	workers  sync.WaitGroup
	mutex    sync.Mutex
	first    string // what went wrong first
}

// callers starts clients that know the same service at some addresses; each
// keeps one connection. Unless they hurry, they pause between two calls.
func callers(addresses []string, hurry bool, all *tally) *traffic {
	s := &traffic{all: all, stopping: make(chan struct{})}
	for worker := range workers {
		s.workers.Go(func() {
			caller := &caller{addresses: addresses, at: worker % len(addresses), client: &http.Client{Transport: &http.Transport{}, Timeout: 30 * time.Second}}
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

// call makes a call with a value of its own and looks at the answer. One in 16
// has some 8 KiB, one in 64 some 200.
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

// onlyWhole has no answers from now on that a replica sends in pieces: one of
// those that a proxy has begun to pass on loses its rest with a killed replica.
// What is up to 64 KiB leaves in one piece: it is sent or not.
func (s *traffic) onlyWhole(t *testing.T) {
	s.small.Store(true)
	proxy.Within(t, "no large call is under way", func() bool { return s.large.Load() == 0 })
}

// end ends the traffic and checks it.
func (s *traffic) end(t *testing.T) {
	t.Helper()
	close(s.stopping)
	s.workers.Wait()
	t.Log(&s.tally)
	if s.calls.Load() < 500 {
		t.Errorf("only %d calls were made", s.calls.Load())
	}
	if s.lost.Load()+s.wrong.Load()+s.empty.Load() > 0 {
		t.Errorf("%s; first: %s", &s.tally, s.first)
	}
}

// caller is a client that keeps a connection to one address. Like any that
// balances by itself it goes to the next when it is asked to close or cannot
// connect; a call that was sent it never sends again.
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
