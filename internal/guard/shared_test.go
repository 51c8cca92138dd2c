//go:build unix

package guard

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// redisServer is a real Redis on loopback. It can be stopped, killed and restarted on the same port.
type redisServer struct {
	address string
	process *exec.Cmd
}

func startRedis(t *testing.T) *redisServer {
	t.Helper()
	converttest.Program(t, "redis-server")
	listener := check.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
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
	check.OK(t, s.process.Start())
	client := s.client()
	defer client.Close()
	eventually(t, "Redis replies", func() bool { return client.Ping(context.Background()).Err() == nil })
}

func (s *redisServer) client() *redis.Client { return redis.NewClient(&redis.Options{Addr: s.address}) }

func (s *redisServer) signal(signal os.Signal) { _ = s.process.Process.Signal(signal) }

// kill kills the server, stopped or not.
func (s *redisServer) kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// eventually waits until another process or goroutine has done something, for a number of attempts, which take longer on
// a busy machine.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	const attempts = 12_000 // at least a minute
	for range attempts {
		if done() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%d attempts in vain until %s", attempts, what)
}

// replica is one machine's quota on the shared Redis, and its log.
type replica struct {
	shared  *Shared
	handler http.Handler
	log     *converttest.Log
}

func newReplica(t *testing.T, address string, perMinute int) *replica {
	t.Helper()
	return newReplicaOf(t, perMinute, func(log *slog.Logger) (*Shared, error) {
		return NewShared("redis://"+address, perMinute, log)
	})
}

func newReplicaOf(t *testing.T, perMinute int, share func(log *slog.Logger) (*Shared, error)) *replica {
	t.Helper()
	r := &replica{log: &converttest.Log{}}
	var err error
	if r.shared, err = share(slog.New(slog.NewTextHandler(r.log, nil))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.shared.Close(); err != nil {
			t.Error(err)
		}
	})
	quota := check.Value(NewQuota(perMinute, r.shared))(t)
	refuse := func(w http.ResponseWriter, _ *http.Request, _ *convert.Failure) {
		w.WriteHeader(http.StatusTooManyRequests)
	}
	passed := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	r.handler = quota.Limit(nil, refuse)(passed)
	return r
}

// send sends one request from an address.
func (r *replica) send(address string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodPost, "/v1/pipeline", nil)
	request.RemoteAddr = net.JoinHostPort(address, "1")
	response := httptest.NewRecorder()
	r.handler.ServeHTTP(response, passedOn(request))
	return response
}

// TestSharedQuota checks that replicas count together. What a machine under load
// counted locally, because Redis took too long, comes on top.
func TestSharedQuota(t *testing.T) {
	server := startRedis(t)
	const quota = 30
	replicas := []*replica{newReplica(t, server.address, quota), newReplica(t, server.address, quota), newReplica(t, server.address, quota)}
	for i, r := range replicas {
		eventually(t, fmt.Sprintf("replica %d counts in Redis", i), r.shared.Up)
	}
	begin := time.Now()
	for _, addresses := range [][]string{
		{"192.0.2.1", "192.0.2.1", "::ffff:192.0.2.1"},
		{"2001:db8::1", "2001:db8::2", "2001:db8::ffff:ffff:ffff:ffff"},
	} {
		before := fallbacks(replicas)
		passed := 0
		var last *httptest.ResponseRecorder
		for i := range 3 * quota {
			last = replicas[i%3].send(addresses[i%3])
			if last.Code == http.StatusOK {
				passed++
			}
		}
		alone := int(fallbacks(replicas) - before)
		refilled := int(time.Since(begin)/emission(quota)) + 1 // what refilled in the time that this machine took
		if passed < quota || passed > quota+alone+refilled {
			t.Errorf("%s: %d requests passed, %d of them or fewer counted without Redis", addresses[0], passed, alone)
		}
		if alone == 0 && (last.Header().Get("Retry-After") == "" || !strings.Contains(last.Header().Get("RateLimit"), ";r=0;")) {
			t.Errorf("%s: the last response: %v", addresses[0], last.Header())
		}
	}
	if response := replicas[0].send("198.51.100.1"); response.Code != http.StatusOK {
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

// checkKeys checks that there is one key per client, that each key expires, and
// that each request takes one command, so one round trip.
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
			t.Errorf("Redis got %s", command)
		}
	}
	if !strings.Contains(stats, "cmdstat_evalsha:") {
		t.Errorf("no script ran: %s", stats)
	}
}

