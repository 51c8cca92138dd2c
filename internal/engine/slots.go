package engine

import (
	"context"
	"time"

	"github.com/convertd/convertd/internal/convert"
)

// slots bounds how many calls run at once. A call that finds none free waits
// a little: short bursts pass, lasting overload is shed.
type slots struct {
	free chan struct{}
	wait time.Duration
}

func newSlots(n int, wait time.Duration) slots {
	return slots{free: make(chan struct{}, max(n, 1)), wait: wait}
}

// take waits for a slot and returns how to give it back. It fails with
// overloaded, or with ctx's error when the caller went away.
func (s slots) take(ctx context.Context) (release func(), err error) {
	select {
	case s.free <- struct{}{}:
		return s.release, nil
	default:
	}
	timer := time.NewTimer(s.wait)
	defer timer.Stop()
	select {
	case s.free <- struct{}{}:
		return s.release, nil
	case <-timer.C:
		return nil, convert.Refuse(convert.Overloaded,
			"All work slots of the server are taken.",
			"Wait for the seconds that Retry-After gives, then try again.")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s slots) release() { <-s.free }

// busy is the number of slots that are taken.
func (s slots) busy() int { return len(s.free) }
