// Package soak keeps the real binary busy with good, bad and hostile calls and with clients that leave, and checks that
// nothing of it remains: goroutines, descriptors, memory. It makes some thousand calls; make soak makes a million.
package soak

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/test/daemon"
)

const (
	brief    = 6000 // calls, unless SOAK_CALLS is set
	clients  = 8
	memLimit = 96 << 20  // GOMEMLIMIT: small, so that the collector is busy
	maxHeld  = 256 << 20 // bytes
	maxDrift = 4 << 20   // bytes that may be reachable after the calls beyond those before
)

var binary string

func TestMain(m *testing.M) { daemon.Main(m, func(path string) { binary = path }) }

// soak is the traffic and its failures.
type soak struct {
	service   *daemon.Process
	http      *http.Client
	calls     []call
	responses []atomic.Pointer[string] // the first response to each call
	sent      atomic.Int64
	lost      atomic.Int64 // connections that ended before a response began
	wrong     atomic.Int64
	mutex     sync.Mutex
	first     string // failure
}

// start starts the service with a GOMEMLIMIT in bytes.
func start(t *testing.T, memory int) *soak {
	t.Helper()
	s := &soak{
		service: daemon.Start(t, binary, []string{fmt.Sprintf("GOMEMLIMIT=%d", memory)}, "--rate-limit=1000000", "--queue-wait=30s", "--exec-timeout=30s"),
		http:    &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}, Timeout: daemon.Hang},
		calls:   calls(t),
	}
	s.responses = make([]atomic.Pointer[string], len(s.calls))
	return s
}

// run makes n calls from several clients. Every tenth client leaves in the middle of its request or of the response.
func (s *soak) run(n int, leavers bool, stop <-chan struct{}) {
	var workers sync.WaitGroup
	var next atomic.Int64
	for client := range clients {
		random := rand.New(rand.NewPCG(8, uint64(client))) // the same mix in every run
		workers.Go(func() {
			for next.Add(1) <= int64(n) {
				select {
				case <-stop:
					return
				default:
				}
				i := random.IntN(len(s.calls))
				if leavers && random.IntN(10) == 0 {
					s.leave(s.calls[i], random)
				} else {
					s.make(i)
				}
			}
		})
	}
	workers.Wait()
}

