package cli

import (
	"context"
	"io"
	"iter"
)

// held is how much of an output waits for its turn, and how much of one is kept
// back while it may still turn out that there is none, in bytes.
const held = 1 << 20

// Turn is an item's place in the order of outputs: what it writes goes to the
// writer that all share, behind what those before it write. The first MiB is
// held until then, and until the item has ended, so that an input that is
// refused early leaves nothing behind.
type Turn struct {
	ctx  context.Context
	to   io.Writer
	come chan struct{} // closed when those before have ended
	text []byte
	out  bool // something has been written
}

// Write implements io.Writer.
func (t *Turn) Write(p []byte) (int, error) {
	if !t.out && len(t.text)+len(p) <= held {
		t.text = append(t.text, p...)
		return len(p), nil
	}
	if err := t.End(); err != nil {
		return 0, err
	}
	return t.to.Write(p)
}

// End waits for the turn and writes what is held.
func (t *Turn) End() error {
	select {
	case <-t.come:
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
	text := t.text
	t.text, t.out = nil, true
	if len(text) == 0 {
		return nil
	}
	_, err := t.to.Write(text)
	return err
}

// Drop forgets what is held.
func (t *Turn) Drop() { t.text = nil }

// InOrder does the items, so many at once, each by do, and ends each by done,
// one at a time and in order. It stops at the first error of done, or when ctx
// ends. Items are taken as there is room, so that they may be without number.
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
	for e := range queue {
		close(e.turn.come)
		select {
		case <-e.ended:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := done(e.item); err != nil {
			return err
		}
	}
	return ctx.Err()
}
