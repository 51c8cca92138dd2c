package guard

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// sharedWait is how long a request waits for Redis before it is counted locally instead.
	sharedWait = 5 * time.Millisecond
	// reportWait is the timeout of a report that no request waits for.
	reportWait = 100 * time.Millisecond
	// sharedFailures is how many consecutive failures open the breaker. From then on no request waits for Redis.
	sharedFailures = 3
	// probeEvery is how often the replica then checks whether Redis is back; probeWait is the timeout for connecting.
	probeEvery = 500 * time.Millisecond
	probeWait  = 250 * time.Millisecond
	// sharedFurthest is the longest that a quota can take to be full again: a minute,
	// another minute for requests that passed beyond it, and a second of margin. A
	// count that needs longer was written before the clock of Redis was set back.
	sharedFurthest = 121 * time.Second
	// sharedKeys is the prefix of all keys in Redis.
	sharedKeys = "convertd:rate:"
)

// Shared is a count of requests that several replicas keep together in Redis, with the same algorithm as Quota's own
// and by the clock of Redis. While a client has much of its quota left, its requests pass at once, and one script call
// every two seconds reports those of all clients together. When the quota is nearly used up, or the client sends many
// requests, a request waits for the reply to a report, which it shares with all that wait meanwhile (see ledger, also
// for how far a client may exceed its quota). A key, convertd:rate: and the client's address or network, expires when
// its quota is full again, within two minutes. When that clock is set forward, clients start over. When it is set back,
// so do those whose count would reject them until the clock has caught up.
//
// No request depends on Redis: while it is slow or gone, each replica counts for itself. After a failure a breaker
// keeps requests from waiting, until a probe in the background gets a reply and closes it.
type Shared struct {
	client  *redis.Client
	counter counter
	ledger  *ledger
	log     *slog.Logger
	// missed receives the number of a client's requests that passed and were never reported to Redis.
	missed func(client string, n int)

	failures  atomic.Int32 // in a row
	open      atomic.Bool  // the breaker: Redis is not used
	fallbacks atomic.Uint64
	urgent    chan struct{} // holds a token while a report is due
	closed    chan struct{}
	reporting chan struct{} // closed when the last report has been made
	probing   chan struct{} // holds a token while a probe runs
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
	redis.SetLogger(redisLog{log})
	client := redis.NewClient(options)
	s := &Shared{
		client:  client,
		counter: newCounter(client, redisClock, perMinute),
		ledger:  newLedger(perMinute),
		log:     log,
		missed:  func(string, int) {},

		urgent:    make(chan struct{}, 1),
		closed:    make(chan struct{}),
		reporting: make(chan struct{}),
		probing:   make(chan struct{}, 1),
	}
	s.open.Store(true)
	s.probing <- struct{}{}
	go s.probe(0)
	go s.report()
	return s
}

// Up reports whether requests are counted in Redis now.
func (s *Shared) Up() bool { return !s.open.Load() }

// Fallbacks returns how many requests were counted locally instead.
func (s *Shared) Fallbacks() uint64 { return s.fallbacks.Load() }

// Close sends a last report and stops the probe and the connections. It must be called once, after the last request.
func (s *Shared) Close() error {
	close(s.closed)
	<-s.reporting
	s.probing <- struct{}{} // the probe has ended
	return s.client.Close()
}

// take counts one request. ok is false if Redis did not reply in time with a count; then nothing is known.
func (s *Shared) take(client string) (v verdict, ok bool) {
	if s.open.Load() {
		s.fallbacks.Add(1)
		return verdict{}, false
	}
	v, wait, urgent := s.ledger.take(time.Now(), client, s.failures.Load() > 0)
	if urgent {
		select {
		case s.urgent <- struct{}{}:
		default: // one is due already
		}
	}
	if wait == nil {
		return v, true
	}
	timer := time.NewTimer(sharedWait)
	defer timer.Stop()
	select {
	case o := <-wait:
		if o.ok {
			return o.verdict, true
		}
	case <-timer.C:
	}
	s.fallbacks.Add(1)
	return verdict{}, false
}

