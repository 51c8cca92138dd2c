package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// sizeDelay is how much later a heavy call counts as having come for each byte
// of its weight, some twenty times as long as it takes. So one of 60 KB does not
// wait behind those of 500 KB that came up to 44 ms before it, and nobody waits
// for ever, however many small ones come.
const sizeDelay = 100 * time.Nanosecond

// line hands out the lanes, to those that wait in the order of their coming and
// their size.
type line struct {
	mutex   sync.Mutex
	free    []*lane
	all     int
	waiting []*waiting // the next one first
}

type waiting struct {
	since time.Time // as it counts
	got   chan *lane
}

func newLine(lanes int) *line {
	l := &line{all: lanes}
	for range lanes {
		l.free = append(l.free, &lane{line: l})
	}
	return l
}

// taken is how many calls have a lane.
func (l *line) taken() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.all - len(l.free)
}

// join returns a channel that gets a lane.
func (l *line) join(weight int) *waiting {
	w := &waiting{time.Now().Add(time.Duration(weight) * sizeDelay), make(chan *lane, 1)}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if n := len(l.free); n > 0 {
		w.got <- l.free[n-1]
		l.free = l.free[:n-1]
		return w
	}
	// Behind those that count as having come at the same time.
	i, _ := slices.BinarySearchFunc(l.waiting, w.since, func(other *waiting, since time.Time) int {
		return cmp.Or(other.since.Compare(since), -1)
	})
	l.waiting = slices.Insert(l.waiting, i, w)
	return w
}

// leave takes back a lane, for the next one.
func (l *line) leave(free *lane) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(l.waiting) == 0 {
		l.free = append(l.free, free)
		return
	}
	next := l.waiting[0]
	l.waiting = slices.Delete(l.waiting, 0, 1)
	next.got <- free
}

// give up ends the waiting of one that may have got a lane meanwhile.
func (l *line) giveUp(w *waiting) {
	l.mutex.Lock()
	i := slices.Index(l.waiting, w)
	if i >= 0 {
		l.waiting = slices.Delete(l.waiting, i, i+1)
	}
	l.mutex.Unlock()
	if i < 0 {
		l.leave(<-w.got)
	}
}

// take waits for a lane until ctx or the time ends.
func (l *line) take(ctx context.Context, weight int, patience time.Duration) (*lane, error) {
	w := l.join(weight)
	select {
	case got := <-w.got:
		return got, nil
	default:
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case got := <-w.got:
		return got, nil
	case <-timer.C:
		l.giveUp(w)
		return nil, overloaded()
	case <-ctx.Done():
		l.giveUp(w)
		return nil, ctx.Err()
	}
}
