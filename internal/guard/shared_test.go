package guard

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/convertd/convertd/internal/convert"
)

// redisServer is a real Redis on loopback; it can be stopped, killed and
// started again at the same port.
type redisServer struct {
	address string
	process *exec.Cmd
}

func startRedis(t *testing.T) *redisServer {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("no redis-server on this machine: make setup installs it, and the tests of make programs demand it")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &redisServer{address: listener.Addr().String()}
	listener.Close()
	s.start(t)
	t.Cleanup(s.kill)
	return s
}

func (s *redisServer) start(t *testing.T) {
	t.Helper()
	_, port, _ := net.SplitHostPort(s.address)
	s.process = exec.Command("redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", t.TempDir())
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	client := s.client()
	defer client.Close()
	within(t, 20*time.Second, "Redis answers", func() bool { return client.Ping(context.Background()).Err() == nil })
}

func (s *redisServer) client() *redis.Client { return redis.NewClient(&redis.Options{Addr: s.address}) }

func (s *redisServer) signal(signal os.Signal) { _ = s.process.Process.Signal(signal) }

// kill ends it, stopped or not.
func (s *redisServer) kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

func within(t *testing.T, limit time.Duration, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}

// replica is one machine's quota on the shared Redis, and what it logged.
type replica struct {
	shared  *Shared
	handler http.Handler
	log     *logBuffer
}

type logBuffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) has(text string) bool { return b.count(text) > 0 }

func (b *logBuffer) count(text string) int {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return strings.Count(b.text.String(), text)
}

func newReplica(t *testing.T, address string, perMinute int) *replica {
	t.Helper()
	r := &replica{log: &logBuffer{}}
	var err error
	if r.shared, err = NewShared("redis://"+address, perMinute, slog.New(slog.NewTextHandler(r.log, nil))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.shared.Close(); err != nil {
			t.Error(err)
		}
	})
	quota, err := NewQuota(perMinute, r.shared)
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(w http.ResponseWriter, _ *http.Request, _ *convert.Failure) {
		w.WriteHeader(http.StatusTooManyRequests)
	}
	passed := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	r.handler = quota.Limit(nil, refuse)(passed)
	return r
}

// send sends one request from an address and returns the answer and how long
// it took.
func (r *replica) send(address string) (*httptest.ResponseRecorder, time.Duration) {
	request := httptest.NewRequest(http.MethodPost, "/v1/pipeline", nil)
	request.RemoteAddr = net.JoinHostPort(address, "1")
	answer := httptest.NewRecorder()
	start := time.Now()
	r.handler.ServeHTTP(answer, request)
	return answer, time.Since(start)
}

// TestSharedQuota: replicas count together; what a machine under load counted
// for itself, because Redis took longer than it may, comes on top.
func TestSharedQuota(t *testing.T) {
	server := startRedis(t)
	const quota = 30
	replicas := []*replica{newReplica(t, server.address, quota), newReplica(t, server.address, quota), newReplica(t, server.address, quota)}
	for i, r := range replicas {
		within(t, 10*time.Second, fmt.Sprintf("replica %d counts in Redis", i), r.shared.Up)
	}
	for _, addresses := range [][]string{
		{"192.0.2.1", "192.0.2.1", "::ffff:192.0.2.1"},
		{"2001:db8::1", "2001:db8::2", "2001:db8::ffff:ffff:ffff:ffff"},
	} {
		before := fallbacks(replicas)
		passed := 0
		var last *httptest.ResponseRecorder
		for i := range 3 * quota {
			last, _ = replicas[i%3].send(addresses[i%3])
			if last.Code == http.StatusOK {
				passed++
			}
		}
		alone := int(fallbacks(replicas) - before)
		// One more refills in two seconds.
		if passed < quota || passed > quota+alone+2 {
			t.Errorf("%s: %d requests passed, %d of them or fewer counted without Redis", addresses[0], passed, alone)
		}
		if alone == 0 && (last.Header().Get("Retry-After") == "" || !strings.Contains(last.Header().Get("RateLimit"), ";r=0;")) {
			t.Errorf("%s: the last answer: %v", addresses[0], last.Header())
		}
	}
	if answer, _ := replicas[0].send("198.51.100.1"); answer.Code != http.StatusOK {
		t.Error("another address is refused")
	}
	checkKeys(t, server)
}

func fallbacks(replicas []*replica) (n uint64) {
	for _, r := range replicas {
		n += r.shared.Fallbacks()
	}
	return n
}

// checkKeys: one key a client, each of which expires; one command a request,
// so one round trip.
func checkKeys(t *testing.T, server *redisServer) {
	t.Helper()
	client := server.client()
	defer client.Close()
	ctx := context.Background()
	keys, err := client.Keys(ctx, "*").Result()
	if err != nil || len(keys) > 4 {
		t.Errorf("the keys: %v %q", err, keys)
	}
	for _, key := range keys {
		if ttl := client.TTL(ctx, key).Val(); ttl <= 0 && ttl != -2 || ttl > time.Minute {
			t.Errorf("%s expires after %v", key, ttl)
		}
	}
	stats := client.Info(ctx, "commandstats").Val()
	for _, command := range []string{"cmdstat_multi:", "cmdstat_watch:", "cmdstat_setnx:", "cmdstat_expire:"} {
		if strings.Contains(stats, command) {
			t.Errorf("Redis was asked for %s", command)
		}
	}
	if !strings.Contains(stats, "cmdstat_evalsha:") {
		t.Errorf("no script ran: %s", stats)
	}
}

