package engine

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/check"
)

// TestSmallerInputsFirst checks that a smaller call goes before waiting larger
// ones, but not before one that arrived long before it.
func TestSmallerInputsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1)
		running := check.Value(q.take(t.Context(), 500_000, time.Second))(t)
		var order []string
		for _, calq := range []struct {
			name   string
			weight int
			after  time.Duration // the one before it
		}{
			{"large, at 0", 500_000, 0},
			{"large, at 20 ms", 500_000, 20 * time.Millisecond},
			{"small, at 43 ms", 60_000, 23 * time.Millisecond},
			{"small, at 45 ms", 60_000, 2 * time.Millisecond},
			{"small too, at 45 ms", 60_000, 0},
		} {
			time.Sleep(calq.after)
			go func() {
				got, err := q.take(t.Context(), calq.weight, time.Second)
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, calq.name)
				q.leave(got)
			}()
			synctest.Wait()
		}
		q.leave(running)
		synctest.Wait()
		want := []string{"small, at 43 ms", "large, at 0", "small, at 45 ms", "small too, at 45 ms", "large, at 20 ms"}
		if !slices.Equal(order, want) {
			t.Errorf("%q", order)
		}
		if q.taken() != 0 {
			t.Errorf("%d are taken", q.taken())
		}
	})
}

// TestGivingUp checks that a call that goes away or times out leaves the queue,
// and that a processor it got meanwhile is not lost.
func TestGivingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1)
		running, _ := q.take(t.Context(), 1, time.Second)
		start := time.Now()
		if _, err := q.take(t.Context(), 1, time.Second); !isOverloaded(err) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if _, err := q.take(gone, 1, time.Second); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		late := q.join(1)
		q.leave(running)
		q.giveUp(late) // at the moment when it got its processor
		if q.taken() != 0 || len(q.waiting) != 0 {
			t.Errorf("%d are taken, %d wait", q.taken(), len(q.waiting))
		}
	})
}
