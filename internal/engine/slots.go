package engine

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/convertd/convertd/internal/convert"
)

// smallWork is the work of a small call, see work.
const smallWork = 32 << 10

// How many calls may wait for each slot with their whole request in memory: the
// bound on large calls is what bounds the memory of a rush. More wait unread,
// see admit.
const (
	smallQueue = 64
	largeQueue = 8
)

// slots bounds how many calls run at once. A call that finds none free waits
// a little: short bursts pass, lasting overload is shed. Large calls get at
// most half of the slots, so that a small call never queues behind them (with
// a single slot it must).
type slots struct {
	all, large *gate
	patience   time.Duration
}

func newSlots(n int, patience time.Duration) slots {
	return slots{all: newGate(max(n, 1), smallQueue), large: newGate(max(n/2, 1), largeQueue), patience: patience}
}

// take waits for a slot for so much work. It fails with overloaded, or with
// ctx's error when the caller went away. What was taken is given back by give.
func (s slots) take(ctx context.Context, work int) error {
	until := time.Now().Add(s.patience)
	if work > smallWork {
		if err := s.large.enter(ctx, until); err != nil {
			return err
		}
	}
	if err := s.all.enter(ctx, until); err != nil {
		if work > smallWork {
			s.large.leave()
		}
		return err
	}
	return nil
}

func (s slots) give(work int) {
	s.all.leave()
	if work > smallWork {
		s.large.leave()
	}
}

// admit waits until there is room in the queue for so much work. It looks now
// and then rather than being told, so that those that wait outside come in one
// by one and not all at once. A large request keeps a seat for as long as
// arrived is not called, which must be when its body has been read, but not
// longer than a body takes that arrives at once: slow ones hold nobody up.
func (s slots) admit(ctx context.Context, work int) (arrived func(), err error) {
	for until := time.Now().Add(s.patience); s.busyQueue(work); {
		pause := admitPause/2 + rand.N(admitPause)
		if time.Now().Add(pause).After(until) {
			return nil, overloaded()
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if work <= smallWork {
		return func() {}, nil
	}
	s.large.coming.Add(1)
	arrive := sync.OnceFunc(func() { s.large.coming.Add(-1) })
	timer := time.AfterFunc(arrival, arrive)
	return func() {
		timer.Stop()
		arrive()
	}, nil
}

const (
	admitPause = 20 * time.Millisecond  // about how long a request waits between two looks
	arrival    = 100 * time.Millisecond // how long a body may keep its seat
)

func (s slots) busyQueue(work int) bool {
	return s.all.busy() || work > smallWork && s.large.busy()
}

// busy is the number of slots that are taken.
func (s slots) busy() int { return len(s.all.inside) }

// gate lets as many in as it has room for; as many more as it has seats wait,
// in the order that they came, and the others are refused at once.
type gate struct {
	inside  chan struct{}
	seats   int64
	waiting atomic.Int64
	coming  atomic.Int64 // admitted, and not there yet
}

func newGate(room, seatsEach int) *gate {
	return &gate{inside: make(chan struct{}, room), seats: int64(room * seatsEach)}
}

func (g *gate) enter(ctx context.Context, until time.Time) error {
	select {
	case g.inside <- struct{}{}:
		return nil
	default:
	}
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > g.seats {
		return overloaded()
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case g.inside <- struct{}{}:
		return nil
	case <-timer.C:
		return overloaded()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *gate) leave() { <-g.inside }

// busy reports whether half of the seats are taken or kept; the others are for
// those that come late.
func (g *gate) busy() bool { return 2*(g.waiting.Load()+g.coming.Load()) >= g.seats }

func overloaded() *convert.Failure {
	return convert.Refuse(convert.Overloaded,
		"All work slots of the server are taken.",
		"Wait for the seconds that Retry-After gives, then try again.")
}
