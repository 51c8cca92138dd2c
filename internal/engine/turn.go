package engine

import (
	"context"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

// house bounds what is done at once. The idea: light calls walk past heavy
// ones, and heavy ones take turns.
//
//	light ─→ read ─→ decode ─→ slot ─→ convert, encode ─→ answer
//	heavy ─→ seat ─→ read ─→ turn and slot ─→ decode, convert, encode ─→ answer
//
// A call is heavy when it weighs more than convert.Light: its tool says how
// much, and before that is known its bytes do. A light one takes some hundred
// microseconds at most, so it needs only a slot, of which there are two for each
// processor; nobody waits for one unless something is stuck.
//
// A heavy one keeps a processor for milliseconds. One for each processor has a
// turn: more would not be done sooner, only all of them later, and each holds
// some 20 MiB. The turn covers everything that costs time, the decoding of the
// body and the encoding of the answer too, and no more: what depends on the
// client, reading and writing, is outside. Whoever waits for a turn waits
// unread, in the system's buffers, in order; only as many as there are seats
// are read ahead, so that the next body is there when a turn ends; among them
// the smaller ones go first, within bounds (see line). A body that is slow to
// arrive loses its seat and takes another one when it is there, so slow clients
// hold nobody up.
//
// When every processor has a heavy call, each steps aside after every piece of
// its work, so that what the network has brought meanwhile is found, and light
// calls are done (see lane).
//
// All waiting together is bounded by patience, a light call's by a quarter of
// it; then the call is overloaded.
type house struct {
	slots, seats chan struct{}
	turns        *line
	patience     time.Duration
}

const (
	seatsForTurn = 4                      // that wait read, or are being read
	arrival      = 100 * time.Millisecond // how long a body may keep its seat
)

// newHouse has n slots, and turns for half of them.
func newHouse(n int, patience time.Duration) *house {
	turns := max(n/2, 1)
	return &house{
		slots:    make(chan struct{}, max(n, 1)),
		turns:    newLine(turns),
		seats:    make(chan struct{}, seatsForTurn*turns),
		patience: patience,
	}
}

// busy is the number of slots that are taken.
func (h *house) busy() int { return len(h.slots) }

// Turn is one call's way through the house. It is used by one goroutine.
type Turn struct {
	house        *house
	waited       time.Duration
	seated, slot bool  // what it holds
	lane         *lane // its turn, nil for none
}

type turnKey struct{}

// Turn returns a turn that has not begun, and a context by which Admit and Run
// know it. The caller ends it.
func (e *Engine) Turn(ctx context.Context) (context.Context, *Turn) {
	t := &Turn{house: e.house}
	if keeps, ok := ctx.(interface{ Keep(key, value any) bool }); ok && keeps.Keep(turnKey{}, t) {
		return ctx, t // a request's own context, which spares a further one
	}
	return context.WithValue(ctx, turnKey{}, t), t
}

// Admit waits until a request of so many bytes (-1 when that is not known) may
// be read. It fails with overloaded, or with ctx's error when the caller went
// away. Front doors ask before they read a body, with a context of Turn's, and
// call arrived when it has been read or given up.
func (e *Engine) Admit(ctx context.Context, bytes int64) (arrived func(), err error) {
	t, ok := ctx.Value(turnKey{}).(*Turn)
	if !ok || bytes <= convert.Light {
		return func() {}, nil
	}
	// The rest of its patience is for the turn, so that hardly any body is read
	// in vain: in a crowd, all come in when they have waited for as long as they may.
	if err := t.wait(ctx, e.house.seats, e.house.patience/4*3); err != nil {
		return nil, err
	}
	slow := time.AfterFunc(arrival, func() { <-e.house.seats })
	return func() { t.seated = t.seated || slow.Stop() }, nil
}

// Begin waits until a body of so many bytes may be decoded: a heavy one for its
// turn, a light one for nothing. It fails as Admit does.
func (t *Turn) Begin(ctx context.Context, bytes int) error {
	if bytes <= convert.Light {
		return nil
	}
	return t.begin(ctx, bytes)
}

// begin waits until a call of so much weight may run; one that turns out to be
// heavier than was thought begins again.
func (t *Turn) begin(ctx context.Context, weight int) error {
	patience := t.house.patience
	switch {
	case t.lane != nil:
		t.lane.yield(time.Now())
	case weight <= convert.Light:
		patience /= 4
	default:
		leave(t.house.slots, &t.slot) // whoever waits for it need not wait for a turn too
		if !t.seated {
			if err := t.wait(ctx, t.house.seats, patience); err != nil {
				return err
			}
			t.seated = true
		}
		start := time.Now()
		lane, err := t.house.turns.take(ctx, weight, patience-t.waited)
		t.waited += time.Since(start)
		if err != nil {
			return err
		}
		t.lane = lane
		leave(t.house.seats, &t.seated)
		t.lane.yield(time.Now())
	}
	if !t.slot {
		if err := t.wait(ctx, t.house.slots, patience); err != nil {
			return err
		}
		t.slot = true
	}
	return nil
}

// End gives back all that the call holds; to end twice is allowed.
func (t *Turn) End() {
	leave(t.house.slots, &t.slot)
	if t.lane != nil {
		t.house.turns.leave(t.lane)
		t.lane = nil
	}
	leave(t.house.seats, &t.seated)
}

func leave(room chan struct{}, held *bool) {
	if *held {
		*held = false
		<-room
	}
}

// wait enters a room, in the order in which calls came. Of the patience the
// call may have used up some.
func (t *Turn) wait(ctx context.Context, room chan struct{}, patience time.Duration) error {
	select {
	case room <- struct{}{}:
		return nil
	default:
	}
	begin := time.Now()
	defer func() { t.waited += time.Since(begin) }()
	timer := time.NewTimer(patience - t.waited)
	defer timer.Stop()
	select {
	case room <- struct{}{}:
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
