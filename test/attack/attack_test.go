// Package attack sends the real binary what the open internet would. After each attack a good call must succeed,
// goroutines and memory must be released, and neither a response nor the log may contain any of the input.
//
// Nothing here is timed: an attack is judged by the responses, by the bytes that the
// process allocated and holds, and by its open descriptors.
package attack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// marker is part of every hostile input. It may appear only in the output of a conversion that succeeded.
const marker = "hostileMarkerQz7"

const (
	maxHeld      = 256 << 20 // bytes that the process may hold during any attack
	maxAllocated = 512 << 20 // bytes that one hostile call may allocate, freed or not
	maxLive      = 48 << 20  // bytes that may stay reachable after an attack
)

var binary string

func TestMain(m *testing.M) { daemon.Main(m, func(path string) { binary = path }) }

// target is the process under attack.
type target struct {
	*daemon.Process
	goroutines float64 // when idle
	client     *http.Client
}

func attack(t *testing.T, args ...string) *target {
	t.Helper()
	s := &target{
		Process: daemon.Start(t, binary, nil, args...),
		client: &http.Client{
			Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 1000},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Timeout:       daemon.Hang,
		},
	}
	// The limit kills a process that an attack inflates before it takes the machine down.
	s.limit(t, fmt.Sprint("--data=", 4*maxHeld))
	s.good(t)
	s.client.CloseIdleConnections()
	s.goroutines = s.Metric(t, "go_goroutines")
	return s
}

// limit sets a resource limit of the process, an option of prlimit(1).
func (s *target) limit(t *testing.T, option string) {
	t.Helper()
	if out, err := exec.Command("prlimit", "--pid", fmt.Sprint(s.PID()), option).CombinedOutput(); err != nil {
		t.Fatalf("prlimit %s: %v\n%s", option, err, out)
	}
}

// response is an HTTP response with its body.
type response struct {
	status int
	header http.Header
	body   []byte
}

func (s *target) send(t testing.TB, r *http.Request) response {
	t.Helper()
	return check.Value(s.try(r))(t)
}

// try sends a request and reads the response to its end.
func (s *target) try(r *http.Request) (response, error) {
	got, err := s.client.Do(r)
	if err != nil {
		return response{}, err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err == nil && r.Method != http.MethodHead && got.ContentLength >= 0 && int64(len(body)) != got.ContentLength {
		err = fmt.Errorf("%d of %d bytes", len(body), got.ContentLength)
	}
	return response{got.StatusCode, got.Header, body}, err
}

// request is a POST of a JSON body, with headers as pairs.
func (s *target) request(path, body string, headers ...string) *http.Request {
	r, err := http.NewRequest(http.MethodPost, s.URL+path, strings.NewReader(body))
	if err != nil {
		panic(err) // the path is a constant
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func (s *target) post(t testing.TB, path, body string, headers ...string) response {
	t.Helper()
	return s.send(t, s.request(path, body, headers...))
}

const goodBody = `{"input":{"mediaType":"application/json","value":"[1]"}}`

// good makes a call that must succeed. While the service still works for clients that have left, it may shed the call.
func (s *target) good(t testing.TB) {
	t.Helper()
	var got response
	daemon.Await(t, "a call is not shed", func() bool {
		got = s.post(t, "/v1/tools/json_format", goodBody)
		return got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == ""
	})
	if got.status != http.StatusOK || !bytes.Contains(got.body, []byte(`"value":"[\n  1\n]"`)) {
		t.Errorf("a good call: %d %.300s", got.status, got.body)
	}
}

// unharmed checks what must hold after every attack.
func (s *target) unharmed(t testing.TB) {
	t.Helper()
	s.good(t)
	s.client.CloseIdleConnections()
	daemon.Await(t, "goroutines end", func() bool { // a few connections may still be closing
		return s.Metric(t, "go_goroutines") <= s.goroutines+4
	})
	log := s.Log()
	for _, sign := range []string{marker, "panicked", "goroutine ", "root:x:0"} {
		if i := strings.Index(log, sign); i >= 0 {
			t.Errorf("the log contains %q: %.300s", sign, log[max(0, i-100):])
		}
	}
}

// releasesMemory makes good calls until the collector has run several times; little may be reachable then. A collection
// starts when the heap has at least doubled, so half of the next goal bounds what is reachable.
func (s *target) releasesMemory(t testing.TB) {
	t.Helper()
	const cycles = "go_gc_duration_seconds_count"
	for first := s.Metric(t, cycles); s.Metric(t, cycles) < first+3; {
		s.post(t, "/v1/tools/json_format", largeBody)
	}
	if live := s.Metric(t, "go_memstats_next_gc_bytes") / 2; live > maxLive {
		t.Errorf("%.1f MiB are still reachable", live/(1<<20))
	}
	s.checkHeld(t)
}

// checkHeld checks the most memory that the process has held so far.
func (s *target) checkHeld(t testing.TB) {
	t.Helper()
	if held := s.Held(t); held > maxHeld {
		t.Errorf("held %d MiB", held>>20)
	}
}

// largeBody is a call of several hundred KiB.
var largeBody = toolBody("application/json", "["+strings.Repeat("1,", 200_000)+"1]", "")

// checkRefusal checks a response that is not a success: a 4xx status, a short body, none of the input.
func checkRefusal(t testing.TB, got response) {
	t.Helper()
	if got.status < 400 || got.status > 499 {
		t.Errorf("status %d: %.300s", got.status, got.body)
	}
	for name, values := range got.header {
		if strings.Contains(strings.Join(values, " "), marker) {
			t.Errorf("the header %s contains input", name)
		}
	}
	if bytes.Contains(got.body, []byte(marker)) || bytes.Contains(got.body, []byte("root:x:0")) || len(got.body) > 4096 {
		t.Errorf("the response contains input, or is long: %.300s", got.body)
	}
}

// toolBody returns the body of a tool's request.
func toolBody(mediaType, value, options string) string {
	body := `{"input":{"mediaType":"` + mediaType + `","value":` + quote(value) + `}`
	if options != "" {
		body += `,"options":` + options
	}
	return body + "}"
}

// quote returns a JSON string with as few escapes as possible, so that a hostile string can be as long as possible.
func quote(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	return strings.TrimSuffix(b.String(), "\n")
}
