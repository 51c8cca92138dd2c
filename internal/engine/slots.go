package engine

import (
	"context"
	"time"

	"github.com/convertd/convertd/internal/convert"
)

// smallWork is the work of a small call, see work.
const smallWork = 32 << 10

// slots bounds how many calls run at once. A call that finds none free waits
// a little: short bursts pass, lasting overload is shed. Large calls get at
// most half of the slots, so that a small call never queues behind them (with
// a single slot it must).
type slots struct {
	all, large gate
	patience   time.Duration
}

func newSlots(n int, patience time.Duration) slots {
	return slots{all: make(gate, max(n, 1)), large: make(gate, max(n/2, 1)), patience: patience}
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

// busy is the number of slots that are taken.
func (s slots) busy() int { return len(s.all) }

// gate lets as many in as it has room for; the others wait in the order that
// they came.
type gate chan struct{}

func (g gate) enter(ctx context.Context, until time.Time) error {
	select {
	case g <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case g <- struct{}{}:
		return nil
	case <-timer.C:
		return convert.Refuse(convert.Overloaded,
			"All work slots of the server are taken.",
			"Wait for the seconds that Retry-After gives, then try again.")
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g gate) leave() { <-g }
