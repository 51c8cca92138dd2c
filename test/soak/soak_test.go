// Package soak keeps the real binary busy with good, bad and hostile calls and
// with clients that leave, and checks that nothing of it stays. make test runs
// it for a few seconds; make soak for a million calls.
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

	"github.com/convertd/convertd/test/daemon"
)

const (
	brief    = 6000    // calls, unless SOAK_CALLS says otherwise
	long     = 200_000 // calls from which on the drift of memory means something
	drift    = 0.05    // of the resident memory
	clients  = 8
	memLimit = 96 << 20 // GOMEMLIMIT: small, so that the collector works for it
)

var binary string

func TestMain(m *testing.M) { daemon.Main(m, func(path string) { binary = path }) }

// soak is the traffic and what went wrong in it.
type soak struct {
	service *daemon.Process
	http    *http.Client
	calls   []call
	answers []atomic.Pointer[string] // the first answer to each call
	sent    atomic.Int64
	lost    atomic.Int64 // connections that ended before an answer began
	wrong   atomic.Int64
	mutex   sync.Mutex
	first   string // what was wrong first
}

// start starts a program of the service.
func start(t *testing.T, binary string) *soak {
	t.Helper()
	return startLimited(t, binary, memLimit)
}

// startLimited is start with a GOMEMLIMIT in bytes.
func startLimited(t *testing.T, binary string, memory int) *soak {
	t.Helper()
	s := &soak{
		service: daemon.Start(t, binary, []string{fmt.Sprintf("GOMEMLIMIT=%d", memory)}, "--rate-limit=1000000", "--queue-wait=30s", "--exec-timeout=30s"),
		http:    &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}, Timeout: time.Minute},
		calls:   calls(),
	}
	s.answers = make([]atomic.Pointer[string], len(s.calls))
	return s
}

// run makes n calls by several clients; each tenth client leaves in the middle
// of its request or of the answer.
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
		s.fail(c.name + ": the answer ends early: " + err.Error())
	case response.StatusCode != c.status:
		s.fail(fmt.Sprintf("%s: status %d: %.300s", c.name, response.StatusCode, text))
	case !strings.Contains(text, c.says):
		s.fail(fmt.Sprintf("%s: the answer lacks %s: %.300s", c.name, c.says, text))
	case !s.answers[i].CompareAndSwap(nil, &text) && *s.answers[i].Load() != text:
		s.fail(c.name + ": another answer than the first time")
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

// leave sends a part of a request, or all of it and reads a part of the
// answer, and closes the connection.
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

// check is what must be true of the answers, and that nobody was turned away.
func (s *soak) check(t *testing.T, mayLose bool) {
	t.Helper()
	if s.wrong.Load() > 0 || !mayLose && s.lost.Load() > 0 {
		t.Errorf("%d answers were wrong and %d lost of %d; first: %s", s.wrong.Load(), s.lost.Load(), s.sent.Load(), s.first)
	}
}

// settled waits until all connections are gone and returns what is left then.
// The memory is the least that is seen while it lasts: garbage goes, and within
// 40 seconds without calls the service gives back what it holds for the next
// rush; a leak stays.
func (s *soak) settled(t *testing.T, lasts time.Duration) (resident int, goroutines float64, descriptors int) {
	t.Helper()
	s.http.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	time.Sleep(time.Second)
	resident = s.service.Resident(t)
	for end := time.Now().Add(lasts); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		resident = min(resident, s.service.Resident(t))
	}
	goroutines = s.service.Metric(t, "go_goroutines")
	http.DefaultClient.CloseIdleConnections()
	time.Sleep(100 * time.Millisecond)
	return resident, goroutines, s.service.Descriptors(t)
}

// TestSoak: whatever was sent, nothing of it stays.
func TestSoak(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent()) // of this side, so that the figures are the service's
	n := brief
	if text := os.Getenv("SOAK_CALLS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, binary)
	lasts := time.Second
	if n >= long {
		lasts = 50 * time.Second
	}
	s.run(max(n/10, 2000), true, nil)
	resident, goroutines, descriptors := s.settled(t, lasts)
	begin := time.Now()
	s.run(n, true, nil)
	took := time.Since(begin)
	resident2, goroutines2, descriptors2 := s.settled(t, lasts)
	t.Logf("%d calls in %v (%.0f a second); resident %.1f → %.1f MiB, at most %.1f; goroutines %v → %v; descriptors %d → %d",
		n, took.Round(time.Second), float64(n)/took.Seconds(), mib(resident), mib(resident2), mib(s.service.Peak(t)), goroutines, goroutines2, descriptors, descriptors2)
	s.check(t, false)
	if goroutines2 > goroutines+4 || descriptors2 > descriptors+4 {
		t.Error("goroutines or descriptors leak")
	}
	if n >= long && float64(resident2) > (1+drift)*float64(resident) {
		t.Errorf("the resident memory grew by more than %v", drift)
	}
	if peak := s.service.Peak(t); peak > 256<<20 {
		t.Errorf("held %.1f MiB", mib(peak))
	}
	if log := s.service.Log(); strings.Contains(log, "panicked") || strings.Contains(log, "goroutine ") {
		t.Errorf("%.10000s", log[max(0, strings.Index(log, "panicked")):])
	}
	s.checkTools(t)
	if err := s.service.Stop(); err != nil {
		t.Error(err)
	}
}

// checkTools: every tool ran, well and badly, and none failed in a way that it
// should not.
func (s *soak) checkTools(t *testing.T) {
	t.Helper()
	for _, tool := range []string{"jwt_decode", "json_format", "json_to_yaml", "timestamp_to_iso", "api_convert"} {
		ran, well := s.service.Metric(t, "convertd_tool_calls_total", `tool="`+tool+`"`), s.service.Metric(t, "convertd_tool_calls_total", `tool="`+tool+`"`, `code=""`)
		if well == 0 || ran <= well {
			t.Errorf("%s ran %v times, %v of them well", tool, ran, well)
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

// TestStopUnderLoad: SIGTERM in the middle of traffic. Every call whose answer
// has begun gets all of it, the others none, and the process ends by itself.
func TestStopUnderLoad(t *testing.T) {
	s := start(t, binary)
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.run(1<<30, false, stop)
	}()
	time.Sleep(500 * time.Millisecond)
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
