//go:build unix

package engine

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// takeTurn begins a heavy call, outside of synctest's clock.
func takeTurn(t *testing.T, e *Engine) *Turn {
	t.Helper()
	_, turn := e.Turn(t.Context())
	if err := turn.begin(t.Context(), heavy); err != nil {
		t.Fatal(err)
	}
	return turn
}

// TestYieldLooksAtTheNetwork: with one processor, which a heavy call has, what
// has come for another goroutine is found, and handled, while the call yields.
func TestYieldLooksAtTheNetwork(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	network, client, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer network.Close()
	defer client.Close()
	e := &Engine{house: newHouse(2, time.Second)}
	heavyOne := takeTurn(t, e)
	defer heavyOne.End()
	var handled atomic.Int64
	go func() {
		for one := make([]byte, 1); ; handled.Add(1) {
			if n, _ := network.Read(one); n == 0 {
				return
			}
		}
	}()
	time.Sleep(10 * time.Millisecond) // until it waits
	const rounds = 200
	late := 0
	for i := range int64(rounds) {
		if _, err := client.Write([]byte{1}); err != nil {
			t.Fatal(err)
		}
		heavyOne.lane.yield(time.Now().Add(time.Hour))
		// Now and then the scheduler prefers who has yielded, by a count of its own.
		switch got := handled.Load(); {
		case got < i:
			t.Fatalf("%d of %d are handled when the call goes on", got, i+1)
		case got == i:
			late++
		}
		heavyOne.lane.due = time.Time{}
	}
	if late > rounds/3 { // every other one, if it only waits for the bell
		t.Errorf("%d of %d wait for a further piece of the call", late, rounds)
	}
}

// TestYieldGetsOn: who has given away much time keeps a part of it for itself.
func TestYieldGetsOn(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	e := &Engine{house: newHouse(2, time.Second)}
	heavyOne := takeTurn(t, e)
	defer heavyOne.End()
	const taken = 40 * time.Millisecond
	for range 3 { // the scheduler may prefer who has yielded, but not every time
		var others sync.WaitGroup
		others.Go(func() {
			for start := time.Now(); time.Since(start) < taken; {
			}
		})
		heavyOne.lane.due = time.Time{}
		heavyOne.lane.yield(time.Now())
		kept := time.Until(heavyOne.lane.due)
		others.Wait()
		if kept > taken/gaveShare/2 {
			return
		}
	}
	t.Error("the next piece is as short as ever")
}

// TestYieldWhenAPieceIsDone: a call yields once for each piece, and only while
// every processor has a heavy one.
func TestYieldWhenAPieceIsDone(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	e := &Engine{house: newHouse(4, time.Second)}
	start := time.Now()
	one := takeTurn(t, e)
	if one.lane.due.Before(start) {
		t.Error("a call that gets its turn does not look whether the piece of those before it is done")
	}
	one.lane.due = time.Time{}
	if err := one.begin(t.Context(), light); err != nil || one.lane.due.Before(start) {
		t.Errorf("nor one that begins to run: %v", err)
	}
	start = time.Now()
	one.lane.due = start
	one.lane.yield(start.Add(-1))
	if one.lane.due != start {
		t.Error("it yields before its piece is done")
	}
	one.lane.yield(start)
	if one.lane.due != start.Add(pieceTime) || one.lane.bell != nil {
		t.Errorf("with a processor to spare: the next piece ends %v later, a bell: %v", one.lane.due.Sub(start), one.lane.bell)
	}
	two := takeTurn(t, e)
	one.lane.due = start
	one.lane.yield(start)
	if one.lane.bell == nil || !one.lane.due.After(start.Add(pieceTime)) {
		t.Errorf("without one: the next piece ends %v later, a bell: %v", one.lane.due.Sub(start), one.lane.bell)
	}
	one.End()
	two.End()
	(*lane)(nil).yield(start) // a light call has none
}
