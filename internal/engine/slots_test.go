package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/convert"
)

const largeWork = smallWork + 1

// isOverloaded reports whether an error is the refusal of a full house.
func isOverloaded(err error) bool {
	var failure *convert.Failure
	return errors.As(err, &failure) && failure.Code == convert.Overloaded
}

func TestLargeCallsLeaveSlotsToSmallOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlots(4, time.Second)
		for range 2 {
			if err := s.take(t.Context(), largeWork); err != nil {
				t.Fatal(err)
			}
		}
		go func() { // a large call waits in front of the small ones
			if err := s.take(t.Context(), largeWork); !isOverloaded(err) {
				t.Errorf("a third large call: %v", err)
			}
		}()
		synctest.Wait()
		begin := time.Now()
		for range 2 {
			if err := s.take(t.Context(), smallWork); err != nil {
				t.Fatal(err)
			}
		}
		if waited := time.Since(begin); waited != 0 || s.busy() != 4 {
			t.Errorf("small calls waited %v, %d slots are busy", waited, s.busy())
		}
		if err := s.take(t.Context(), smallWork); !isOverloaded(err) || time.Since(begin) != time.Second {
			t.Errorf("a fifth call: %v after %v", err, time.Since(begin))
		}
	})
}

func TestSlotsComeBack(t *testing.T) {
	s := newSlots(2, 0)
	for range 3 {
		if err := s.take(t.Context(), largeWork); err != nil {
			t.Fatal(err)
		}
		if err := s.take(t.Context(), largeWork); !isOverloaded(err) {
			t.Fatalf("two large calls in two slots: %v", err)
		}
		if err := s.take(t.Context(), smallWork); err != nil {
			t.Fatal(err)
		}
		s.give(smallWork)
		s.give(largeWork)
	}
	for range 2 {
		if err := s.take(t.Context(), smallWork); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.take(t.Context(), largeWork); !isOverloaded(err) {
		t.Fatalf("a large call in a full house: %v", err)
	}
	s.give(smallWork)
	if err := s.take(t.Context(), largeWork); err != nil {
		t.Errorf("the refused call kept its place among the large ones: %v", err)
	}
}

func TestQueuesAreBounded(t *testing.T) {
	for name, work := range map[string]int{"small": smallWork, "large": largeWork} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSlots(2, time.Second)
				room, seats := 2, 2*smallQueue
				if work == largeWork {
					room, seats = 1, largeQueue
				}
				occupy(t, s, work, room, seats)
				begin := time.Now()
				if err := s.take(t.Context(), work); !isOverloaded(err) || time.Since(begin) != 0 {
					t.Errorf("one too many: %v after %v", err, time.Since(begin))
				}
				time.Sleep(2 * time.Second) // until nobody waits
			})
		})
	}
}

// occupy takes the slots and fills the queue behind them with calls that wait
// in vain.
func occupy(t *testing.T, s slots, work, room, seats int) {
	t.Helper()
	for range room {
		if err := s.take(t.Context(), work); err != nil {
			t.Fatal(err)
		}
	}
	for range seats {
		go func() {
			if err := s.take(t.Context(), work); !isOverloaded(err) {
				t.Errorf("one that waited in vain: %v", err)
			}
		}()
	}
	synctest.Wait()
}

func TestAdmission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlots(2, time.Second)
		occupy(t, s, largeWork, 1, largeQueue/2-1)
		begin := time.Now()
		admit := func(ctx context.Context, work int) (func(), error) {
			arrived, err := s.admit(ctx, work)
			if (arrived == nil) == (err == nil) {
				t.Errorf("admitted: %v, and failed: %v", arrived != nil, err)
			}
			return arrived, err
		}
		arrived, err := admit(t.Context(), largeWork)
		if err != nil || time.Since(begin) != 0 {
			t.Fatalf("while half of the seats are free: %v after %v", err, time.Since(begin))
		}
		// Its body takes a seat until it has arrived.
		if _, err := admit(t.Context(), smallWork); err != nil || time.Since(begin) != 0 {
			t.Errorf("small work behind a queue of large: %v after %v", err, time.Since(begin))
		}
		if !s.busyQueue(largeWork) {
			t.Error("a body that is coming has no seat")
		}
		arrived()
		arrived()
		if s.busyQueue(largeWork) {
			t.Error("a body that has arrived keeps its seat")
		}
		// A slow one keeps it for a while only.
		if _, err := admit(t.Context(), largeWork); err != nil {
			t.Fatal(err)
		}
		time.Sleep(arrival - time.Nanosecond)
		if !s.busyQueue(largeWork) {
			t.Error("a body's seat is lost too early")
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if s.busyQueue(largeWork) {
			t.Error("a slow body keeps its seat")
		}
		time.Sleep(2 * time.Second) // until nobody waits
	})
}

func TestAdmissionWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlots(2, time.Second)
		occupy(t, s, largeWork, 1, largeQueue/2)
		begin := time.Now()
		gone, leave := context.WithCancel(t.Context())
		leave()
		if _, err := s.admit(gone, largeWork); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		// The queue gives up after a second, as those that wait outside do;
		// who comes later gets in then.
		go func() {
			if _, err := s.admit(t.Context(), largeWork); !isOverloaded(err) {
				t.Errorf("one that waited outside in vain: %v", err)
			}
		}()
		time.Sleep(500 * time.Millisecond)
		if _, err := s.admit(t.Context(), largeWork); err != nil {
			t.Errorf("one that waited until the queue was empty: %v", err)
		}
		if waited := time.Since(begin); waited < time.Second || waited > time.Second+2*admitPause {
			t.Errorf("let in after %v", waited)
		}
	})
}

func TestWhoGoesAwayIsNotRefused(t *testing.T) {
	s := newSlots(1, time.Minute)
	if err := s.take(t.Context(), smallWork); err != nil {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := s.take(gone, largeWork); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
