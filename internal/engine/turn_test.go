package engine

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

const (
	light = convert.Light
	heavy = convert.Light + 1
)

// isOverloaded reports whether an error is the refusal of a full house.
func isOverloaded(err error) bool {
	var failure *convert.Failure
	return errors.As(err, &failure) && failure.Code == convert.Overloaded
}

// inHouse runs a test with an engine of so many slots, on synctest's clock, in
// which a call waits for at most a second.
func inHouse(t *testing.T, slots int, test func(t *testing.T, e *Engine)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := &Engine{house: newHouse(slots, time.Second)}
		test(t, e)
		synctest.Wait()
		if h := e.house; len(h.slots)+h.turns.taken()+len(h.seats)+len(h.turns.waiting) != 0 {
			t.Errorf("still taken: %d slots, %d turns, %d seats; %d wait", len(h.slots), h.turns.taken(), len(h.seats), len(h.turns.waiting))
		}
	})
}

// begin begins a call that must not wait.
func begin(t *testing.T, e *Engine, weight int) *Turn {
	t.Helper()
	start := time.Now()
	_, turn := e.Turn(t.Context())
	if err := turn.begin(t.Context(), weight); err != nil || time.Since(start) != 0 {
		t.Fatalf("weight %d: %v after %v", weight, err, time.Since(start))
	}
	return turn
}

// admit admits a request of so many bytes, and says when it came in; the turn
// is ended if it fails.
func admit(t *testing.T, e *Engine, bytes int64) (turn *Turn, arrived func(), waited time.Duration, err error) {
	t.Helper()
	start := time.Now()
	ctx, turn := e.Turn(t.Context())
	arrived, err = e.Admit(ctx, bytes)
	if (arrived == nil) == (err == nil) {
		t.Errorf("admitted: %v, and failed: %v", arrived != nil, err)
	}
	return turn, arrived, time.Since(start), err
}

func TestLightCallsPassHeavyOnes(t *testing.T) {
	inHouse(t, 4, func(t *testing.T, e *Engine) {
		running := []*Turn{begin(t, e, heavy), begin(t, e, heavy)}
		for range 20 { // wait in front of the light ones, in vain
			go func() {
				ctx, turn := e.Turn(t.Context())
				defer turn.End()
				if _, err := e.Admit(ctx, heavy); err == nil {
					err = turn.begin(ctx, heavy)
					if !isOverloaded(err) {
						t.Errorf("a third heavy call: %v", err)
					}
				}
			}()
		}
		synctest.Wait()
		running = append(running, begin(t, e, light), begin(t, e, light))
		if e.Busy() != 4 {
			t.Errorf("%d slots are busy", e.Busy())
		}
		start := time.Now()
		_, fifth := e.Turn(t.Context())
		if err := fifth.Begin(t.Context(), light); err != nil {
			t.Errorf("a light body waits for a slot: %v", err)
		}
		if err := fifth.begin(t.Context(), light); !isOverloaded(err) || time.Since(start) != time.Second/4 {
			t.Errorf("a light call in a full house: %v after %v", err, time.Since(start))
		}
		time.Sleep(2 * time.Second) // until nobody waits
		for _, turn := range running {
			turn.End()
		}
	})
}

// TestTurnsInOrder: who waits for a turn gets it in the order of coming, at the
// moment when one ends.
func TestTurnsInOrder(t *testing.T) {
	inHouse(t, 2, func(t *testing.T, e *Engine) {
		order := make(chan int, 12)
		for i := range 12 { // more than there are seats
			go func() {
				turn, arrived, _, err := admit(t, e, heavy)
				defer turn.End()
				if err != nil {
					t.Errorf("call %d: %v", i, err)
					return
				}
				arrived()
				if err := turn.begin(t.Context(), heavy); err != nil {
					t.Errorf("call %d: %v", i, err)
					return
				}
				order <- i
				time.Sleep(10 * time.Millisecond)
			}()
			synctest.Wait()
		}
		start := time.Now()
		for len(order) < 12 && time.Since(start) < time.Minute {
			time.Sleep(time.Millisecond)
		}
		if took := time.Since(start); took < 110*time.Millisecond || took > 112*time.Millisecond {
			t.Errorf("twelve calls of 10 ms began within %v", took)
		}
		for i := range cap(order) {
			if n := <-order; n != i {
				t.Errorf("call %d began as number %d", n, i)
			}
		}
		time.Sleep(time.Second)
	})
}

