package engine

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

// admission bounds how many calls run at once. Light calls pass heavy ones, and
// heavy ones run one for each processor:
//
//	light ─→ read ──────────────→ slot ─────────────→ decode, convert, encode ─→ respond
//	heavy ─→ read-ahead ─→ read ─→ processor and slot ─→ decode, convert, encode ─→ respond
//
// A call is heavy when it weighs more than convert.Light. Its tool says how much
// it weighs; until that is known, the bytes of its body count. A light call takes
// some hundred microseconds and needs only a slot, of which there are two for
// each processor.
//
// A heavy call takes milliseconds and some 20 MiB, so that it needs a processor
// as well: running more of them at once would only make each finish later. The
// body is decoded and the response encoded on it, too; reading and writing,
// which depend on the client, are not. Calls wait for a processor unread, in the
// system's buffers. Only as many as there are read-ahead places are read while
// they wait; of these the smaller ones go first, within bounds (see queue). A
// body that is slow to arrive loses its place and takes another one when it is
// there. While every processor has a heavy call, each of these yields at short
// intervals, so that light calls run in between (see processor).
//
// A call waits for at most queueWait in all; then it is overloaded. A light call
// that would wait for longer, as the calls before it show, is refused before its
// body is read.
type admission struct {
	slots, readAhead chan struct{}
	processors       *queue
	queueWait        time.Duration

	waiting  atomic.Int64 // light calls that wait for a slot
	slotTime atomic.Int64 // how long light calls hold one, in nanoseconds, averaged
}

const (
	readAheadEach = 4                      // places for each processor
	arrivalTime   = 100 * time.Millisecond // how long a body may keep its place
)

// newAdmission has n slots, and processors for half of them.
func newAdmission(n int, queueWait time.Duration) *admission {
	processors := max(n/2, 1)
	return &admission{
		slots:      make(chan struct{}, max(n, 1)),
		processors: newQueue(processors),
		readAhead:  make(chan struct{}, readAheadEach*processors),
		queueWait:  queueWait,
	}
}

// full reports whether a further light call would wait for a slot in vain.
func (a *admission) full() bool {
	return a.waiting.Load()*a.slotTime.Load() > int64(cap(a.slots))*int64(a.queueWait)
}

// average adds the time for which a light call held its slot to the average. Two
// calls that end at once may count as one.
func (a *admission) average(held time.Duration) {
	before := a.slotTime.Load()
	a.slotTime.Store(before + (int64(held)-before)/16)
}

// Slot is what one call holds of the admission. It is used by one goroutine.
type Slot struct {
	admission *admission
	waited    time.Duration
	ahead     bool       // it has a read-ahead place
	slot      bool       // it has a slot
	since     time.Time  // when a light call got its slot
	processor *processor // nil for none
}

type slotKey struct{}

// Slot returns a slot that the call does not have yet, and a context by which
// Admit and Run know it. The caller releases it.
func (e *Engine) Slot(ctx context.Context) (context.Context, *Slot) {
	s := &Slot{admission: e.admission}
	if request, ok := ctx.(interface{ Keep(key, value any) bool }); ok && request.Keep(slotKey{}, s) {
		return ctx, s // a request's own context, which spares a further one
	}
	return context.WithValue(ctx, slotKey{}, s), s
}

// Admit waits until a request body of so many bytes (-1 when that is not known)
// may be read. It fails with overloaded, or with ctx's error when the caller went
// away. Front doors call it before they read a body, with a context of Slot's, and
// call arrived when the body has been read or given up.
func (e *Engine) Admit(ctx context.Context, bytes int64) (arrived func(), err error) {
	a := e.admission
	s, ok := ctx.Value(slotKey{}).(*Slot)
	switch {
	case !ok:
		return func() {}, nil
	case bytes <= convert.Light && a.full():
		return nil, overloaded()
	case bytes <= convert.Light:
		return func() {}, nil
	}
	// The rest of its time is for the processor, so that hardly any body is read
	// in vain: in a crowd, all come in when they have waited for as long as they may.
	if err := s.wait(ctx, a.readAhead, a.queueWait/4*3); err != nil {
		return nil, err
	}
	slow := time.AfterFunc(arrivalTime, func() { <-a.readAhead })
	return func() { s.ahead = s.ahead || slow.Stop() }, nil
}

// Acquire waits until a call of so much weight may run; before a body has been
// decoded that is its length. A call that turns out to be heavier acquires
// again. It fails as Admit does.
func (s *Slot) Acquire(ctx context.Context, weight int) error {
	switch {
	case s.processor != nil:
		s.processor.yield(time.Now())
	case weight <= convert.Light:
		return s.acquireLight(ctx)
	default:
		leave(s.admission.slots, &s.slot) // not held while waiting for a processor
		if err := s.acquireProcessor(ctx, weight); err != nil {
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
		return overloaded()
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
	err := s.wait(ctx, s.admission.slots, s.admission.queueWait)
	s.slot = err == nil
	return err
}

func (s *Slot) acquireProcessor(ctx context.Context, weight int) error {
	a := s.admission
	if !s.ahead {
		if err := s.wait(ctx, a.readAhead, a.queueWait); err != nil {
			return err
		}
		s.ahead = true
	}
	start := time.Now()
	got, err := a.processors.take(ctx, weight, a.queueWait-s.waited)
	s.waited += time.Since(start)
	if err != nil {
		return err
	}
	s.processor = got
	leave(a.readAhead, &s.ahead)
	got.yield(time.Now())
	return nil
}

// Release gives back all that the call holds. It may be called twice.
func (s *Slot) Release() {
	if s.slot && s.processor == nil {
		s.admission.average(time.Since(s.since))
	}
	leave(s.admission.slots, &s.slot)
	if s.processor != nil {
		s.admission.processors.leave(s.processor)
		s.processor = nil
	}
	leave(s.admission.readAhead, &s.ahead)
}

func leave(places chan struct{}, held *bool) {
	if *held {
		*held = false
		<-places
	}
}

// wait takes a place, in the order in which calls came, until the call has
// waited for limit in all.
func (s *Slot) wait(ctx context.Context, places chan struct{}, limit time.Duration) error {
	select {
	case places <- struct{}{}:
		return nil
	default:
	}
	begin := time.Now()
	defer func() { s.waited += time.Since(begin) }()
	timer := time.NewTimer(limit - s.waited)
	defer timer.Stop()
	select {
	case places <- struct{}{}:
		return nil
	case <-timer.C:
		return overloaded()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func overloaded() *convert.Failure {
	return convert.Refuse(convert.Overloaded,
		"All work slots of the server are taken.",
		"Wait for the seconds that Retry-After gives, then try again.")
}

// weigh asks the tools what a call weighs, as far as its input tells: each step
// is taken to get what the first one does.
func (e *Engine) weigh(call contract.Call) (weight int) {
	for _, step := range call.Steps {
		weight += e.tools[step.Tool.Name].Weigh(convert.Input{Artifact: call.Input, Options: step.Options})
	}
	return weight
}
