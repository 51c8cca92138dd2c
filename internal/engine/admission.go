package engine

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

// admission bounds how many calls run at once. Light calls overtake heavy ones,
// and each processor runs one heavy call at a time:
//
//	light ─→ read ──────────────→ slot ─────────────→ decode, convert, encode ─→ respond
//	heavy ─→ read-ahead ─→ read ─→ processor and slot ─→ decode, convert, encode ─→ respond
//
// A call is heavy if it weighs more than convert.Light. Its tool reports its weight; until that is known, the length of
// its body counts. A light call takes some hundred microseconds and needs only a slot. There are two slots per
// processor.
//
// A heavy call takes milliseconds and some 20 MiB, so it also needs a processor: running more of them at once would
// only make each finish later. Decoding the body and encoding the response happen on that processor too; reading and
// writing, which depend on the client, do not. Calls wait for a processor unread, in the kernel's buffers. Only calls
// with a read-ahead place are read while they wait. A body that is slow to arrive loses its place and takes another one
// when it has arrived. While every processor runs a heavy call, each of these yields at short intervals, so that light
// calls run in between (see processor).
//
// A call waits for at most queueWait in all; then it fails with overloaded. If the calls before it show that a light
// call would wait longer, it is rejected before its body is read.
type admission struct {
	slots, readAhead chan struct{}   // the free ones; calls wait for them in order of arrival
	processors       chan *processor // likewise
	queueWait        time.Duration

	waiting  atomic.Int64 // light calls that wait for a slot
	slotTime atomic.Int64 // how long light calls hold one, in nanoseconds, averaged
}

const (
	readAheadEach = 4                      // places per processor
	arrivalTime   = 100 * time.Millisecond // how long a body may keep its place
)

// newAdmission returns an admission with n slots and processors for half of them.
func newAdmission(n int, queueWait time.Duration) *admission {
	processors := max(n/2, 1)
	a := &admission{
		slots:      places(max(n, 1)),
		processors: make(chan *processor, processors),
		readAhead:  places(readAheadEach * processors),
		queueWait:  queueWait,
	}
	for range processors {
		a.processors <- &processor{all: a.processors, yields: newYield()}
	}
	return a
}

// places returns n free places.
func places(n int) chan struct{} {
	free := make(chan struct{}, n)
	for range n {
		free <- struct{}{}
	}
	return free
}

// taken returns how many of all places or processors calls have.
func taken[T any](all chan T) int { return cap(all) - len(all) }

// full reports whether another light call would wait for a slot in vain.
func (a *admission) full() bool {
	return len(a.slots) == 0 && (a.waiting.Load()+1)*a.slotTime.Load() >= int64(cap(a.slots))*int64(a.queueWait)
}

// average adds the time for which a light call held its slot to the average. If
// two calls end at once, only one of them may count. A call that took much longer
// than the others, because the system ran something else meanwhile, counts less.
func (a *admission) average(held time.Duration) {
	before := a.slotTime.Load()
	if before == 0 {
		before = int64(held)
	}
	a.slotTime.Store(before + (min(int64(held), 8*before)-before)/64)
}

// Slot is what one call holds of the admission. One goroutine uses it.
type Slot struct {
	admission *admission
	waited    time.Duration
	ahead     bool       // it has a read-ahead place
	slot      bool       // it has a slot
	since     time.Time  // when a light call got its slot
	processor *processor // nil if none
}

type slotKey struct{}

// Slot returns a Slot that holds nothing yet, and a context through which Admit
// and Run find it. The caller releases it.
func (e *Engine) Slot(ctx context.Context) (context.Context, *Slot) {
	s := &Slot{admission: e.admission}
	if request, ok := ctx.(interface{ Keep(key, value any) bool }); ok && request.Keep(slotKey{}, s) {
		return ctx, s // a request's own context, which saves allocating another
	}
	return context.WithValue(ctx, slotKey{}, s), s
}

