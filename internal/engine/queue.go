package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// weightDelay is how much later a heavy call counts as having come for each byte
// of its weight, some twenty times as long as it takes. So one of 60 KB does not
// wait for those of 500 KB that came up to 44 ms before it, and no call waits for
// ever, however many small ones come.
const weightDelay = 100 * time.Nanosecond

// queue hands out processors to the calls that wait for one, by when they came
// and what they weigh.
type queue struct {
	mutex   sync.Mutex
	free    []*processor
	all     int
	waiting []*waiter // the next one first
}

type waiter struct {
	since time.Time // as it counts
	got   chan *processor
}

func newQueue(processors int) *queue {
	q := &queue{all: processors}
	for range processors {
		q.free = append(q.free, &processor{queue: q, yields: newYield()})
	}
	return q
}

// taken returns how many calls have a processor.
func (q *queue) taken() int {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return q.all - len(q.free)
}

// join returns a waiter that gets a processor.
func (q *queue) join(weight int) *waiter {
	w := &waiter{time.Now().Add(time.Duration(weight) * weightDelay), make(chan *processor, 1)}
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if n := len(q.free); n > 0 {
		w.got <- q.free[n-1]
		q.free = q.free[:n-1]
		return w
	}
	// After those that count as having come at the same time.
	i, _ := slices.BinarySearchFunc(q.waiting, w.since, func(other *waiter, since time.Time) int {
		return cmp.Or(other.since.Compare(since), -1)
	})
	q.waiting = slices.Insert(q.waiting, i, w)
	return w
}

// leave passes a processor to the next waiter.
func (q *queue) leave(free *processor) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if len(q.waiting) == 0 {
		q.free = append(q.free, free)
		return
	}
	next := q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	next.got <- free
}

// giveUp removes a waiter, which may have got a processor meanwhile.
func (q *queue) giveUp(w *waiter) {
	q.mutex.Lock()
	i := slices.Index(q.waiting, w)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	q.mutex.Unlock()
	if i < 0 {
		q.leave(<-w.got)
	}
}

// take waits for a processor until ctx ends or limit has passed.
func (q *queue) take(ctx context.Context, weight int, limit time.Duration) (*processor, error) {
	w := q.join(weight)
	select {
	case got := <-w.got:
		return got, nil
	default:
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case got := <-w.got:
		return got, nil
	case <-timer.C:
		q.giveUp(w)
		return nil, overloaded()
	case <-ctx.Done():
		q.giveUp(w)
		return nil, ctx.Err()
	}
}
