package guard

import (
	"sync"
	"time"
)

const (
	// aheadShare says how many calls of a client a replica lets pass before it
	// tells Redis: one in so many of those that the client has left, at least
	// one, and none when less than half of the quota is left.
	aheadShare = 64
	// aheadLeast is the smallest quota (a minute) of which calls pass ahead: of
	// a smaller one, one call for each replica would be too much of it.
	aheadLeast = aheadShare / 2
	// reportEvery is how long Redis may be without news of such a call.
	reportEvery = 2 * time.Second
	// reportClients is the most clients in one command: what Redis works off in
	// less than a millisecond.
	reportClients = 128
	// accounts is how many clients a ledger remembers, for about as long as
	// their quota is not whole. Further ones ask Redis with each call.
	accounts = 16384
)

// ledger decides about calls on this replica for what Redis counts: most pass
// ahead and are reported together, and Redis is asked before the call passes
// where the quota may be near its end.
//
// The promise, for R replicas that all reach Redis and a quota of q a minute:
// a client never gets more than q at once and q a minute, and on top of that
// R × max(1, q/64) + q/30; who has more than q/30 left is not refused. For
// a replica has at most max(1, q/64) calls of a client unreported, a call is
// counted at most reportEvery (q/30 of the quota) before or after it came, and
// Redis counts all of them, also those beyond the quota. See
// TestLedgersTogether.
type ledger struct {
	perMinute int
	interval  time.Duration // in which one call refills

	mutex   sync.Mutex
	known   map[string]*account
	asking  []*account // somebody waits
	passing []*account // calls have passed that Redis does not know of
}

// account is what a replica knows of a client.
type account struct {
	client  string
	arrival time.Time // when the quota is whole again; later when others have called
	checked time.Time // when Redis last said so
	ahead   int       // calls that have passed since the last report
	first   time.Time // the first of them
	sent    int       // such calls in a report that is under way
	waiting []chan reply
}

// reply is what Redis says of one call; ok is false when it did not say.
type reply struct {
	verdict
	ok bool
}

// report is what Redis gets to know of a client, and is asked.
type report struct {
	account *account
	ahead   int           // calls that have passed
	age     time.Duration // of the first of them
	waiting []chan reply
}

// standing is what Redis answers to a report.
type standing struct {
	granted int           // how many of those that wait pass
	after   time.Duration // until the quota is whole
	stepped bool          // the clock was set back, and the count begins anew
}

func newLedger(perMinute int) *ledger {
	return &ledger{perMinute: perMinute, interval: emission(perMinute), known: map[string]*account{}}
}

func (l *ledger) whole() time.Duration { return time.Duration(l.perMinute) * l.interval }

// passed is the verdict on a call after which the quota is whole in so long.
func (l *ledger) passed(after time.Duration) verdict {
	return verdict{remaining: int(max(0, l.whole()-after) / l.interval), resetAfter: after}
}

// refused is the verdict on a call that has to wait.
func (l *ledger) refused(after time.Duration) verdict {
	return verdict{limited: true, resetAfter: after, retryAfter: after + l.interval - l.whole()}
}

// take decides about a call, or returns where Redis's answer will come; then
// urgent is whether a report is due at once. With ask nothing passes ahead.
func (l *ledger) take(now time.Time, client string, ask bool) (v verdict, wait <-chan reply, urgent bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	a := l.known[client]
	if a == nil {
		a = &account{client: client}
		if ask = ask || len(l.known) >= accounts; !ask {
			l.known[client] = a
		}
	}
	after := max(0, a.arrival.Sub(now))
	left := int((l.whole() - after) / l.interval)
	switch {
	case left < 1 && now.Sub(a.checked) < reportEvery && !ask:
		return l.refused(after), nil, false
	case !ask && l.perMinute >= aheadLeast && 2*left >= l.perMinute && a.ahead+a.sent < max(1, left/aheadShare):
		if a.ahead++; a.ahead == 1 {
			a.first = now
			l.passing = append(l.passing, a)
		}
		a.arrival = now.Add(after + l.interval)
		return l.passed(after + l.interval), nil, len(l.passing) >= reportClients
	}
	answer := make(chan reply, 1)
	if a.waiting = append(a.waiting, answer); len(a.waiting) == 1 {
		l.asking = append(l.asking, a)
	}
	return verdict{}, answer, true
}

// collect takes what one command reports: of those who wait, or, when nobody
// does, of the others, so that who waits has the shorter command.
func (l *ledger) collect(now time.Time) []report {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var reports []report
	list := &l.passing
	if len(l.asking) > 0 {
		list = &l.asking
	}
	for len(*list) > 0 && len(reports) < reportClients {
		a := (*list)[0]
		*list = (*list)[1:]
		if a.ahead == 0 && len(a.waiting) == 0 {
			continue // it went with those who wait
		}
		r := report{account: a, ahead: a.ahead, waiting: a.waiting}
		if a.ahead > 0 {
			r.age = now.Sub(a.first)
		}
		a.sent, a.ahead, a.waiting = a.sent+a.ahead, 0, nil
		reports = append(reports, r)
	}
	return reports
}

// settle passes on what Redis answered, one standing for each report.
func (l *ledger) settle(now time.Time, reports []report, standings []standing) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for i, r := range reports {
		a, s := r.account, standings[i]
		a.sent -= r.ahead
		a.checked = now
		a.arrival = now.Add(s.after + time.Duration(a.ahead)*l.interval)
		for j, answer := range r.waiting {
			if j < s.granted {
				answer <- reply{l.passed(s.after - time.Duration(s.granted-1-j)*l.interval), true}
			} else {
				answer <- reply{l.refused(s.after), true}
			}
		}
	}
}

// abandon lets those who wait know that Redis did not answer.
func (l *ledger) abandon(reports []report) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, r := range reports {
		r.account.sent -= r.ahead
		for _, answer := range r.waiting {
			answer <- reply{}
		}
	}
}

// sweep forgets clients whose quota is whole: those not known are taken to have
// a whole one.
func (l *ledger) sweep(now time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for client, a := range l.known {
		if a.ahead+a.sent+len(a.waiting) == 0 && !a.arrival.After(now) {
			delete(l.known, client)
		}
	}
}
