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
				for range room {
					if err := s.take(t.Context(), work); err != nil {
						t.Fatal(err)
					}
				}
				for range seats {
					if s.full(work) {
						t.Fatal("full before every seat is taken")
					}
					go func() {
						if err := s.take(t.Context(), work); !isOverloaded(err) {
							t.Errorf("one that waited in vain: %v", err)
						}
					}()
					synctest.Wait()
				}
				begin := time.Now()
				if err := s.take(t.Context(), work); !isOverloaded(err) || time.Since(begin) != 0 || !s.full(work) {
					t.Errorf("one too many: %v after %v, full: %v", err, time.Since(begin), s.full(work))
				}
				if work == largeWork && s.full(smallWork) {
					t.Error("large calls fill the queue of small ones")
				}
				time.Sleep(2 * time.Second)
				if s.full(work) {
					t.Error("still full when nobody waits")
				}
			})
		})
	}
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
