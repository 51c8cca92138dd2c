package engine

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestSmallerOnesFirst: of those that wait for a turn a smaller one goes before
// larger ones, but not before one that came long before it.
func TestSmallerOnesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(1)
		running, err := l.take(t.Context(), 500_000, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for _, call := range []struct {
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
			time.Sleep(call.after)
			go func() {
				got, err := l.take(t.Context(), call.weight, time.Second)
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, call.name)
				l.leave(got)
			}()
			synctest.Wait()
		}
		l.leave(running)
		synctest.Wait()
		want := []string{"small, at 43 ms", "large, at 0", "small, at 45 ms", "small too, at 45 ms", "large, at 20 ms"}
		if !slices.Equal(order, want) {
			t.Errorf("%q", order)
		}
		if l.taken() != 0 {
			t.Errorf("%d are taken", l.taken())
		}
	})
}

// TestGivingUp: who goes away or has no patience left is no longer waited for,
// and what it got meanwhile is not lost.
func TestGivingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(1)
		running, _ := l.take(t.Context(), 1, time.Second)
		start := time.Now()
		if _, err := l.take(t.Context(), 1, time.Second); !isOverloaded(err) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if _, err := l.take(gone, 1, time.Second); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		late := l.join(1)
		l.leave(running)
		l.giveUp(late) // in the moment when its turn came
		if l.taken() != 0 || len(l.waiting) != 0 {
			t.Errorf("%d are taken, %d wait", l.taken(), len(l.waiting))
		}
	})
}
