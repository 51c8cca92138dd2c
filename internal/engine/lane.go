package engine

import (
	"runtime"
	"time"
)

// pieceTime is how long a heavy call keeps its processor before it steps aside.
// It is what a light call may have to wait for, and some fifty times what stepping
// aside costs. When light calls have kept it waiting for more than gaveShare
// times as long, it keeps its processor for the gaveShare-th part of that, so
// that it gets on among however many.
const (
	pieceTime = 200 * time.Microsecond
	gaveShare = 9
)

// lane is a turn, which a heavy call has while it runs: a clock that tells it to step
// aside, and the bell by which it does. It goes from call to call, as the
// processor does, so that many short ones in a row step aside like a long one.
type lane struct {
	line *line
	due  time.Time
	bell *bell // made when it is needed first
}

// yield lets everybody else run, those too that the network has something for,
// when a piece of work is done, which is looked up by now. A heavy call does so
// between its pieces; a nil lane is a call's that is none.
//
// Go's scheduler looks at the network when a processor has nothing else to do.
// With a heavy call on each that is when they end, or every 10 ms; runtime.Gosched
// does not change it, for there is always the call that yields. So it rings a
// bell and waits for it, which is an event of the network like all others: the
// processor has nothing to do then, looks, and finds it together with what has
// come for others. While a processor is without a heavy call, that one looks.
func (l *lane) yield(now time.Time) {
	if l == nil || now.Before(l.due) {
		return
	}
	piece := pieceTime
	if l.line.taken() >= runtime.GOMAXPROCS(0) {
		if l.bell == nil {
			l.bell = newBell()
		}
		left := time.Now()
		l.bell.wait()
		runtime.Gosched() // what has come was found with the bell, and goes first
		now = time.Now()
		piece = max(piece, now.Sub(left)/gaveShare)
	}
	l.due = now.Add(piece)
}
