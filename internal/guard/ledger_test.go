//go:build unix

package guard

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
)

// together is the ledgers of several replicas on a real Redis that uses the test's clock.
type together struct {
	t       *testing.T
	counter counter
	now     time.Time
	ledgers []*ledger
	due     []time.Time // when each reports next
	reports int         // commands
}

func newTogether(t *testing.T, c counter, replicas, perMinute int, random *rand.Rand) *together {
	s := &together{t: t, counter: c, now: time.Now().Truncate(time.Microsecond)}
	for range replicas {
		s.ledgers = append(s.ledgers, newLedger(perMinute))
		s.due = append(s.due, s.now.Add(time.Duration(random.Int64N(int64(reportEvery))).Truncate(time.Microsecond)))
	}
	return s
}

// tell sends the reports of a replica that are due.
func (s *together) tell(replica int) {
	l := s.ledgers[replica]
	for {
		reports := l.collect(s.now)
		if len(reports) == 0 {
			return
		}
		s.reports++
		standings := check.Value(s.counter.count(s.t.Context(), s.t.Name()+":", reports, s.now.UnixMicro()))(s.t)
		l.applyReply(s.now, reports, standings)
	}
}

// wait advances the clock; replicas report when they are due.
func (s *together) wait(d time.Duration) {
	for end := s.now.Add(d); ; {
		next := -1
		for i, due := range s.due {
			if !due.After(end) && (next < 0 || due.Before(s.due[next])) {
				next = i
			}
		}
		if next < 0 {
			s.now = end
			return
		}
		s.now = s.due[next]
		s.due[next] = s.now.Add(reportEvery)
		s.ledgers[next].sweep(s.now)
		s.tell(next)
	}
}

// call makes one request at a replica.
func (s *together) call(replica int, client string) verdict {
	v, wait, urgent := s.ledgers[replica].take(s.now, client, false)
	if urgent {
		s.tell(replica)
	}
	if wait == nil {
		return v
	}
	response := <-wait
	if !response.ok {
		s.t.Fatal("Redis has not replied")
	}
	return response.verdict
}

// level is the count of one client that knows of every request at once: how many
// of those that passed have not refilled.
type level struct {
	at    time.Time
	calls float64
}

func (l *level) until(now time.Time, interval time.Duration) {
	l.calls = max(0, l.calls-float64(now.Sub(l.at))/float64(interval))
	l.at = now
}

// TestLedgersTogether checks over generated arrivals at 1 to 50 replicas that no client gets more in any period than
// its quota and the bound that ledger documents, and that no client is rejected that has a thirtieth of its quota left.
func TestLedgersTogether(t *testing.T) {
	redis := startRedis(t)
	client := redis.client()
	defer client.Close()
	for _, perMinute := range []int{5, 31, 32, 60, 61, 600, 1200} {
		for _, replicas := range []int{1, 3, 50} {
			if replicas == 50 && perMinute%60 != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%d a minute, %d replicas", perMinute, replicas), func(t *testing.T) {
				random := rand.New(rand.NewPCG(uint64(perMinute), uint64(replicas)))
				s := newTogether(t, newCounter(client, testClock, perMinute), replicas, perMinute, random)
				s.random(random, perMinute)
			})
		}
	}
}

// random makes one client send requests in bursts, at a steady pace and after
// pauses, at one replica, in turns or at random ones.
func (s *together) random(random *rand.Rand, perMinute int) {
	interval, replicas := emission(perMinute), len(s.ledgers)
	late := float64(perMinute) / 30
	above := late + float64(replicas*max(1, perMinute/aheadShare))
	if perMinute < aheadLeast {
		late, above = 0, 0
	}
	var truth level
	passed, refused, most := 0, 0, 0.0
	last := verdict{}
	phase := max(500, 2*perMinute)
	for i, turn := 0, 0; i < 12*phase; i++ {
		if i%phase == 0 {
			turn = random.IntN(3)
			if random.IntN(2) == 0 {
				s.wait(time.Minute + reportEvery) // full again
			}
		}
		s.wait(pace(random, i/phase%4, last, interval))
		truth.until(s.now, interval)
		last = s.call([]int{0, i % replicas, random.IntN(replicas)}[turn], "a")
		if last.limited {
			refused++
			if left := float64(perMinute) - truth.calls; left >= late+1+1e-6 {
				s.t.Fatalf("call %d is refused with %.2f left", i, left)
			}
			if last.retryAfter <= 0 || last.remaining != 0 {
				s.t.Fatalf("call %d: %+v", i, last)
			}
			continue
		}
		passed++
		truth.calls++
		most = max(most, truth.calls)
		if truth.calls > float64(perMinute)+above+1e-6 {
			s.t.Fatalf("call %d passes, %.2f above the quota; %.2f are promised", i, truth.calls-float64(perMinute), above)
		}
	}
	s.t.Logf("%d passed, %d refused, at most %.1f at once (promised: %.1f), %.2f commands a call",
		passed, refused, most, float64(perMinute)+above, float64(s.reports)/float64(12*phase))
	if passed < 100 || refused < 50 {
		s.t.Error("too few of one kind to tell")
	}
}

