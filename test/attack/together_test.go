package attack

import (
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
)

// worst are the trials that took most, before there was a budget and since.
var worst = []string{
	"openapi-3.1/path item of parameters/paths (half) 128K to curl",
	"openapi-3.1/path item of parameters/paths (half) 1020K to postman-2.1",
	"openapi-yaml/response of headers/path item of paths (half) 128K to curl",
	"openapi-3.0/response of media types/path item of paths (half) 16K to postman-2.1",
	"openapi-3.2/schema of references to one/parameters' schemas (half) 128K to curl",
	"yaml-alias/path item of parameters with examples/paths of short names (half) 16K to postman-2.1",
	"swagger-2.0/consumes of schemas/paths (half) 1020K to openapi-3.1-json",
	"swagger-2.0/headers of a response/path item of the first path (half) 128K to postman-2.1",
	"postman-2.0/a folder's auth/one path: names (half) 128K to openapi-3.1-json",
	"postman-2.1/variables that double/bodies (half) 1020K to curl",
	"postman-yaml/items/aliases (small) 16K to openapi-3.0-yaml",
	"shell/a path for each body/itself (half) 1020K to openapi-3.0-yaml",
	"shell/paths of variables/itself (half) 1020K to openapi-3.1-json",
	"shell/a variable of parameters/data as a query (half) 16K to openapi-3.0-json",
	"shell/cookies/one command: URLs (small) 16K to openapi-3.0-json",
	"shell/queries/one command: URLs (half) 128K to openapi-3.1-json",
}

func worstBodies(t *testing.T) (bodies []string) {
	t.Helper()
	for _, name := range worst {
		bodies = append(bodies, readTrial(t, name).body())
	}
	return bodies
}

// shippedUnit reads what the unit that is shipped gives the service.
func shippedUnit(t *testing.T) (memoryMax int, environment []string) {
	t.Helper()
	text, err := os.ReadFile("../../deploy/systemd/convertd.service")
	if err != nil {
		t.Fatal(err)
	}
	most := regexp.MustCompile(`(?m)^MemoryMax=(\d+)M$`).FindSubmatch(text)
	if most == nil {
		t.Fatal("the unit has no MemoryMax")
	}
	memoryMax, _ = strconv.Atoi(string(most[1]))
	for _, e := range regexp.MustCompile(`(?m)^Environment=(\S+)$`).FindAllSubmatch(text, -1) {
		environment = append(environment, string(e[1]))
	}
	return memoryMax << 20, environment
}

const callers = 16

// shipped is the service as the unit runs it, and how much memory it may have.
func shipped(t *testing.T, args ...string) (*target, int) {
	t.Helper()
	most, environment := shippedUnit(t)
	for _, e := range environment {
		name, value, _ := strings.Cut(e, "=")
		t.Setenv(name, value)
	}
	s := attack(t, append([]string{"--rate-limit=0"}, args...)...)
	s.client.Transport.(*http.Transport).MaxIdleConnsPerHost = callers + 1
	return s, most
}

// callTogether makes calls with the bodies in turn, callers at once, until ctx ends.
// answered is told of those that were not given up.
func (s *target) callTogether(ctx context.Context, bodies []string, answered func(status int, err error)) *sync.WaitGroup {
	var clients sync.WaitGroup
	var turn atomic.Int64
	for range callers {
		clients.Go(func() {
			for ctx.Err() == nil {
				body := bodies[int(turn.Add(1))%len(bodies)]
				r, _ := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/v1/tools/api_convert", strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				status := 0
				response, err := s.client.Do(r)
				if err == nil {
					status = response.StatusCode
					_, err = io.Copy(io.Discard, response.Body)
					response.Body.Close()
				}
				if ctx.Err() == nil {
					answered(status, err)
				}
				if status == http.StatusServiceUnavailable {
					time.Sleep(50 * time.Millisecond) // less than it was asked for
				}
			}
		})
	}
	return &clients
}

