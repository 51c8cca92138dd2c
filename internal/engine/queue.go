package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// weightDelay is added to a heavy call's arrival time for each byte of its weight, some twenty times as long as the
// byte takes. So a call of 60 KB does not wait for those of 500 KB that arrived up to 44 ms before it, and no call
// waits forever, however many small ones arrive.
const weightDelay = 100 * time.Nanosecond

// queue assigns processors to waiting calls, by arrival time and weight.
type queue struct {
	mutex   sync.Mutex
	free    []*processor
	all     int
	waiting []*waiter // next one first
}

type waiter struct {
	since time.Time // arrival time plus the delay for its weight
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
	// After those with the same time.
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
		return nil, errOverloaded
	case <-ctx.Done():
		q.giveUp(w)
		return nil, ctx.Err()
	}
}
