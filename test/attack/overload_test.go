package attack

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
)

// overload is a call of which many more come at once than can be served within
// what a call may wait.
type overload struct {
	name, path string
	clients    int
	small      bool // the good calls queue among them
	body       func() string
}

var overloads = []overload{
	{"large calls", "/v1/tools/json_format", 180, false, func() string {
		return toolBody("application/json", "["+strings.Repeat("1,", 300_000)+"1]", "")
	}},
	{"large calls of agents", "/mcp", 180, false, func() string {
		return toolCall("json_to_yaml", toolBody("application/json", "["+strings.Repeat("1,", 300_000)+"1]", ""))
	}},
	{"small calls that become large", "/v1/tools/json_format", 180, false, func() string {
		return toolBody("application/json", strings.Repeat("[", 250)+strings.Repeat("1,", 700)+"1"+strings.Repeat("]", 250), `{"indent":8}`)
	}},
	{"YAML aliases", "/v1/tools/api_convert", 180, false, func() string {
		return toolBody("application/yaml", yamlHead+laughs("[", "]", "*a%d,"), `{"target":"curl"}`)
	}},
	{"small calls", "/v1/tools/json_format", 650, true, small},
	{"small calls of agents", "/mcp", 650, true, func() string { return toolCall("json_format", small()) }},
}

// small is as large as a small call may be.
func small() string {
	return toolBody("application/json", "["+strings.Repeat("1,", 16_000)+"1]", `{"indent":0}`)
}

// toolCall is a request to call a tool, of the revisions before 2026-07-28.
func toolCall(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

// TestOverload: what cannot be served is refused with 503 and Retry-After,
// nothing breaks, and small calls are answered in time meanwhile, or refused in
// time when all calls are small.
func TestOverload(t *testing.T) {
	daemon.SecondTier(t)
	for _, test := range overloads {
		t.Run(test.name, func(t *testing.T) {
			slots := "--work-slots=4"
			if test.small {
				slots = "--work-slots=1"
			}
			s := attack(t, "--rate-limit=0", "--queue-wait=100ms", slots)
			s.client.Transport.(*http.Transport).MaxIdleConnsPerHost = test.clients + 1
			stop := make(chan struct{})
			counts, clients := s.flood(t, test, stop)
			// What needs no slot shows how fast anything is just now, on a
			// machine that is busy with these clients and perhaps with others.
			var good, health []time.Duration
			refused := 0
			for start := time.Now(); time.Since(start) < time.Second || len(good) < 10; time.Sleep(10 * time.Millisecond) {
				health = append(health, s.health(t))
				begin := time.Now()
				got, err := s.offer("/v1/tools/json_format", goodBody)
				good = append(good, time.Since(begin))
				if err != nil || got.StatusCode != http.StatusOK {
					refused++
				}
			}
			close(stop)
			clients.Wait()
			worst, bare := percentile(good, 90), percentile(health, 90)
			t.Logf("%d served, %d shed; %d good calls within %v (90 of 100; %v without work), %d of them shed; %d MiB at most",
				counts.served.Load(), counts.shed.Load(), len(good), worst, bare, refused, s.Peak(t)>>20)
			if counts.shed.Load() == 0 || counts.served.Load() == 0 {
				t.Error("not an overload, or nothing was served")
			}
			if refused > 0 && !test.small {
				t.Errorf("%d good calls were shed", refused)
			}
			if worst > max(goodTime, 3*bare) {
				t.Errorf("good calls took %v, health checks %v", worst, bare)
			}
			if peak := s.Peak(t); peak > callMemory {
				t.Errorf("held %d MiB", peak>>20)
			}
			s.unharmed(t)
			s.memoryIsBack(t)
		})
	}
}

// flooded counts the answers that the calls of an overload got.
type flooded struct{ served, shed atomic.Int64 }

// flood makes the calls of an overload until stop is closed; the group is done
// when the last client has left.
func (s *target) flood(t *testing.T, test overload, stop <-chan struct{}) (*flooded, *sync.WaitGroup) {
	var counts flooded
	var clients sync.WaitGroup
	body := test.body()
	for range test.clients {
		clients.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				switch got, err := s.offer(test.path, body); {
				case err != nil:
					t.Errorf("a broken answer: %v", err)
					return
				case got.StatusCode == http.StatusServiceUnavailable && got.Header.Get("Retry-After") != "":
					counts.shed.Add(1)
					time.Sleep(200 * time.Millisecond) // less than it was asked for
				case got.StatusCode == http.StatusOK || got.StatusCode == http.StatusUnprocessableEntity:
					counts.served.Add(1)
				default:
					t.Errorf("status %d, Retry-After %q", got.StatusCode, got.Header.Get("Retry-After"))
				}
			}
		})
	}
	return &counts, &clients
}

// health asks whether the process lives, which is no work, and returns how
// long that took.
func (s *target) health(t *testing.T) time.Duration {
	start := time.Now()
	r, _ := http.NewRequest(http.MethodGet, s.URL+"/healthz", nil)
	s.send(t, r)
	return time.Since(start)
}

// offer makes one call and reads the answer to its end.
func (s *target) offer(path, body string) (*http.Response, error) {
	r, err := http.NewRequest(http.MethodPost, s.URL+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	response, err := s.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	n, err := io.Copy(io.Discard, response.Body)
	if err == nil && n != response.ContentLength {
		err = fmt.Errorf("%d of %d bytes", n, response.ContentLength)
	}
	return response, err
}