// TestMultiplyTogether: the unit that is shipped survives many callers of the
// worst documents at once, and small calls are answered in time meanwhile.
func TestMultiplyTogether(t *testing.T) {
	daemon.SecondTier(t)
	s, most := shipped(t)
	bodies, stay := worstBodies(t), 12*time.Second
	if *everything {
		stay = time.Minute
	}
	stop := guard(t, s.Process, time.Hour, mostMemory)
	s.ResetPeak()
	ctx, leave := context.WithTimeout(t.Context(), stay)
	defer leave()
	var mutex sync.Mutex
	answers := map[int]int{}
	clients := s.callTogether(ctx, bodies, func(status int, err error) {
		mutex.Lock()
		defer mutex.Unlock()
		if answers[status]++; err != nil {
			t.Errorf("a broken answer: %v", err)
			leave()
		}
	})
	good, health, refused := beside(ctx, t, s.URL)
	clients.Wait()
	shot, slow, bare := stop(), percentile(good, 99), percentile(health, 99)
	t.Logf("%v; %d good calls within %v (99 of 100; %v without work), %d refused; answers by status: %v", stay, len(good), slow, bare, refused, answers)
	if shot {
		t.Fatalf("the process held over %d MiB", mostMemory>>20)
	}
	t.Logf("%d MiB at most", s.Peak(t)>>20)
	if peak := s.Peak(t); peak > most {
		t.Errorf("held %d MiB, the unit has %d", peak>>20, most>>20)
	}
	if slow > max(goodTime, 3*bare) || refused > 0 {
		t.Errorf("good calls took %v, health checks %v; %d were refused", slow, bare, refused)
	}
	for status := range answers {
		if status != http.StatusOK && status != http.StatusUnprocessableEntity && status != http.StatusServiceUnavailable {
			t.Errorf("status %d, %d times", status, answers[status])
		}
	}
	if answers[http.StatusOK]+answers[http.StatusUnprocessableEntity] == 0 {
		t.Error("nothing was answered")
	}
	s.unharmed(t)
}

// beside makes small calls and health checks in turn until ctx ends, and
// returns how long they took and how many were not answered with 200. What
// needs no slot shows how fast anything is just now, on a machine that is busy
// with others too.
func beside(ctx context.Context, t *testing.T, url string) (good, health []time.Duration, refused int) {
	client := &http.Client{Transport: &http.Transport{}}
	timed := func(times *[]time.Duration, call func() (*http.Response, error)) {
		begin := time.Now()
		response, err := call()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if *times = append(*times, time.Since(begin)); response.StatusCode != http.StatusOK {
			refused++
		}
	}
	for ; ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		timed(&health, func() (*http.Response, error) { return client.Get(url + "/healthz") })
		timed(&good, func() (*http.Response, error) {
			return client.Post(url+"/v1/tools/json_format", "application/json", strings.NewReader(goodBody))
		})
	}
	return good, health, refused
}

// TestMultiplyLeft: work ends when those who asked for it have left.
func TestMultiplyLeft(t *testing.T) {
	daemon.SecondTier(t)
	s, _ := shipped(t, "--exec-timeout=60s")
	stop := guard(t, s.Process, time.Hour, mostMemory)
	for round := range 3 {
		ctx, leave := context.WithTimeout(t.Context(), 700*time.Millisecond)
		s.callTogether(ctx, worstBodies(t), func(int, error) {}).Wait()
		leave()
		left := s.Processor(t)
		time.Sleep(time.Second)
		if stopped := s.Metric(t, "convertd_work_slots_busy"); stopped != 0 {
			t.Errorf("round %d: %v slots are held for nobody", round, stopped)
		}
		// What may run on does so on every processor, and is then collected.
		after := s.Processor(t) - left
		t.Logf("round %d: %v of processor time after everybody had left", round, after)
		if after > time.Duration(runtime.NumCPU()+1)*overdue {
			t.Errorf("round %d: work went on for %v", round, after)
		}
	}
	if stop() {
		t.Fatalf("the process held over %d MiB", mostMemory>>20)
	}
	s.unharmed(t)
}

// TestMultiplyDeadline: a deadline reaches the inside of the worst calls.
func TestMultiplyDeadline(t *testing.T) {
	const limit = 50 * time.Millisecond
	s := attack(t, "--rate-limit=0", "--exec-timeout="+limit.String())
	for _, name := range worst {
		body, took := readTrial(t, name).body(), mostProcessor
		for range 3 { // on a busy machine
			s.ResetPeak()
			before := s.Processor(t)
			stop := guard(t, s.Process, mostProcessor, mostMemory)
			got, err := s.offer("/v1/tools/api_convert", body)
			if stop() {
				s = attack(t, "--rate-limit=0", "--exec-timeout="+limit.String())
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			switch got.StatusCode {
			case http.StatusOK, http.StatusUnprocessableEntity, http.StatusServiceUnavailable:
			default:
				t.Errorf("%s: status %d", name, got.StatusCode)
			}
			if took = min(took, s.Processor(t)-before); took <= limit+overdue+readTime {
				break
			}
		}
		if took > limit+overdue+readTime {
			t.Errorf("%s: %v of processor time, the deadline is %v", name, took, limit)
		}
	}
	s.unharmed(t)
}

const (
	overdue  = 100 * time.Millisecond // how long work may go on after its deadline
	readTime = 30 * time.Millisecond  // to read a request of 1 MiB, and to collect what it leaves
)
