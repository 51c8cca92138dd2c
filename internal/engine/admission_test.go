package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

const (
	light = convert.Light
	heavy = convert.Light + 1
)

// isOverloaded reports whether err is the rejection of a call that waited too long.
func isOverloaded(err error) bool {
	var failure *convert.Failure
	return errors.As(err, &failure) && failure.Code == convert.Overloaded
}

// withSlots runs a test with an engine of this many slots, on synctest's clock. A call waits for at most a second.
func withSlots(t *testing.T, slots int, test func(t *testing.T, e *Engine)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := &Engine{admission: newAdmission(slots, time.Second)}
		test(t, e)
		synctest.Wait()
		if a := e.admission; taken(a.slots)+taken(a.processors)+taken(a.readAhead)+int(a.waiting.Load()) != 0 {
			t.Errorf("still taken: %d slots, %d processors, %d read-ahead places; %d light calls wait",
				taken(a.slots), taken(a.processors), taken(a.readAhead), a.waiting.Load())
		}
	})
}

// acquire starts a call that must not wait.
func acquire(t *testing.T, e *Engine, weight int) *Slot {
	t.Helper()
	start := time.Now()
	_, slot := e.Slot(t.Context())
	if err := slot.Acquire(t.Context(), weight); err != nil || !time.Now().Equal(start) {
		t.Fatalf("weight %d: %v after %v", weight, err, time.Since(start))
	}
	return slot
}

// admit admits a request of this many bytes and returns how long it waited. The
// caller releases the slot even if that fails.
func admit(t *testing.T, e *Engine, bytes int64) (slot *Slot, arrived func(), waited time.Duration, err error) {
	t.Helper()
	start := time.Now()
	ctx, slot := e.Slot(t.Context())
	arrived, err = e.Admit(ctx, bytes)
	if (arrived == nil) == (err == nil) {
		t.Errorf("admitted: %v, and failed: %v", arrived != nil, err)
	}
	return slot, arrived, time.Since(start), err
}

func TestLightCallsPassHeavyOnes(t *testing.T) {
	withSlots(t, 4, func(t *testing.T, e *Engine) {
		running := []*Slot{acquire(t, e, heavy), acquire(t, e, heavy)}
		for range 20 { // wait in vain, before the light ones arrive
			go func() {
				ctx, slot := e.Slot(t.Context())
				defer slot.Release()
				if _, err := e.Admit(ctx, heavy); err == nil {
					err = slot.Acquire(ctx, heavy)
					if !isOverloaded(err) {
						t.Errorf("a third heavy call: %v", err)
					}
				}
			}()
		}
		synctest.Wait()
		running = append(running, acquire(t, e, light), acquire(t, e, light))
		if e.Busy() != 4 {
			t.Errorf("%d slots are busy", e.Busy())
		}
		start := time.Now()
		_, fifth := e.Slot(t.Context())
		if err := fifth.Acquire(t.Context(), light); !isOverloaded(err) || !time.Now().Equal(start.Add(time.Second)) {
			t.Errorf("a light call without a slot: %v after %v", err, time.Since(start))
		}
		time.Sleep(2 * time.Second) // until none waits
		for _, slot := range running {
			slot.Release()
		}
	})
}