func (s *soak) make(i int) {
	s.sent.Add(1)
	c := s.calls[i]
	response, err := s.http.Do(c.request(s.service.URL))
	if err != nil {
		s.lost.Add(1)
		return
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	text := string(body)
	switch {
	case err != nil:
		s.fail(c.name + ": the response ends early: " + err.Error())
	case response.StatusCode != c.status:
		s.fail(fmt.Sprintf("%s: status %d: %.300s", c.name, response.StatusCode, text))
	case !strings.Contains(text, c.contains):
		s.fail(fmt.Sprintf("%s: the response lacks %s: %.300s", c.name, c.contains, text))
	case !s.responses[i].CompareAndSwap(nil, &text) && *s.responses[i].Load() != text:
		s.fail(c.name + ": a different response than the first time")
	}
}

func (s *soak) fail(what string) {
	s.wrong.Add(1)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.first == "" {
		s.first = what
	}
}

// leave sends a part of a request, or all of it and reads a part of the response, and closes the connection.
func (s *soak) leave(c call, random *rand.Rand) {
	s.sent.Add(1)
	connection, err := net.Dial("tcp", s.service.Address())
	if err != nil {
		s.lost.Add(1)
		return
	}
	defer connection.Close()
	raw := c.raw()
	if random.IntN(2) == 0 {
		_, _ = io.WriteString(connection, raw[:random.IntN(len(raw))])
		return
	}
	_, _ = io.WriteString(connection, raw)
	_, _ = io.ReadFull(connection, make([]byte, 1+random.IntN(200)))
}

// check checks the responses, and that no connection was lost unless that may be.
func (s *soak) check(t *testing.T, mayLose bool) {
	t.Helper()
	if s.wrong.Load() > 0 || !mayLose && s.lost.Load() > 0 {
		t.Errorf("%d responses were wrong and %d lost of %d; first: %s", s.wrong.Load(), s.lost.Load(), s.sent.Load(), s.first)
	}
}

// rest is what the idle process holds.
type rest struct {
	reachable   int // bytes on the heap
	goroutines  float64
	descriptors int
}

// settled waits until the service has closed its connections, down to at most those of before, and returns what it
// holds then. It reads the heap at its minimum, right after a garbage collection.
func (s *soak) settled(t *testing.T, before rest) rest {
	t.Helper()
	s.http.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	const cycles = "go_gc_duration_seconds_count"
	now := rest{reachable: 1 << 40}
	daemon.Await(t, "connections and goroutines end", func() bool {
		now.goroutines, now.descriptors = s.service.Metric(t, "go_goroutines"), s.service.Descriptors(t)
		return before == rest{} || now.goroutines <= before.goroutines+4 && now.descriptors <= before.descriptors+4
	})
	for first := s.service.Metric(t, cycles); s.service.Metric(t, cycles) < first+3; {
		s.make(0)
		now.reachable = min(now.reachable, int(s.service.Metric(t, "go_memstats_heap_alloc_bytes")))
	}
	return now
}

// soakCalls returns how many calls to make: n, or SOAK_CALLS.
func soakCalls(t *testing.T, n int) int {
	text := os.Getenv("SOAK_CALLS")
	if text == "" {
		return n
	}
	n = check.Value(strconv.Atoi(text))(t)
	return n
}

// TestSoak checks that nothing remains of the calls.
func TestSoak(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent()) // of the clients, so that the figures are only the service's
	n := soakCalls(t, brief)
	s := start(t, memLimit)
	s.run(max(n/10, 2000), true, nil)
	before := s.settled(t, rest{})
	begin := time.Now()
	s.run(n, true, nil)
	took := time.Since(begin)
	after := s.settled(t, before)
	t.Logf("%d calls in %v; reachable %.1f → %.1f MiB, held %.1f; goroutines %v → %v; descriptors %d → %d", n, took.Round(time.Second),
		mib(before.reachable), mib(after.reachable), mib(s.service.Held(t)), before.goroutines, after.goroutines, before.descriptors, after.descriptors)
	s.check(t, false)
	if after.reachable > before.reachable+maxDrift {
		t.Errorf("%d bytes are reachable, %d before", after.reachable, before.reachable)
	}
	if held := s.service.Held(t); held > maxHeld {
		t.Errorf("held %.1f MiB", mib(held))
	}
	if log := s.service.Log(); strings.Contains(log, `"level":"ERROR"`) || strings.Contains(log, "goroutine ") {
		t.Errorf("the log has errors: %.10000s", log[max(0, strings.Index(log, `"level":"ERROR"`)):])
	}
	cut, busy := s.service.Metric(t, "convertd_requests_total", `code="malformed_json"`), s.service.Metric(t, "convertd_work_slots_busy")
	if cut == 0 || busy > 0 {
		t.Errorf("%v requests were cut short; %v work slots are still taken", cut, busy)
	}
	s.checkTools(t)
	check.OK(t, s.service.Stop())
}

// checkTools checks that every tool ran, with success and without, and that no call failed unexpectedly.
func (s *soak) checkTools(t *testing.T) {
	t.Helper()
	for _, tool := range check.Value(contract.Load())(t).ToolNames() {
		ran, well := s.service.Metric(t, "convertd_tool_calls_total", `tool="`+tool+`"`), s.service.Metric(t, "convertd_tool_calls_total", `tool="`+tool+`"`, `code=""`)
		if well == 0 || ran <= well {
			t.Errorf("%s ran %v times and succeeded %v times: its cases.yaml needs a case that succeeds and one that fails", tool, ran, well)
		}
	}
	for _, metric := range []string{"convertd_tool_calls_total", "convertd_requests_total"} {
		for _, code := range []string{"internal_error", "overloaded", "deadline_exceeded", "rate_limited"} {
			if n := s.service.Metric(t, metric, `code="`+code+`"`); n > 0 {
				t.Errorf("%s: %v times %s", metric, n, code)
			}
		}
	}
}

func mib(bytes int) float64 { return float64(bytes) / (1 << 20) }

// TestStopUnderLoad checks that after SIGTERM in the middle of traffic, every
// response that has begun is completed, and that the process exits by itself.
func TestStopUnderLoad(t *testing.T) {
	s := start(t, memLimit)
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.run(1<<30, false, stop)
	}()
	daemon.Await(t, "the traffic flows", func() bool { return s.sent.Load() > 200 })
	err := s.service.Stop()
	close(stop)
	<-done
	if err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if s.lost.Load() == 0 {
		t.Error("the traffic ended before the service")
	}
	s.check(t, true)
}

// TestTinyMemoryLimit checks that every call succeeds with a GOMEMLIMIT below the
// needs of the idle process, although the collector runs all the time.
func TestTinyMemoryLimit(t *testing.T) {
	s := start(t, 4<<20)
	s.run(2000, true, nil)
	s.check(t, false)
	check.OK(t, s.service.Stop())
}
