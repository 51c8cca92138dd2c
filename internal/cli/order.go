package cli

import (
	"context"
	"io"
	"iter"
)

// maxHeld is how many bytes of an output are held back, until its turn comes and
// until it is certain that the input is not refused.
const maxHeld = 1 << 20

// Turn writes an item's output to the writer that all items share, after the output of the items before it. The first
// MiB is held back until the item has ended, so that an input that is refused early writes nothing.
type Turn struct {
	ctx     context.Context
	to      io.Writer
	come    chan struct{} // closed when the items before have ended
	held    []byte
	started bool // something has been written
}

// Write implements io.Writer.
func (t *Turn) Write(p []byte) (int, error) {
	if !t.started && len(t.held)+len(p) <= maxHeld {
		t.held = append(t.held, p...)
		return len(p), nil
	}
	if err := t.End(); err != nil {
		return 0, err
	}
	return t.to.Write(p)
}

// End waits for the turn and writes what is held back.
func (t *Turn) End() error {
	select {
	case <-t.come:
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
	held := t.held
	t.held, t.started = nil, true
	if len(held) == 0 {
		return nil
	}
	_, err := t.to.Write(held)
	return err
}

// Drop discards what is held back.
func (t *Turn) Drop() { t.held = nil }

// InOrder calls do for each item, in up to workers goroutines, and then done, for
// one item at a time and in order. It stops at the first error of done, or when
// ctx ends. It takes items as workers become free, so there may be any number.
func InOrder[T any](ctx context.Context, workers int, to io.Writer, items iter.Seq[T], do func(context.Context, T, *Turn), done func(T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type entry struct {
		item  T
		turn  *Turn
		ended chan struct{}
	}
	queue := make(chan entry, workers)
	go func() {
		defer close(queue)
		free := make(chan struct{}, workers)
		for item := range items {
			select {
			case free <- struct{}{}:
			case <-ctx.Done():
				return
			}
			e := entry{item, &Turn{ctx: ctx, to: to, come: make(chan struct{})}, make(chan struct{})}
			go func() {
				defer close(e.ended)
				defer func() { <-free }()
				do(ctx, e.item, e.turn)
			}()
			select {
			case queue <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		var e entry
		more := false
		select {
		case e, more = <-queue:
		case <-ctx.Done():
		}
		if !more {
			return ctx.Err()
		}
		close(e.turn.come)
		select {
		case <-e.ended:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := done(e.item); err != nil {
			return err
		}
	}
}
