package guard

import (
	"sync"
	"time"
)

const (
	// aheadShare limits how many of a client's requests a replica lets pass before it reports them to Redis: 1/64 of
	// those that the client has left, at least one, and none when less than half of the quota is left.
	aheadShare = 64
	// aheadLeast is the smallest quota (per minute) whose requests may pass ahead.
	// With a smaller one, one request per replica would be too large a part of it.
	aheadLeast = aheadShare / 2
	// reportEvery is the longest that such a request stays unreported.
	reportEvery = 2 * time.Second
	// reportClients is the maximum number of clients in one command, which Redis handles in less than a millisecond.
	reportClients = 128
	// accounts is how many clients a ledger remembers, each for about as long as its
	// quota is not full. Requests of other clients always wait for Redis.
	accounts = 16384
)

// ledger decides on this replica about requests that Redis counts. Most pass ahead and are reported together. Where the
// quota may be nearly used up, Redis decides before the request passes.
//
// The guarantee, for R replicas that all reach Redis and a quota of q a minute: a client never gets more than q at once
// and q a minute, plus R × max(1, q/64) + q/30. A client that has more than q/30 left is not rejected. The reasons: a
// replica has at most max(1, q/64) requests of a client unreported; a request is counted at most reportEvery (q/30 of
// the quota) before or after it arrived; and Redis counts all of them, including those beyond the quota. See
// TestLedgersTogether.
type ledger struct {
	perMinute int
	interval  time.Duration // in which one request refills

	mutex   sync.Mutex
	known   map[string]*account
	asking  []*account // a request waits
	passing []*account // requests have passed that Redis does not know of
}

// account is what a replica knows of a client.
type account struct {
	client  string
	arrival time.Time // when the quota is full again; later if other replicas have counted requests
	checked time.Time // when Redis last reported it
	ahead   int       // requests that have passed since the last report
	first   time.Time // when the first of them passed
	sent    int       // such requests in a report that is in flight
	waiting []chan reply
}

// reply is Redis's decision on one request; ok is false if it made no decision.
type reply struct {
	verdict
	ok bool
}

// report is what is sent to Redis about a client.
type report struct {
	account *account
	ahead   int           // requests that have passed
	age     time.Duration // of the first of them
	waiting []chan reply
}

// standing is Redis's reply to a report.
type standing struct {
	granted int           // how many of the waiting requests pass
	after   time.Duration // until the quota is full
	stepped bool          // the clock was set back, and the count starts over
}

func newLedger(perMinute int) *ledger {
	return &ledger{perMinute: perMinute, interval: emission(perMinute), known: map[string]*account{}}
}

func (l *ledger) whole() time.Duration { return time.Duration(l.perMinute) * l.interval }

// passed returns the verdict on an accepted request: the quota is full after d.
func (l *ledger) passed(after time.Duration) verdict {
	return verdict{remaining: int(max(0, l.whole()-after) / l.interval), resetAfter: after}
}

// refused returns the verdict on a request that has to wait.
func (l *ledger) refused(after time.Duration) verdict {
	return verdict{limited: true, resetAfter: after, retryAfter: after + l.interval - l.whole()}
}

// take decides about a request, or returns the channel on which Redis's decision will arrive; urgent then reports
// whether to send a report at once. If ask is set, nothing passes ahead.
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
	response := make(chan reply, 1)
	if a.waiting = append(a.waiting, response); len(a.waiting) == 1 {
		l.asking = append(l.asking, a)
	}
	return verdict{}, response, true
}

// collect returns what one command reports: the clients with waiting requests or, if no request waits, the others. This
// keeps the command short for waiting requests.
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
			continue // it was reported with the waiting ones
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

// applyReply passes on Redis's reply, one standing per report.
func (l *ledger) applyReply(now time.Time, reports []report, standings []standing) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for i, r := range reports {
		a, s := r.account, standings[i]
		a.sent -= r.ahead
		a.checked = now
		a.arrival = now.Add(s.after + time.Duration(a.ahead)*l.interval)
		for j, response := range r.waiting {
			if j < s.granted {
				response <- reply{l.passed(s.after - time.Duration(s.granted-1-j)*l.interval), true}
			} else {
				response <- reply{l.refused(s.after), true}
			}
		}
	}
}

// abandon notifies the waiting requests that Redis did not reply.
func (l *ledger) abandon(reports []report) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, r := range reports {
		r.account.sent -= r.ahead
		for _, response := range r.waiting {
			response <- reply{}
		}
	}
}

// sweep forgets clients whose quota is full: an unknown client is assumed to have a full one.
func (l *ledger) sweep(now time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for client, a := range l.known {
		if a.ahead+a.sent+len(a.waiting) == 0 && !a.arrival.After(now) {
			delete(l.known, client)
		}
	}
}
