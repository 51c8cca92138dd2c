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
	// sharedWait is how long a request waits for Redis before it is counted on
	// this machine instead.
	sharedWait = 5 * time.Millisecond
	// reportWait is how long a report may take that no request waits for.
	reportWait = 100 * time.Millisecond
	// sharedFailures is how many failures in a row mean that Redis is gone;
	// from then on no request waits for it.
	sharedFailures = 3
	// probeEvery is how often it is then asked whether it is back, probeWait
	// how long connecting may take.
	probeEvery = 500 * time.Millisecond
	probeWait  = 250 * time.Millisecond
	// sharedFurthest is the longest that a quota can take to be whole again: a
	// minute, as much again for calls that have passed beyond it, and a second
	// to spare. A count that needs longer was made before the clock of Redis
	// was set back.
	sharedFurthest = 121 * time.Second
	// sharedKeys is what the names of all keys in Redis begin with.
	sharedKeys = "convertd:rate:"
)

// Shared is a count of requests that several replicas keep together in Redis,
// by the same algorithm as Quota's own and by the clock of Redis. While a
// client has much of its quota left its requests pass at once, and one script
// call every two seconds reports those of all clients together; nearer to the
// end, or when it calls often, a request waits for the answer of one, which it shares with all that wait
// meanwhile (see ledger, and there what this may give a client beyond its
// quota). A key, convertd:rate: and the client's address or network, expires
// when its quota is whole again, within two minutes. When that clock is set
// forward, clients begin anew; when it is set back, so do those with a count
// that would refuse them until the clock has caught up.
//
// No request depends on it: while Redis is slow or gone, each replica counts
// for itself. Between a failure and the next answer a breaker keeps requests
// from waiting, and a probe in the background closes it again.
type Shared struct {
	client  *redis.Client
	counter counter
	ledger  *ledger
	log     *slog.Logger
	// missed gets the number of a client's requests that passed and were never
	// reported to Redis.
	missed func(client string, n int)

	failures  atomic.Int32 // in a row
	open      atomic.Bool  // the breaker: Redis is not asked
	fallbacks atomic.Uint64
	urgent    chan struct{} // holds a token while a report is due
	closed    chan struct{}
	reporting chan struct{} // closed when the last report has been made
	probing   chan struct{} // holds a token while a probe runs
}

// NewShared counts up to perMinute requests a minute and client in the Redis
// at address, a URL such as redis://user:password@host:6379/0, rediss:// or
// unix://. It connects in the background: a Redis that is not there yet keeps
// no replica from starting. An error says that the URL is not one, without
// repeating it, for it may hold a password.
func NewShared(address string, perMinute int, log *slog.Logger) (*Shared, error) {
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, errors.New("is not an address such as redis://127.0.0.1:6379/0")
	}
	options.Dialer = boundReplies(options)
	return newShared(options, perMinute, log), nil
}

func newShared(options *redis.Options, perMinute int, log *slog.Logger) *Shared {
	options.ContextTimeoutEnabled = true // sharedWait bounds dialling, writing and reading
	options.MaxRetries = -1              // the local count is the second try
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

// Fallbacks is how many requests were counted on this machine instead.
func (s *Shared) Fallbacks() uint64 { return s.fallbacks.Load() }

// Close makes a last report and ends the probe and the connections. It is
// called once, after the last request.
func (s *Shared) Close() error {
	close(s.closed)
	<-s.reporting
	s.probing <- struct{}{} // the probe has ended
	return s.client.Close()
}

// take counts one request. ok is false when Redis did not answer in time or
// not with a count: then nothing is known.
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

// report reports every reportEvery, and at once when somebody waits.
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

// reportAll makes the reports that are due, one after the other, so that those
// that come meanwhile share the next.
func (s *Shared) reportAll() {
	for {
		reports := s.ledger.collect(time.Now())
		if len(reports) == 0 {
			return
		}
		standings, err := s.tell(reports)
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
		s.ledger.settle(time.Now(), reports, standings)
		if slices.ContainsFunc(standings, func(one standing) bool { return one.stepped }) {
			s.log.Warn("the clock of the shared quota was set back; a client's count was made before and is forgotten")
		}
	}
}

var errOpen = errors.New("no call is made to Redis now")

// tell sends one report.
func (s *Shared) tell(reports []report) ([]standing, error) {
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

// failed counts a failure and opens the breaker when there were enough.
func (s *Shared) failed(err error) {
	if s.failures.Add(1) < sharedFailures || !s.open.CompareAndSwap(false, true) {
		return
	}
	// The type of the error says enough: its text may name the address, which
	// may be a secret's neighbour.
	s.log.Warn("the shared quota is gone; this replica counts for itself",
		"type", fmt.Sprintf("%T", err), "timeout", errors.Is(err, context.DeadlineExceeded))
	select {
	case s.probing <- struct{}{}:
		go s.probe(probeEvery)
	default:
		s.open.Store(false) // the last probe is just ending, or the service is
	}
}

// probe asks Redis, after a first wait, until it answers; then it closes the
// breaker.
func (s *Shared) probe(wait time.Duration) {
	defer func() { <-s.probing }()
	since := time.Now()
	logged := wait > 0 // that it is gone
	setting := false   // logged that a setting is wrong
	for {
		select {
		case <-s.closed:
			return
		case <-time.After(wait):
		}
		err := s.answers()
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

// answers returns an error unless Redis counts, and as fast as requests need it
// to: the first try connects and loads the script, the second is timed. A Redis
// that would answer PING yet refuses to write (a read-only replica, full
// memory) does not. What is counted is a name that no client has.
func (s *Shared) answers() error {
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

// wrongSetting says what of the address cannot be right when Redis answers with
// err; "" when it may only be slow or gone. It is a text of ours: the error's
// may name what the address holds.
func wrongSetting(err error) string {
	var untrusted *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	switch {
	case redis.IsAuthError(err):
		return "Redis refuses the user or password, or asks for one"
	case redis.IsPermissionError(err):
		return "Redis does not let this user run EVALSHA, EVAL, TIME, GET and SET on the keys " + sharedKeys + "*"
	case errors.As(err, &untrusted):
		return "the certificate of Redis is not trusted, or not for this name"
	case errors.As(err, &plain):
		return "Redis does not speak TLS at this port"
	}
	return ""
}

// redisLog takes what the client library says for itself: it is for debugging.
type redisLog struct{ log *slog.Logger }

// Printf implements the library's logger.
func (l redisLog) Printf(ctx context.Context, format string, v ...any) {
	if l.log.Enabled(ctx, slog.LevelDebug) {
		l.log.DebugContext(ctx, "redis", "text", fmt.Sprintf(format, v...))
	}
}
