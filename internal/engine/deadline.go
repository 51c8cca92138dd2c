package engine

import (
	"context"
	"sync"
	"time"
)

// limited is parent until a time. Tools ask Err as they go, and that needs
// neither a timer nor a place in parent's list of children, which cost a small
// call more than its conversion.
type limited struct {
	context.Context
	end  time.Time
	slot *Slot // nil for none
	once sync.Once
	done <-chan struct{} // made when it is first asked for
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

// Done implements context.Context, for a tool that waits for something. Its one
// timer lives until the end, even if the tool does not.
func (l *limited) Done() <-chan struct{} {
	l.once.Do(func() {
		timed, cancel := context.WithDeadline(l.Context, l.end)
		_ = cancel // nobody is there to call it: it ends by itself
		l.done = timed.Done()
	})
	return l.done
}