// pace returns the time until the next request: at once, near the pace at which
// the quota refills, well below it, or what the last verdict said.
func pace(random *rand.Rand, kind int, last verdict, interval time.Duration) time.Duration {
	d := time.Duration(0)
	switch kind {
	case 1:
		d = time.Duration(random.Int64N(int64(2 * interval)))
	case 2:
		d = time.Duration(random.Int64N(int64(10 * interval)))
	case 3:
		d = last.retryAfter
	}
	return d.Truncate(time.Microsecond)
}

// TestLedgerCommands checks that fifty replicas that serve many clients below half of their quota cost Redis at most a
// tenth of a command per request and reject none, also at no more than 10⁹ requests a month.
func TestLedgerCommands(t *testing.T) {
	redis := startRedis(t)
	client := redis.client()
	defer client.Close()
	const perMinute, replicas, calls, perSecond = 60, 50, 20_000, 386
	random := rand.New(rand.NewPCG(7, 7))
	s := newTogether(t, newCounter(client, testClock, perMinute), replicas, perMinute, random)
	before := evaluations(t, redis)
	for i := range calls {
		s.wait(time.Second / perSecond)
		if v := s.call(random.IntN(replicas), fmt.Sprint(random.IntN(2000))); v.limited {
			t.Fatalf("call %d is refused: %+v", i, v)
		}
	}
	each := (evaluations(t, redis) - before) / calls
	t.Logf("%.3f commands a call", each)
	if each > 0.1 || each == 0 {
		t.Error("more than a tenth of a command a call")
	}
}

// evaluations returns how many scripts Redis has run.
func evaluations(t *testing.T, server *redisServer) float64 {
	t.Helper()
	client := server.client()
	defer client.Close()
	total := 0.0
	for line := range strings.Lines(client.Info(t.Context(), "commandstats").Val()) {
		var n float64
		name, rest, _ := strings.Cut(line, ":")
		if _, err := fmt.Sscanf(rest, "calls=%f", &n); err == nil && (name == "cmdstat_evalsha" || name == "cmdstat_eval") {
			total += n
		}
	}
	return total
}

// TestLedgerMemory checks that a flood from a million networks uses bounded memory, and that requests of clients that a
// full ledger does not know wait for Redis.
func TestLedgerMemory(t *testing.T) {
	before := heap()
	l := newLedger(60)
	now := time.Now()
	checked := 0
	for i := range 1_000_000 {
		_, wait, _ := l.take(now, key(netip.MustParseAddr(fmt.Sprintf("2001:db8:%x:%x::1", i>>16, i&0xffff))), false)
		if wait != nil {
			checked++
		}
		if i%reportClients == 0 {
			reports := l.collect(now)
			for len(reports) > 0 {
				l.applyReply(now, reports, make([]standing, len(reports)))
				reports = l.collect(now)
			}
		}
	}
	used := heap() - before
	t.Logf("%.1f MiB", float64(used)/(1<<20))
	if used > 5<<20 {
		t.Errorf("the ledger holds %d bytes", used)
	}
	if len(l.known) != accounts || checked != 1_000_000-accounts {
		t.Errorf("%d clients are known, %d calls are checked with Redis", len(l.known), checked)
	}
	if l.sweep(now.Add(time.Minute)); len(l.known) != len(l.passing) {
		t.Errorf("%d clients are known a minute later", len(l.known))
	}
}

// TestLedgerCountsPendingRequests checks that requests in a report in flight still
// count, and so do those that passed since it was created.
func TestLedgerCountsPendingRequests(t *testing.T) {
	const perMinute, reported = 6400, 60 // so that about a hundred may pass ahead
	now := time.Now()
	l := newLedger(perMinute)
	pass := func(most int) (v verdict, passed int) {
		for ; passed < most; passed++ {
			next, wait, _ := l.take(now, "client", false)
			if wait != nil {
				break
			}
			v = next
		}
		return v, passed
	}
	if _, passed := pass(reported); passed != reported {
		t.Fatalf("only %d pass ahead", passed)
	}
	reports := l.collect(now)
	if _, more := pass(20); more != 20 {
		t.Errorf("%d more pass while %d are reported", more, reported)
	}
	l.applyReply(now, reports, []standing{{after: reported * l.interval}})
	if v, _ := pass(1); v.remaining != perMinute-reported-20-1 || v.resetAfter != (reported+20+1)*l.interval {
		t.Errorf("after the report: %+v", v)
	}
	l.collect(now)
	if _, more := pass(perMinute); more < 70 || more > 100-21 {
		t.Errorf("%d more pass while 21 are reported", more)
	}
}