// report reports every reportEvery, and at once when a request waits.
func (s *Shared) report() {
	defer close(s.reporting)
	regularly := time.NewTicker(reportEvery)
	defer regularly.Stop()
	for {
		select {
		case <-s.urgent:
		case now := <-regularly.C:
			s.ledger.sweep(now)
		case <-s.closed:
			s.reportAll()
			return
		}
		s.reportAll()
	}
}

// reportAll sends the reports that are due, one after the other, so that requests
// that arrive meanwhile share the next one.
func (s *Shared) reportAll() {
	for {
		reports := s.ledger.collect(time.Now())
		if len(reports) == 0 {
			return
		}
		standings, err := s.sendReports(reports)
		if err != nil {
			s.ledger.abandon(reports)
			for _, r := range reports {
				if r.ahead > 0 {
					s.fallbacks.Add(uint64(r.ahead))
					s.missed(r.account.client, r.ahead)
				}
			}
			continue
		}
		s.ledger.applyReply(time.Now(), reports, standings)
		if slices.ContainsFunc(standings, func(one standing) bool { return one.stepped }) {
			s.log.Warn("the clock of the shared quota was set back; a client's count was made before and is forgotten")
		}
	}
}

var errOpen = errors.New("no call is made to Redis now")

// sendReports reports requests to Redis and returns a standing per report.
func (s *Shared) sendReports(reports []report) ([]standing, error) {
	if s.open.Load() {
		return nil, errOpen
	}
	wait := reportWait
	if len(reports[0].waiting) > 0 {
		wait = sharedWait
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	standings, err := s.counter.count(ctx, sharedKeys, reports)
	if err != nil {
		s.failed(err)
		return nil, err
	}
	s.failures.Store(0)
	return standings, nil
}

// failed counts a failure and opens the breaker after sharedFailures of them.
func (s *Shared) failed(err error) {
	if s.failures.Add(1) < sharedFailures || !s.open.CompareAndSwap(false, true) {
		return
	}
	// Log only the error's type: its message may contain the address, which may contain a password.
	s.log.Warn("the shared quota is gone; this replica counts for itself",
		"type", fmt.Sprintf("%T", err), "timeout", errors.Is(err, context.DeadlineExceeded))
	select {
	case s.probing <- struct{}{}:
		go s.probe(probeEvery)
	default:
		s.open.Store(false) // the last probe is just ending, or the service is
	}
}

// probe waits, then probes Redis until it replies; then it closes the breaker.
func (s *Shared) probe(wait time.Duration) {
	defer func() { <-s.probing }()
	since := time.Now()
	logged := wait > 0 // that Redis is gone
	setting := false   // logged that a setting is wrong
	for {
		select {
		case <-s.closed:
			return
		case <-time.After(wait):
		}
		err := s.checkCounting()
		if err == nil {
			break
		}
		if wrong := wrongSetting(err); wrong != "" && !setting {
			s.log.Error("--redis-url: " + wrong + "; this replica counts for itself")
			logged, setting = true, true
		}
		if !logged {
			s.log.Warn("the shared quota cannot be reached yet; this replica counts for itself")
			logged = true
		}
		wait = probeEvery
	}
	s.failures.Store(0)
	s.open.Store(false)
	s.log.Info("the shared quota is in use", "after", time.Since(since).Round(time.Millisecond).String())
}

// checkCounting returns an error unless Redis counts, fast enough for requests. The first try connects and loads the
// script; the second is timed. A Redis that would reply to PING but rejects writes (a read-only replica, full memory)
// fails. It counts under a name that no client has.
func (s *Shared) checkCounting() error {
	for _, wait := range []time.Duration{probeWait, sharedWait} {
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		_, err := s.counter.count(ctx, sharedKeys, []report{{account: &account{client: "probe"}, waiting: make([]chan reply, 1)}})
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
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