// TestReadAhead: as many heavy requests as there are seats are read while they
// wait for a turn, and one more when a turn is taken; light ones and those whose
// size is not known are read at once.
func TestReadAhead(t *testing.T) {
	inHouse(t, 2, func(t *testing.T, e *Engine) {
		first := begin(t, e, heavy)
		var seated []*Turn
		for range seatsForTurn {
			turn, arrived, waited, err := admit(t, e, heavy)
			if err != nil || waited != 0 {
				t.Fatalf("while there are seats: %v after %v", err, waited)
			}
			arrived()
			arrived() // once more does no harm
			seated = append(seated, turn)
		}
		for _, bytes := range []int64{light, -1} {
			if _, _, waited, err := admit(t, e, bytes); err != nil || waited != 0 {
				t.Errorf("%d bytes: %v after %v", bytes, err, waited)
			}
		}
		time.AfterFunc(300*time.Millisecond, first.End)
		var next sync.WaitGroup
		next.Go(func() {
			if err := seated[0].begin(t.Context(), heavy); err != nil {
				t.Error(err)
			}
		})
		turn, arrived, waited, err := admit(t, e, heavy)
		if err != nil || waited != 300*time.Millisecond {
			t.Fatalf("while all seats are taken: %v after %v", err, waited)
		}
		arrived()
		// Of its patience 0.7 s are left.
		start := time.Now()
		if err := turn.begin(t.Context(), heavy); !isOverloaded(err) || time.Since(start) != 700*time.Millisecond {
			t.Errorf("behind one that does not end: %v after %v", err, time.Since(start))
		}
		next.Wait()
		for _, turn := range append(seated, turn) {
			turn.End()
		}
		time.Sleep(arrival)
	})
}

// TestPatienceIsLeftForTheTurn: who waits for a seat is refused, unread, when
// three quarters of its patience are over.
func TestPatienceIsLeftForTheTurn(t *testing.T) {
	inHouse(t, 2, func(t *testing.T, e *Engine) {
		all := []*Turn{begin(t, e, heavy)}
		for range seatsForTurn {
			turn, arrived, _, err := admit(t, e, heavy)
			if err != nil {
				t.Fatal(err)
			}
			arrived()
			all = append(all, turn)
		}
		turn, _, waited, err := admit(t, e, heavy)
		if !isOverloaded(err) || waited != 3*time.Second/4 {
			t.Errorf("without a seat: %v after %v", err, waited)
		}
		for _, turn := range append(all, turn) {
			turn.End()
		}
	})
}

// TestSlowBodies: a body that does not come loses its seat, and when it has come
// it waits for another.
func TestSlowBodies(t *testing.T) {
	inHouse(t, 2, func(t *testing.T, e *Engine) {
		var slow []*Turn
		var arrive []func()
		for range seatsForTurn {
			turn, arrived, _, err := admit(t, e, heavy)
			if err != nil {
				t.Fatal(err)
			}
			slow, arrive = append(slow, turn), append(arrive, arrived)
		}
		quick, arrived, waited, err := admit(t, e, heavy)
		if err != nil || waited != arrival {
			t.Fatalf("behind slow bodies: %v after %v", err, waited)
		}
		arrived()
		if err := quick.begin(t.Context(), heavy); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := len(e.house.seats); n != 0 {
			t.Errorf("%d slow bodies keep their seats", n)
		}
		time.AfterFunc(time.Second/2, quick.End)
		start := time.Now()
		arrive[0]()
		if err := slow[0].begin(t.Context(), heavy); err != nil || time.Since(start) != time.Second/2 {
			t.Errorf("one that has come: %v after %v", err, time.Since(start))
		}
		for i := range slow {
			arrive[i]()
			slow[i].End()
		}
	})
}

// TestHeavierThanThought: a call that turns out to be heavy gives its slot to
// others while it waits for a turn.
func TestHeavierThanThought(t *testing.T) {
	inHouse(t, 2, func(t *testing.T, e *Engine) {
		first, grown := begin(t, e, heavy), begin(t, e, light)
		time.AfterFunc(time.Second/2, first.End)
		go func() {
			synctest.Wait()
			begin(t, e, light).End()
		}()
		start := time.Now()
		if err := grown.begin(t.Context(), heavy); err != nil || time.Since(start) != time.Second/2 {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if err := grown.begin(t.Context(), heavy); err != nil || e.house.turns.taken() != 1 || e.Busy() != 1 {
			t.Errorf("%v; %d turns, %d slots", err, e.house.turns.taken(), e.Busy())
		}
		if err := grown.begin(t.Context(), light); err != nil || e.house.turns.taken() != 1 {
			t.Errorf("a turn that is there is kept: %v", err)
		}
		grown.End()
		grown.End()
	})
}

func TestWhoGoesAwayIsNotRefused(t *testing.T) {
	inHouse(t, 2, func(t *testing.T, e *Engine) {
		first := begin(t, e, heavy)
		for range seatsForTurn {
			go func() {
				_, turn := e.Turn(t.Context())
				defer turn.End()
				_ = turn.begin(t.Context(), heavy)
			}()
		}
		synctest.Wait()
		gone, leave := context.WithCancel(t.Context())
		leave()
		ctx, turn := e.Turn(gone)
		if _, err := e.Admit(ctx, heavy); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := turn.begin(ctx, heavy); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		turn.End()
		first.End()
	})
}

// TestWeigh: a call weighs what its tools say of its input, step by step.
func TestWeigh(t *testing.T) {
	e := &Engine{tools: map[string]convert.Tool{
		"plain":  {},
		"indent": {Weight: func(in convert.Input) int { return len(in.Value) * in.Options.Int("indent") }},
	}}
	step := func(name string, indent int) contract.Step {
		return contract.Step{Tool: &contract.Tool{Name: name}, Options: convert.Options{"indent": indent}}
	}
	call := contract.Call{Input: convert.Artifact{Value: "12345"}, Steps: []contract.Step{step("plain", 9), step("indent", 2), step("indent", 4)}}
	if got := e.weigh(call); got != 5+10+20 {
		t.Errorf("%d", got)
	}
}