// TestSharedQuotaFallsBack checks that no request fails when Redis hangs (it is stopped, but its socket still accepts
// connections) or dies, and that the quota is shared again afterwards. See TestSharedQuotaWaits for how long requests
// wait.
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
			eventually(t, "the replica counts in Redis", r.shared.Up)
			fault.breaks()
			passed, refused := 0, 0
			for passed+refused < 200 || refused == 0 { // a slow machine refills some
				if r.send("192.0.2.9").Code == http.StatusOK {
					passed++
				} else {
					refused++
				}
			}
			if passed < 60 || r.shared.Up() || r.shared.Fallbacks() != uint64(passed) {
				t.Errorf("%d requests passed, up %v, %d fallbacks", passed, r.shared.Up(), r.shared.Fallbacks())
			}
			eventually(t, "the log says so", func() bool { return r.log.Has("this replica counts for itself") })
			fault.ends()
			eventually(t, "the replica counts in Redis again", r.shared.Up)
			if response := r.send("192.0.2.10"); response.Code != http.StatusOK || !r.log.Has("the shared quota is in use") {
				t.Errorf("after it came back: %d", response.Code)
			}
		})
	}
}

// fakeRedis speaks RESP on connections in memory, for tests on synctest's clock.
type fakeRedis struct {
	hangs atomic.Bool
	reply func(command []string) string // returns its reply; "" sends nothing
}

func (f *fakeRedis) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	go func() {
		defer server.Close()
		for from := bufio.NewReader(server); ; {
			var n int
			if _, err := fmt.Fscanf(from, "*%d\r\n", &n); err != nil {
				return
			}
			command := make([]string, n)
			for i := range command {
				var length int
				if _, err := fmt.Fscanf(from, "$%d\r\n", &length); err != nil {
					return
				}
				text := make([]byte, length+2)
				if _, err := io.ReadFull(from, text); err != nil {
					return
				}
				command[i] = string(text[:length])
			}
			if f.hangs.Load() {
				continue
			}
			if _, err := io.WriteString(server, f.reply(command)); err != nil {
				return
			}
		}
	}()
	return client, nil
}

// grantAll replies to the script: the request passes.
func grantAll(command []string) string {
	if !strings.HasPrefix(command[0], "eval") {
		return "-ERR unknown command\r\n"
	}
	return "*2\r\n:1\r\n:1000000\r\n"
}

// TestSharedQuotaWaits checks that while Redis hangs, each request waits sharedWait for it until the breaker opens.
// None waits after that, and the quota limits how many pass.
func TestSharedQuotaWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := &fakeRedis{reply: grantAll}
		r := newReplicaOf(t, 60, func(log *slog.Logger) (*Shared, error) {
			return newShared(&redis.Options{Addr: "127.0.0.1:1", Dialer: fake.dial}, 60, log), nil
		})
		synctest.Wait()
		if !r.shared.Up() {
			t.Fatal("the replica does not count in Redis")
		}
		fake.hangs.Store(true)
		begin, passed := time.Now(), 0
		for range 200 {
			if r.send("192.0.2.9").Code == http.StatusOK {
				passed++
			}
		}
		// Those over the quota of this machine are rejected without Redis.
		if waited := time.Since(begin); waited > sharedFailures*sharedWait || passed != 60 || r.shared.Fallbacks() != 60 {
			t.Errorf("waited %v, %d passed, %d fallbacks", waited, passed, r.shared.Fallbacks())
		}
		fake.hangs.Store(false)
		time.Sleep(2 * probeEvery)
		if !r.shared.Up() {
			t.Error("the probe does not find that Redis replies again")
		}
	})
}

