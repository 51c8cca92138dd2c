package engine

import (
	"context"
	"sync"
	"time"
)

// limited is parent with a deadline. Tools call Err as they run, which needs neither a timer nor an entry in parent's
// list of children; those cost a small call more than its conversion.
type limited struct {
	context.Context
	end  time.Time
	slot *Slot // nil if none
	once sync.Once
	done <-chan struct{} // created by the first Done
}

// Err implements context.Context.
func (l *limited) Err() error {
	if err := l.Context.Err(); err != nil {
		return err
	}
	now := time.Now()
	if l.slot != nil {
		l.slot.processor.yield(now)
	}
	if !now.Before(l.end) {
		return context.DeadlineExceeded
	}
	return nil
}

// Deadline implements context.Context.
func (l *limited) Deadline() (time.Time, bool) {
	if earlier, ok := l.Context.Deadline(); ok && earlier.Before(l.end) {
		return earlier, true
	}
	return l.end, true
}

// Done implements context.Context, for a tool that waits for something. Its
// single timer lives until the deadline, even if the tool does not.
func (l *limited) Done() <-chan struct{} {
	l.once.Do(func() {
		timed, cancel := context.WithDeadline(l.Context, l.end)
		_ = cancel // never called: the context ends by itself
		l.done = timed.Done()
	})
	return l.done
}