// TestSharedQuotaFallsBack: no request fails or waits when Redis hangs (it is
// stopped, its socket still takes connections) or dies; the quota is enforced
// all the while, and shared again soon after.
func TestSharedQuotaFallsBack(t *testing.T) {
	server := startRedis(t)
	for _, fault := range []struct {
		name         string
		breaks, ends func()
	}{
		{"hangs", func() { server.signal(syscall.SIGSTOP) }, func() { server.signal(syscall.SIGCONT) }},
		{"dies", server.kill, func() { server.start(t) }},
	} {
		t.Run(fault.name, func(t *testing.T) {
			r := newReplica(t, server.address, 60)
			within(t, 10*time.Second, "the replica counts in Redis", r.shared.Up)
			fault.breaks()
			passed := 0
			var took []time.Duration
			for range 200 {
				answer, duration := r.send("192.0.2.9")
				if answer.Code == http.StatusOK {
					passed++
				}
				took = append(took, duration)
			}
			if passed < 60 || passed > 62 {
				t.Errorf("%d of 200 requests passed while Redis was gone", passed)
			}
			if r.shared.Up() || r.shared.Fallbacks() != 200 || !r.log.has("this replica counts for itself") {
				t.Errorf("up %v, %d fallbacks", r.shared.Up(), r.shared.Fallbacks())
			}
			first := slices.Min(took[:sharedFailures]) // a busy machine makes some of them longer, none shorter
			rest := slices.Sorted(slices.Values(took[sharedFailures:]))
			t.Logf("the fastest of the first %d: %v; of the rest the median: %v, the slowest: %v", sharedFailures, first, rest[len(rest)/2], rest[len(rest)-1])
			if first > sharedWait+100*time.Millisecond || rest[len(rest)/2] > time.Millisecond {
				t.Error("requests wait for Redis")
			}
			fault.ends()
			within(t, 10*time.Second, "the replica counts in Redis again", r.shared.Up)
			if answer, _ := r.send("192.0.2.10"); answer.Code != http.StatusOK || !r.log.has("the shared quota is in use") {
				t.Errorf("after it came back: %d", answer.Code)
			}
		})
	}
}

// TestSharedQuotaWhenTheClockIsSetBack: Redis counts by its machine's clock. A
// step of it back leaves counts that lie in the future, which is what is put
// there: a Redis with a clock of its own does not exist (see
// TestQuotaWhenTheClockIsSet). The client is not refused until the clock has
// caught up, but counted anew. Counts that a step
// forward leaves lie in the past, as all old ones do.
func TestSharedQuotaWhenTheClockIsSetBack(t *testing.T) {
	server := startRedis(t)
	const quota = 60
	r := newReplica(t, server.address, quota)
	within(t, 10*time.Second, "the replica counts in Redis", r.shared.Up)
	client := server.client()
	defer client.Close()
	ahead := time.Now().Add(time.Hour).UnixMicro()
	if err := client.Set(t.Context(), "convertd:rate:192.0.2.1", ahead, time.Hour).Err(); err != nil {
		t.Fatal(err)
	}
	passed := 0
	send := func() {
		answer, _ := r.send("192.0.2.1")
		if answer.Code == http.StatusOK {
			passed++
		} else if seconds := answer.Header().Get("Retry-After"); len(seconds) > 1 {
			t.Fatalf("Retry-After: %s", seconds)
		}
	}
	// On a busy machine Redis may be too slow for some of these.
	within(t, 20*time.Second, "the old count is forgotten", func() bool {
		send()
		return r.log.has("clock of the shared quota was set back")
	})
	within(t, 20*time.Second, "the client is counted anew", func() bool {
		send()
		ttl := client.TTL(t.Context(), "convertd:rate:192.0.2.1").Val()
		return ttl > 0 && ttl <= time.Minute
	})
	for range 3 * quota {
		send()
	}
	if passed < quota {
		t.Errorf("%d requests passed, %d counted without Redis", passed, r.shared.Fallbacks())
	}
}

// TestSharedQuotaStartsAlone: a replica starts and counts without Redis, and
// stops while it still looks for it, leaving nothing behind.
func TestSharedQuotaStartsAlone(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	t.Run("", func(t *testing.T) {
		r := newReplica(t, address, 2)
		for i, want := range []int{200, 200, 429} {
			if answer, _ := r.send("192.0.2.1"); answer.Code != want {
				t.Errorf("request %d: %d", i, answer.Code)
			}
		}
		within(t, 10*time.Second, "the log says so", func() bool { return r.log.has("cannot be reached yet") })
	})
}

func TestSharedQuotaAddress(t *testing.T) {
	for _, address := range []string{"", "localhost", "http://:hunter2@127.0.0.1", "redis://:hunter2@127.0.0.1/db", "redis://:hunter2@%zz"} {
		if _, err := NewShared(address, 1, slog.New(slog.DiscardHandler)); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", address, err)
		}
	}
}