// TestSharedQuotaRepliesWithNonsense checks that every request is counted locally if Redis replies with something else
// than a count, or only with a part of it.
func TestSharedQuotaRepliesWithNonsense(t *testing.T) {
	for _, nonsense := range []string{"\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n", "+OK\r\n", "$-1\r\n", "*0\r\n", "*1\r\n:1\r\n", "*2\r\n$1\r\nx\r\n:1\r\n", "*3\r\n:1\r\n:1\r\n:0\r\n", "*2\r\n:1\r\n", "*2\r\n*2\r\n:1\r\n:1\r\n:1\r\n", "*1000000000\r\n", "-OOM command not allowed\r\n"} {
		synctest.Test(t, func(t *testing.T) {
			var replies atomic.Bool
			fake := &fakeRedis{reply: func(command []string) string {
				if replies.Load() {
					return nonsense
				}
				return grantAll(command)
			}}
			r := newReplicaOf(t, 60, func(log *slog.Logger) (*Shared, error) {
				options := &redis.Options{Addr: "127.0.0.1:1", Dialer: func(ctx context.Context, network, address string) (net.Conn, error) {
					c, err := fake.dial(ctx, network, address)
					return &replyConn{Conn: c}, err
				}}
				return newShared(options, 60, log), nil
			})
			synctest.Wait()
			replies.Store(true)
			for i := range 60 {
				if response := r.send("192.0.2.9"); response.Code != http.StatusOK {
					t.Errorf("%q: request %d: %d", nonsense, i, response.Code)
				}
			}
			if r.shared.Up() || r.shared.Fallbacks() != 60 {
				t.Errorf("%q: up %v, %d fallbacks", nonsense, r.shared.Up(), r.shared.Fallbacks())
			}
		})
	}
}

// TestSharedQuotaWhenTheClockIsSetBack checks that a client is counted anew, rather than rejected until the clock has
// caught up, when the clock of Redis's machine is set back. Setting it back leaves counts that lie in the future, so
// the test writes such counts: the clock of Redis cannot be set alone (see TestQuotaWhenTheClockIsSet). Setting it
// forward leaves counts in the past, like all old ones.
func TestSharedQuotaWhenTheClockIsSetBack(t *testing.T) {
	server := startRedis(t)
	const quota = 60
	r := newReplica(t, server.address, quota)
	eventually(t, "the replica counts in Redis", r.shared.Up)
	client := server.client()
	defer client.Close()
	ahead := time.Now().Add(time.Hour).UnixMicro()
	check.OK(t, client.Set(t.Context(), "convertd:rate:192.0.2.1", ahead, time.Hour).Err())
	passed := 0
	send := func() {
		response := r.send("192.0.2.1")
		if response.Code == http.StatusOK {
			passed++
		} else if seconds := response.Header().Get("Retry-After"); len(seconds) > 1 {
			t.Fatalf("Retry-After: %s", seconds)
		}
	}
	eventually(t, "the client is counted anew", func() bool {
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

// TestSharedQuotaStartsAlone checks that a replica starts and counts without
// Redis, and that it stops while it still probes for Redis, leaking nothing.
func TestSharedQuotaStartsAlone(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	listener := check.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	address := listener.Addr().String()
	listener.Close()
	t.Run("", func(t *testing.T) {
		r := newReplica(t, address, 2)
		for i, want := range []int{200, 200, 429} {
			if response := r.send("192.0.2.1"); response.Code != want {
				t.Errorf("request %d: %d", i, response.Code)
			}
		}
		eventually(t, "the log says so", func() bool { return r.log.Has("the shared quota is unavailable") })
	})
}

func TestSharedQuotaAddress(t *testing.T) {
	for _, address := range []string{"", "localhost", "http://:hunter2@127.0.0.1", "redis://:hunter2@127.0.0.1/db", "redis://:hunter2@%zz"} {
		if _, err := NewShared(address, 1, slog.New(slog.DiscardHandler)); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", address, err)
		}
	}
}
