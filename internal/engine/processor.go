package engine

import (
	"runtime"
	"time"
)

// A heavy call keeps its processor for timeSlice, some fifty times what yielding
// costs; a light call may have to wait for that. When yielding has taken longer
// than otherShare times as long, because light calls ran, the next slice is that
// time divided by otherShare, so that the heavy call gets on among however many.
const (
	timeSlice  = 200 * time.Microsecond
	otherShare = 9
)

// processor lets one heavy call run at a time, which yields at the end of each
// time slice. Processors pass from call to call, so that many short ones in a
// row yield like a long one.
type processor struct {
	queue  *queue
	ends   time.Time // of the time slice
	yields func()    // lets others run
}

// yield lets others run if the time slice is over at this time. Heavy calls call
// it often; light ones, which have no processor, on nil.
func (p *processor) yield(now time.Time) {
	if p == nil || now.Before(p.ends) {
		return
	}
	slice := timeSlice
	if p.queue.taken() >= runtime.GOMAXPROCS(0) { // else another one looks at the network
		p.yields()
		ran := time.Now()
		slice, now = max(slice, ran.Sub(now)/otherShare), ran
	}
	p.ends = now.Add(slice)
}

// newYield returns a function that lets every other goroutine run, including
// those that the network has something for. Go's scheduler looks at the network
// only when a processor has nothing else to do, or every 10 ms, and after
// runtime.Gosched there is always the goroutine that called it. So the function
// waits for an event of the network of its own: then the processor has nothing
// to do, looks, and finds that event together with what has come for others,
// which then goes first.
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
