package guard

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// sharedWait is how long a request waits for Redis before it is counted locally instead.
	sharedWait = 5 * time.Millisecond
	// sharedFailures is how many consecutive failures open the breaker. From then on no request waits for Redis.
	sharedFailures = 3
	// probeEvery is how often the replica then checks whether Redis is back; probeWait is the timeout for connecting.
	probeEvery = 500 * time.Millisecond
	probeWait  = 250 * time.Millisecond
	// sharedFurthest is longer than any quota takes to be full again. A count that needs longer was written before the
	// clock of Redis was set back.
	sharedFurthest = 2 * time.Minute
	// sharedKeys is the prefix of all keys in Redis.
	sharedKeys = "convertd:rate:"
)

// Shared is a count of requests that several replicas keep together in Redis, with the same algorithm as Quota's own
// and by the clock of Redis. A key, convertd:rate: and the client's address or network, expires when its quota is full
// again, within a minute. When that clock is set forward, clients start over. When it is set back by more than a minute,
// so do those whose count would reject them until the clock has caught up.
//
// No request depends on Redis: while it is slow or gone, each replica counts for itself. After some failures a breaker
// keeps requests from waiting, until a probe in the background gets a reply.
type Shared struct {
	client  *redis.Client
	counter counter
	log     *slog.Logger

	failures  atomic.Int32 // in a row; with sharedFailures the breaker is open
	fallbacks atomic.Uint64
	stop      context.CancelFunc
	stopped   chan struct{} // closed when the probe has ended
}

// NewShared counts up to perMinute requests per minute and client in the Redis at address, a URL such as
// redis://user:password@host:6379/0, rediss:// or unix://. It connects in the background, so a replica starts even if
// Redis is not up yet. The error says that the URL is invalid without quoting it, because it may contain a password.
func NewShared(address string, perMinute int, log *slog.Logger) (*Shared, error) {
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, errors.New("must be a URL such as redis://127.0.0.1:6379/0")
	}
	options.Dialer = boundReplies(options)
	return newShared(options, perMinute, log), nil
}

func newShared(options *redis.Options, perMinute int, log *slog.Logger) *Shared {
	options.ContextTimeoutEnabled = true // sharedWait bounds dialing, writing and reading
	options.MaxRetries = -1              // the local count is the fallback
	options.DialerRetries = 1
	options.DialTimeout = probeWait
	options.DisableIdentity = true
	options.Protocol = 2 // fewer commands and kinds of replies
	options.ReadBufferSize, options.WriteBufferSize = replyRoom, replyRoom
	redis.SetLogger(redisLog{log})
	client := redis.NewClient(options)
	ctx, stop := context.WithCancel(context.Background())
	s := &Shared{
		client:  client,
		counter: newCounter(client, redisClock, perMinute),
		log:     log,
		stop:    stop,
		stopped: make(chan struct{}),
	}
	s.failures.Store(sharedFailures) // until the probe has connected
	go s.probe(ctx)
	return s
}

// Up reports whether requests are counted in Redis now.
func (s *Shared) Up() bool { return s.failures.Load() < sharedFailures }

// Fallbacks returns how many requests were counted locally instead.
func (s *Shared) Fallbacks() uint64 { return s.fallbacks.Load() }

// Close stops the probe and the connections. It must be called after the last request.
func (s *Shared) Close() error {
	s.stop()
	<-s.stopped
	return s.client.Close()
}

// take counts one request. ok is false if Redis did not reply in time with a count; then nothing is known.
func (s *Shared) take(client string) (v verdict, ok bool) {
	if s.Up() {
		v, err := s.count(context.Background(), client, sharedWait)
		if err == nil {
			s.failures.Store(0)
			return v, true
		}
		s.failures.Add(1)
	}
	s.fallbacks.Add(1)
	return verdict{}, false
}

func (s *Shared) count(ctx context.Context, client string, wait time.Duration) (verdict, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return s.counter.count(ctx, sharedKeys+client)
}

// probe checks at every interval, while the breaker is open, whether Redis counts, and then closes the breaker. It logs
// changes, without the error's message, which may contain a password.
func (s *Shared) probe(ctx context.Context) {
	defer close(s.stopped)
	ticker := time.NewTicker(probeEvery)
	defer ticker.Stop()
	logged := ""
	for {
		if !s.Up() {
			level, state := slog.LevelInfo, "the shared quota is in use"
			err := s.checkCounting(ctx)
			if err == nil {
				s.failures.Store(0)
			} else if wrong := wrongSetting(err); wrong != "" {
				level, state = slog.LevelError, "--redis-url: "+wrong+"; this replica counts for itself"
			} else {
				level, state = slog.LevelWarn, "the shared quota is unavailable; this replica counts for itself"
			}
			if state != logged && ctx.Err() == nil {
				s.log.Log(ctx, level, state)
				logged = state
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// checkCounting returns an error unless Redis counts, fast enough for requests. The first try connects and loads the
// script; the second is timed. A Redis that would reply to PING but rejects writes (a read-only replica, full memory)
// fails. It counts under a name that no client has.
func (s *Shared) checkCounting(ctx context.Context) error {
	if _, err := s.count(ctx, "probe", probeWait); err != nil {
		return err
	}
	_, err := s.count(ctx, "probe", sharedWait)
	return err
}

// wrongSetting returns what must be wrong with the address if Redis replies with err, or "" if Redis may only be slow
// or gone. The result is a fixed string, because the error's message may contain parts of the address.
func wrongSetting(err error) string {
	var untrusted *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	switch {
	case redis.IsAuthError(err):
		return "Redis rejects the user or password, or requires one"
	case redis.IsPermissionError(err):
		return "Redis does not allow this user to run EVALSHA, EVAL, TIME, GET and SET on the keys " + sharedKeys + "*"
	case errors.As(err, &untrusted):
		return "the Redis certificate is not trusted, or is for another name"
	case errors.As(err, &plain):
		return "Redis does not speak TLS at this port"
	}
	return ""
}

// redisLog redirects the client library's log, which is for debugging.
type redisLog struct{ log *slog.Logger }

// Printf implements the library's logger.
func (l redisLog) Printf(ctx context.Context, format string, v ...any) {
	if l.log.Enabled(ctx, slog.LevelDebug) {
		l.log.DebugContext(ctx, "redis", "text", fmt.Sprintf(format, v...))
	}
}
