package engine

import (
	"runtime"
	"time"
)

// A heavy call keeps its processor for timeSlice, about fifty times the cost of yielding. A light call may have to wait
// that long. If yielding took longer than otherShare time slices because light calls ran, the next slice is that time
// divided by otherShare, so that the heavy call makes progress among any number of light ones.
const (
	timeSlice  = 200 * time.Microsecond
	otherShare = 9
)

// processor lets one heavy call run at a time, which yields at the end of each time slice. Processors pass from call to
// call, so many short calls in a row yield like a long one.
type processor struct {
	all    chan *processor // the free ones
	ends   time.Time       // end of the time slice
	yields func()          // lets others run
}

// yield lets others run if the time slice has ended by now. Heavy calls call it
// often. Light ones, which have no processor, call it on nil.
func (p *processor) yield(now time.Time) {
	if p == nil || now.Before(p.ends) {
		return
	}
	slice := timeSlice
	if taken(p.all) >= runtime.GOMAXPROCS(0) { // otherwise another processor polls the network
		p.yields()
		ran := time.Now()
		slice, now = max(slice, ran.Sub(now)/otherShare), ran
	}
	p.ends = now.Add(slice)
}

// newYield returns a function that lets every other goroutine run, including those with pending network events. Go's
// scheduler polls the network only when a processor is idle, or every 10 ms; after runtime.Gosched the calling
// goroutine is always runnable. The function therefore waits for a network event of its own: the processor becomes
// idle, polls, and finds that event together with those of other goroutines, which run first.
func newYield() func() {
	var w *wakeup
	return func() {
		if w == nil {
			w = newWakeup()
		}
		w.wait()
		runtime.Gosched()
	}
}
