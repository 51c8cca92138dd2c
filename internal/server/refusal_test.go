package server

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/record"
	"github.com/convertd/convertd/internal/tools"
)

// smallCall is a call of api_convert, the tool that works longest for a small input.
var smallCall = tinyCalls[3]

// overload returns a handler whose only work slot is taken, and on which no call may wait for it.
func overload(t testing.TB) http.Handler {
	config := defaults()
	config.WorkSlots, config.QueueWait = 1, 0
	entered, leave := make(chan struct{}), make(chan struct{})
	handler := quiet(t, config, replaced("json_format", func(context.Context, convert.Input) (convert.Result, error) {
		close(entered)
		<-leave
		return convert.Result{Value: "1"}, nil
	}))
	var first sync.WaitGroup
	first.Go(func() { handler.ServeHTTP(newSink(), newCall(tinyCalls[0])) })
	<-entered
	t.Cleanup(func() {
		close(leave)
		first.Wait()
	})
	return handler
}

// quiet returns a service's handler whose log is discarded.
func quiet(t testing.TB, config Config, list []convert.Tool) http.Handler {
	config.Listen = "127.0.0.1:8080"
	s := check.Value(assemble(config, slog.New(record.NewJSONHandler(io.Discard, slog.LevelInfo)), list))(t)
	return s.Handler()
}

func newSink() *sink { return &sink{header: http.Header{}} }

// newCall returns a request with a new body.
func newCall(c tinyCall) *http.Request {
	r, _ := http.NewRequest(http.MethodPost, "http://127.0.0.1:8080"+c.path(), bytes.NewReader([]byte(c.body)))
	r.RemoteAddr = "127.0.0.1:1234"
	r.Header.Set("Content-Type", "application/json")
	return r
}

// TestRefusalIsCheap checks that a call that gets no work slot allocates at most a tenth as often as a served one.
func TestRefusalIsCheap(t *testing.T) {
	allocations := func(handler http.Handler, status int) float64 {
		return testing.AllocsPerRun(100, func() {
			w := newSink()
			handler.ServeHTTP(w, newCall(smallCall))
			if w.status != status {
				t.Fatalf("status %d, want %d", w.status, status)
			}
		})
	}
	request := testing.AllocsPerRun(100, func() { newSink(); newCall(smallCall) })
	served := allocations(quiet(t, defaults(), tools.All()), http.StatusOK) - request
	refused := allocations(overload(t), http.StatusServiceUnavailable) - request
	t.Logf("%.0f allocations served, %.0f refused", served, refused)
	if refused > served/10 {
		t.Errorf("%.0f allocations for a refused call, %.0f for a served one", refused, served)
	}
}

// TestBurst checks that of 4,000 small calls that arrive at once on idle connections all are served if they fit into
// QueueWait. If half of them fit, half of them are.
func TestBurst(t *testing.T) {
	for took, want := range map[time.Duration][2]int{
		time.Millisecond:     {4000, 4000},
		2 * time.Millisecond: {1950, 2050},
	} {
		t.Run(took.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				config := defaults()
				config.QueueWait = time.Second // 4 slots work for 4 s
				s := startInBubble(t, config, replaced("api_convert", func(context.Context, convert.Input) (convert.Result, error) {
					time.Sleep(took)
					return convert.Result{Value: "1"}, nil
				}))
				for range 100 { // so that the duration of a call is known
					s.post(t, smallCall.path(), smallCall.body)
				}
				served := 0
				for _, status := range s.burst(t, 4000) {
					switch status {
					case http.StatusOK:
						served++
					case http.StatusServiceUnavailable:
					default:
						t.Fatalf("status %d", status)
					}
				}
				if served < want[0] || served > want[1] {
					t.Errorf("%d of 4000 calls were served", served)
				}
			})
		})
	}
}

// burst opens connections, sends a call on each of them at once, and returns the statuses.
func (s service) burst(t *testing.T, calls int) []int {
	statuses := make([]int, calls)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range calls {
		c := s.dial(t)
		all.Go(func() {
			<-start
			c.send("POST "+smallCall.path()+"\nContent-Type: application/json", smallCall.body)
			got, _ := c.receive()
			statuses[i] = got.status
		})
	}
	synctest.Wait()
	close(start)
	all.Wait()
	return statuses
}

// BenchmarkRefusal compares a call that gets no work slot with a served one, in
// process. The request is created only once.
func BenchmarkRefusal(b *testing.B) {
	for _, c := range []struct {
		name    string
		handler http.Handler
		status  int
	}{
		{"served", quiet(b, defaults(), tools.All()), http.StatusOK},
		{"refused", overload(b), http.StatusServiceUnavailable},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			w, r, body := newSink(), newCall(smallCall), strings.NewReader(smallCall.body)
			r.Body = io.NopCloser(body)
			for b.Loop() {
				clear(w.header)
				body.Reset(smallCall.body)
				c.handler.ServeHTTP(w, r)
				if w.status != c.status {
					b.Fatal("status", w.status)
				}
			}
		})
	}
}
