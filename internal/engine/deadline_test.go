package engine

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A limited context ends like one of context.WithDeadline.
func TestLimited(t *testing.T) {
	for name, parentEnds := range map[string]time.Duration{"parent never": 0, "parent later": time.Hour, "parent earlier": time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				parent, leave := context.WithCancel(t.Context())
				defer leave()
				if parentEnds > 0 {
					var cancel context.CancelFunc
					parent, cancel = context.WithTimeout(parent, parentEnds)
					defer cancel()
				}
				end := time.Now().Add(time.Minute)
				want, cancel := context.WithDeadline(parent, end)
				defer cancel()
				got := &limited{Context: parent, end: end}
				if got.Err() != nil {
					t.Fatal("ended at once:", got.Err())
				}
				gotEnd, ends := got.Deadline()
				if wantEnd, _ := want.Deadline(); !ends || !gotEnd.Equal(wantEnd) {
					t.Errorf("the deadline is %v (%v), want %v", gotEnd, ends, wantEnd)
				}
				<-got.Done()
				<-want.Done()
				if !time.Now().Equal(gotEnd) || got.Err() != want.Err() {
					t.Errorf("ended at %v with %v, want %v with %v", time.Now(), got.Err(), gotEnd, want.Err())
				}
			})
		})
	}
}

func TestLimitedEndsWithItsParent(t *testing.T) {
	parent, leave := context.WithCancel(t.Context())
	ctx := &limited{Context: parent, end: time.Now().Add(time.Hour)}
	done := ctx.Done()
	if again := ctx.Done(); again != done { // otherwise a loop over it would create a timer each time
		t.Error("each Done makes a channel of its own")
	}
	leave()
	<-done
	if ctx.Err() != context.Canceled {
		t.Error(ctx.Err())
	}
}
