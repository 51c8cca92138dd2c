//go:build unix

package engine

import (
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/check"
)

// takeProcessor starts a heavy call, outside synctest's clock.
func takeProcessor(t *testing.T, e *Engine) *Slot {
	t.Helper()
	_, slot := e.Slot(t.Context())
	check.OK(t, slot.Acquire(t.Context(), heavy))
	return slot
}

// TestYieldPollsNetwork checks that while a heavy call has the only processor, network events for another goroutine are
// found and handled when the call yields.
func TestYieldPollsNetwork(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	network, client, err := os.Pipe()
	check.OK(t, err)
	defer network.Close()
	defer client.Close()
	e := &Engine{admission: newAdmission(2, time.Hour)}
	call := takeProcessor(t, e)
	defer call.Release()
	var handled atomic.Int64
	go func() {
		for one := make([]byte, 1); ; handled.Add(1) {
			if n, _ := network.Read(one); n == 0 {
				return
			}
		}
	}()
	const rounds = 200
	late := 0
	for i := range int64(rounds) {
		if _, err := client.Write([]byte{1}); err != nil {
			t.Fatal(err)
		}
		call.processor.ends = time.Time{}
		call.processor.yield(time.Now())
		if handled.Load() <= i { // now and then the scheduler prefers the goroutine that yielded
			late++
		}
	}
	if late > rounds/3 { // every other one, if it only waits for the wakeup
		t.Errorf("%d of %d wait for a further time slice", late, rounds)
	}
}

// TestTimeSlices checks that a call yields once per time slice, only while every processor has a heavy call, and that
// one that yielded for long gets a longer slice.
func TestTimeSlices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := runtime.GOMAXPROCS(0)
		free := newAdmission(2*all, 0).processors
		yielded, others := 0, time.Duration(0)
		take := func() *processor {
			p := <-free
			p.yields = func() { yielded++; time.Sleep(others) }
			return p
		}
		p := take()
		for range all - 2 {
			take()
		}
		for _, test := range []struct {
			last    bool // every processor has a call
			passed  time.Duration
			others  time.Duration
			yielded int
			slice   time.Duration
		}{
			{passed: 0, yielded: 0, slice: timeSlice}, // the first check of the time
			{passed: timeSlice - 1, yielded: 0, slice: 1},
			{passed: 1, yielded: 0, slice: timeSlice},
			{last: true, passed: timeSlice, yielded: 1, slice: timeSlice},
			{passed: timeSlice - 1, yielded: 1, slice: 1},
			{passed: 1, others: otherShare * timeSlice, yielded: 2, slice: timeSlice},
			{passed: timeSlice, others: 40 * time.Millisecond, yielded: 3, slice: 40 * time.Millisecond / otherShare},
		} {
			if test.last && all > 1 {
				take()
			}
			if all == 1 && test.yielded == 0 {
				continue // the only processor yields from the start
			}
			time.Sleep(test.passed)
			others = test.others
			p.yield(time.Now())
			if slice := time.Until(p.ends); yielded != test.yielded || slice != test.slice {
				t.Errorf("%+v: yielded %d times, the slice ends in %v", test, yielded, slice)
			}
		}
		(*processor)(nil).yield(time.Now()) // a light call has none
	})
}