// Admit waits until a request body of this many bytes (-1 if unknown) may be read. It fails with overloaded, or with
// ctx's error if the caller went away. Front doors call it before they read a body, with a context from Slot, and call
// arrived when the body has been read or abandoned.
func (e *Engine) Admit(ctx context.Context, bytes int64) (arrived func(), err error) {
	a := e.admission
	s, ok := ctx.Value(slotKey{}).(*Slot)
	switch {
	case !ok:
		return func() {}, nil
	case bytes <= convert.Light && a.full():
		return nil, errOverloaded
	case bytes <= convert.Light:
		return func() {}, nil
	}
	// The rest of queueWait is for the processor, so that few bodies are read in vain: in a crowd, all calls get here
	// when they have waited for as long as they may.
	if _, err := wait(ctx, s, a.readAhead, a.queueWait/4*3); err != nil {
		return nil, err
	}
	slow := time.AfterFunc(arrivalTime, func() { a.readAhead <- struct{}{} })
	return func() { s.ahead = s.ahead || slow.Stop() }, nil
}

// Acquire waits until a call of this weight may run. Before the body is decoded, its length is the weight; a call that
// turns out to be heavier acquires again. It fails like Admit.
func (s *Slot) Acquire(ctx context.Context, weight int) error {
	switch {
	case s.processor != nil:
		s.processor.yield(time.Now())
	case weight <= convert.Light:
		return s.acquireLight(ctx)
	default:
		leave(s.admission.slots, &s.slot) // not held while waiting for a processor
		if err := s.acquireProcessor(ctx); err != nil {
			return err
		}
	}
	return s.acquireSlot(ctx)
}

func (s *Slot) acquireLight(ctx context.Context) error {
	if s.slot {
		return nil
	}
	if s.admission.full() {
		return errOverloaded
	}
	s.admission.waiting.Add(1)
	err := s.acquireSlot(ctx)
	s.admission.waiting.Add(-1)
	s.since = time.Now()
	return err
}

func (s *Slot) acquireSlot(ctx context.Context) error {
	if s.slot {
		return nil
	}
	_, err := wait(ctx, s, s.admission.slots, s.admission.queueWait)
	s.slot = err == nil
	return err
}

func (s *Slot) acquireProcessor(ctx context.Context) (err error) {
	a := s.admission
	if !s.ahead {
		if _, err := wait(ctx, s, a.readAhead, a.queueWait); err != nil {
			return err
		}
		s.ahead = true
	}
	if s.processor, err = wait(ctx, s, a.processors, a.queueWait); err != nil {
		return err
	}
	leave(a.readAhead, &s.ahead)
	s.processor.yield(time.Now())
	return nil
}

// Release returns all that the call holds. Further calls do nothing.
func (s *Slot) Release() {
	if s.slot && s.processor == nil {
		s.admission.average(time.Since(s.since))
	}
	leave(s.admission.slots, &s.slot)
	if s.processor != nil {
		s.admission.processors <- s.processor
		s.processor = nil
	}
	leave(s.admission.readAhead, &s.ahead)
}

func leave(places chan struct{}, held *bool) {
	if *held {
		*held = false
		places <- struct{}{}
	}
}

// wait takes a place or a processor, in order of arrival, until the call has waited for limit in all.
func wait[T any](ctx context.Context, s *Slot, free <-chan T, limit time.Duration) (taken T, err error) {
	select {
	case taken = <-free:
		return taken, nil
	default:
	}
	begin := time.Now()
	defer func() { s.waited += time.Since(begin) }()
	timer := time.NewTimer(limit - s.waited)
	defer timer.Stop()
	select {
	case taken = <-free:
		return taken, nil
	case <-timer.C:
		return taken, errOverloaded
	case <-ctx.Done():
		return taken, ctx.Err()
	}
}

// errOverloaded is allocated once: rejections must be cheap.
var errOverloaded = convert.Reject(convert.Overloaded,
	"All work slots of the server are busy.",
	"Wait for the number of seconds in Retry-After, then try again.")

// weigh returns what a call weighs according to its tools, judging by its input.
// It assumes that each step gets the first one's input.
func (e *Engine) weigh(call contract.Call) (weight int) {
	for _, step := range call.Steps {
		weight += e.tools[step.Tool.Name].Weigh(convert.Input{Artifact: call.Input, Options: step.Options})
	}
	return weight
}
