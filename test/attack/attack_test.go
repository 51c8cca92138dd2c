// Package attack fires at the real binary what the open internet would. After
// each attack a good call must answer as ever, memory and goroutines must be
// back, and neither an answer nor the log may hold anything of the input.
package attack

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
)

// marker stands in every hostile input; it must come back nowhere but in the
// output of a conversion that succeeded.
const marker = "hostileMarkerQz7"

const (
	callTime   = time.Second // for one hostile call alone
	callMemory = 256 << 20   // bytes that the process may hold meanwhile
	goodTime   = 250 * time.Millisecond
	liveMemory = 48 << 20 // bytes alive after an attack
)

var binary string

func TestMain(m *testing.M) { daemon.Main(m, func(path string) { binary = path }) }

// target is the process under attack.
type target struct {
	*daemon.Process
	goroutines float64 // when it is idle
	client     *http.Client
}

func attack(t *testing.T, args ...string) *target {
	t.Helper()
	s := &target{
		Process: daemon.Start(t, binary, nil, args...),
		client: &http.Client{
			Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	s.good(t)
	s.client.CloseIdleConnections()
	time.Sleep(50 * time.Millisecond)
	s.goroutines = s.Metric(t, "go_goroutines")
	return s
}

// answer is a response that was read to its end.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (s *target) send(t testing.TB, r *http.Request) answer {
	t.Helper()
	response, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, body}
}

func (s *target) post(t testing.TB, path, body string, headers ...string) answer {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return s.send(t, r)
}

const goodBody = `{"input":{"mediaType":"application/json","value":"[1]"}}`

// good makes a call that must succeed and returns how long it took.
func (s *target) good(t testing.TB) time.Duration {
	t.Helper()
	start := time.Now()
	got := s.post(t, "/v1/tools/json_format", goodBody)
	took := time.Since(start)
	if got.status != http.StatusOK || !bytes.Contains(got.body, []byte(`"value":"[\n  1\n]"`)) {
		t.Errorf("a good call: %d %.300s", got.status, got.body)
	}
	return took
}

// unharmed checks what must be true after every attack.
func (s *target) unharmed(t testing.TB) {
	t.Helper()
	s.good(t)
	s.client.CloseIdleConnections()
	var n float64
	for range 100 {
		if n = s.Metric(t, "go_goroutines"); n <= s.goroutines+4 { // a few connections are just closing
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if n > s.goroutines+4 {
		t.Errorf("%v goroutines, %v before the attack", n, s.goroutines)
	}
	log := s.Log()
	for _, sign := range []string{marker, "panicked", "goroutine ", "root:x:0"} {
		if i := strings.Index(log, sign); i >= 0 {
			t.Errorf("the log holds %q: %.300s", sign, log[max(0, i-100):])
		}
	}
}

// memoryIsBack lets good calls cause collections; what is then alive must be
// little. A collection starts when the heap has doubled, so half of its next
// goal is what was alive.
func (s *target) memoryIsBack(t testing.TB) {
	t.Helper()
	const cycles = "go_gc_duration_seconds_count"
	large := strings.Repeat("1,", 100_000)
	body := toolBody("application/json", "["+large+"1]", "")
	for first := s.Metric(t, cycles); s.Metric(t, cycles) < first+3; {
		s.post(t, "/v1/tools/json_format", body)
	}
	if alive := s.Metric(t, "go_memstats_next_gc_bytes") / 2; alive > liveMemory {
		t.Errorf("%.1f MiB are still alive", alive/(1<<20))
	}
}

// refusedWell checks an answer that is not a success: known status, a problem
// document or a short text, nothing of the input.
func refusedWell(t testing.TB, got answer) {
	t.Helper()
	if got.status < 400 || got.status > 499 {
		t.Errorf("status %d: %.300s", got.status, got.body)
	}
	for name, values := range got.header {
		if strings.Contains(strings.Join(values, " "), marker) {
			t.Errorf("the header %s holds input", name)
		}
	}
	if bytes.Contains(got.body, []byte(marker)) || bytes.Contains(got.body, []byte("root:x:0")) || len(got.body) > 4096 {
		t.Errorf("the answer holds input, or is long: %.300s", got.body)
	}
}

// toolBody is a tool's request.
func toolBody(mediaType, value, options string) string {
	body := `{"input":{"mediaType":"` + mediaType + `","value":` + quote(value) + `}`
	if options != "" {
		body += `,"options":` + options
	}
	return body + "}"
}

// quote writes a JSON string with as few escapes as may be, so that hostile
// text is not made shorter than it could be.
func quote(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	return strings.TrimSuffix(b.String(), "\n")
}

// describes reports whether the service's own description has a path.
func (s *target) describes(t testing.TB, path string) bool {
	t.Helper()
	var document struct{ Paths map[string]any }
	r, _ := http.NewRequest(http.MethodGet, s.URL+"/v1/openapi.json", nil)
	if err := json.Unmarshal(s.send(t, r).body, &document); err != nil || len(document.Paths) == 0 {
		t.Fatalf("the description: %v", err)
	}
	return document.Paths[path] != nil
}

// hasMCP reports whether the agents' front door is there: it answers a
// request that it understands, and GET by 405 at the worst.
func (s *target) hasMCP(t testing.TB) bool {
	t.Helper()
	r, _ := http.NewRequest(http.MethodGet, s.URL+"/mcp", nil)
	return s.send(t, r).status != http.StatusNotFound
}

// percentile sorts the times and returns the p-th of 100.
func percentile(times []time.Duration, p int) time.Duration {
	slices.Sort(times)
	return times[min(len(times)-1, len(times)*p/100)]
}