// TestBurstOfLightCalls checks that light calls that arrive at once are served in order, as many as fit within the time
// that a call may wait, and that the others are rejected at once, before their bodies are read.
func TestBurstOfLightCalls(t *testing.T) {
	withSlots(t, 1, func(t *testing.T, e *Engine) {
		const took = 5 * time.Millisecond // so that 200 are done in a second
		var mutex sync.Mutex
		var order []int
		refused, late := 0, 0
		call := func(i int) {
			start := time.Now()
			ctx, slot := e.Slot(t.Context())
			defer slot.Release()
			arrived, err := e.Admit(ctx, light)
			if err == nil {
				arrived()
				err = slot.Acquire(ctx, light)
			}
			mutex.Lock()
			defer mutex.Unlock()
			switch {
			case err == nil:
				order = append(order, i)
				mutex.Unlock()
				time.Sleep(took)
				mutex.Lock()
			case isOverloaded(err):
				refused++
				if !time.Now().Equal(start) {
					late++
				}
			default:
				t.Error(err)
			}
		}
		for range 100 {
			call(0) // so that the duration of calls is known
		}
		order = nil
		for i := range 4000 {
			go call(i)
			synctest.Wait()
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if len(order) < 190 || len(order) > 210 || len(order)+refused != 4000 || late > 10 {
			t.Errorf("%d are served, %d refused, %d of them late", len(order), refused, late)
		}
		if !slices.IsSorted(order) {
			t.Errorf("served out of order: %v", order)
		}
	})
}

// TestOneSlowCall checks that one light call that takes long, because the system
// ran something else, does not make others be rejected.
func TestOneSlowCall(t *testing.T) {
	withSlots(t, 1, func(t *testing.T, e *Engine) {
		for i := range 100 {
			slot := acquire(t, e, light)
			if i == 99 {
				time.Sleep(time.Second / 2)
			}
			time.Sleep(time.Millisecond)
			slot.Release()
		}
		running := acquire(t, e, light)
		var served atomic.Int32
		for range 500 { // which take half of the time that they may wait
			go func() {
				_, slot := e.Slot(t.Context())
				defer slot.Release()
				if err := slot.Acquire(t.Context(), light); err == nil {
					served.Add(1)
					time.Sleep(time.Millisecond)
				}
			}()
			synctest.Wait()
		}
		running.Release()
		time.Sleep(time.Second)
		if n := served.Load(); n != 500 {
			t.Errorf("%d of 500 calls were served", n)
		}
	})
}

// TestNoQueueWait checks that if no call may wait, a light call is rejected before
// its body is read while all slots are taken.
func TestNoQueueWait(t *testing.T) {
	withSlots(t, 1, func(t *testing.T, e *Engine) {
		e.admission.queueWait = 0
		if _, _, _, err := admit(t, e, light); err != nil {
			t.Errorf("with a free slot: %v", err)
		}
		running := acquire(t, e, light)
		if _, _, _, err := admit(t, e, light); !isOverloaded(err) {
			t.Errorf("without a free slot: %v", err)
		}
		running.Release()
	})
}

// TestSlotsInOrder checks that calls get slots in order of arrival, as soon as one becomes free.
func TestSlotsInOrder(t *testing.T) {
	withSlots(t, 2, func(t *testing.T, e *Engine) {
		order := make(chan int, 12)
		for i := range 12 { // more than there are slots
			go func() {
				slot, arrived, _, err := admit(t, e, heavy)
				defer slot.Release()
				if err != nil {
					t.Errorf("call %d: %v", i, err)
					return
				}
				arrived()
				if err := slot.Acquire(t.Context(), heavy); err != nil {
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

// TestReadAhead checks that as many heavy requests as there are read-ahead places are read while they wait for a
// processor, and one more when a processor is taken. Light requests and those of unknown size are read at once.
func TestReadAhead(t *testing.T) {
	withSlots(t, 2, func(t *testing.T, e *Engine) {
		first := acquire(t, e, heavy)
		var seated []*Slot
		for range readAheadEach {
			slot, arrived, waited, err := admit(t, e, heavy)
			if err != nil || waited != 0 {
				t.Fatalf("while there are seats: %v after %v", err, waited)
			}
			arrived()
			arrived() // calling it again does no harm
			seated = append(seated, slot)
		}
		for _, bytes := range []int64{light, -1} {
			if _, _, waited, err := admit(t, e, bytes); err != nil || waited != 0 {
				t.Errorf("%d bytes: %v after %v", bytes, err, waited)
			}
		}
		time.AfterFunc(300*time.Millisecond, first.Release)
		var next sync.WaitGroup
		next.Go(func() {
			if err := seated[0].Acquire(t.Context(), heavy); err != nil {
				t.Error(err)
			}
		})
		slot, arrived, waited, err := admit(t, e, heavy)
		if err != nil || waited != 300*time.Millisecond {
			t.Fatalf("while all seats are taken: %v after %v", err, waited)
		}
		arrived()
		// It has 0.7 s left to wait.
		start := time.Now()
		if err := slot.Acquire(t.Context(), heavy); !isOverloaded(err) || time.Since(start) != 700*time.Millisecond {
			t.Errorf("after one that does not end: %v after %v", err, time.Since(start))
		}
		next.Wait()
		for _, slot := range append(seated, slot) {
			slot.Release()
		}
		time.Sleep(arrivalTime)
	})
}

// TestReadAheadLeavesTimeForSlot checks that a call that waits for a read-ahead
// place is rejected unread after three quarters of the time that it may wait.
func TestReadAheadLeavesTimeForSlot(t *testing.T) {
	withSlots(t, 2, func(t *testing.T, e *Engine) {
		all := []*Slot{acquire(t, e, heavy)}
		for range readAheadEach {
			slot, arrived, _, err := admit(t, e, heavy)
			check.OK(t, err)
			arrived()
			all = append(all, slot)
		}
		slot, _, waited, err := admit(t, e, heavy)
		if !isOverloaded(err) || waited != 3*time.Second/4 {
			t.Errorf("without a seat: %v after %v", err, waited)
		}
		for _, slot := range append(all, slot) {
			slot.Release()
		}
	})
}

// TestSlowBodies checks that a body that does not arrive loses its read-ahead
// place, and waits for another when it has arrived.
func TestSlowBodies(t *testing.T) {
	withSlots(t, 2, func(t *testing.T, e *Engine) {
		var slow []*Slot
		var arrive []func()
		for range readAheadEach {
			slot, arrived, _, err := admit(t, e, heavy)
			check.OK(t, err)
			slow, arrive = append(slow, slot), append(arrive, arrived)
		}
		quick, arrived, waited, err := admit(t, e, heavy)
		if err != nil || waited != arrivalTime {
			t.Fatalf("after slow bodies: %v after %v", err, waited)
		}
		arrived()
		check.OK(t, quick.Acquire(t.Context(), heavy))
		synctest.Wait()
		if n := taken(e.admission.readAhead); n != 0 {
			t.Errorf("%d slow bodies keep their seats", n)
		}
		time.AfterFunc(time.Second/2, quick.Release)
		start := time.Now()
		arrive[0]()
		if err := slow[0].Acquire(t.Context(), heavy); err != nil || time.Since(start) != time.Second/2 {
			t.Errorf("one that has come: %v after %v", err, time.Since(start))
		}
		for i := range slow {
			arrive[i]()
			slow[i].Release()
		}
	})
}

// TestUnderestimatedWeight checks that a call that turns out to be heavy returns
// its slot while it waits for a processor.
func TestUnderestimatedWeight(t *testing.T) {
	withSlots(t, 2, func(t *testing.T, e *Engine) {
		first, grown := acquire(t, e, heavy), acquire(t, e, light)
		time.AfterFunc(time.Second/2, first.Release)
		go func() {
			synctest.Wait()
			acquire(t, e, light).Release()
		}()
		start := time.Now()
		if err := grown.Acquire(t.Context(), heavy); err != nil || time.Since(start) != time.Second/2 {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if err := grown.Acquire(t.Context(), heavy); err != nil || taken(e.admission.processors) != 1 || e.Busy() != 1 {
			t.Errorf("%v; %d slots, %d slots", err, taken(e.admission.processors), e.Busy())
		}
		if err := grown.Acquire(t.Context(), light); err != nil || taken(e.admission.processors) != 1 {
			t.Errorf("a slot that is there is kept: %v", err)
		}
		grown.Release()
		grown.Release()
	})
}

func TestDepartedClientIsNotRefused(t *testing.T) {
	withSlots(t, 2, func(t *testing.T, e *Engine) {
		first := acquire(t, e, heavy)
		for range readAheadEach {
			go func() {
				_, slot := e.Slot(t.Context())
				defer slot.Release()
				_ = slot.Acquire(t.Context(), heavy)
			}()
		}
		synctest.Wait()
		gone, leave := context.WithCancel(t.Context())
		leave()
		ctx, slot := e.Slot(gone)
		if _, err := e.Admit(ctx, heavy); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := slot.Acquire(ctx, heavy); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		slot.Release()
		first.Release()
	})
}

// TestWeigh checks that a call weighs what its tools report for its input, step by step.
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
