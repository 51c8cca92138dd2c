// Package budget bounds what one conversion may make of its input. References,
// shared parts, samples, media types, globs, variables and aliases let a small
// text stand for a large one; everything that is copied, resolved, sampled or
// emitted is paid from one budget, and a conversion that has spent it ends.
//
// A spent budget, like the end of the call's context, unwinds by a panic of
// this package's own that Catch turns into an error at the top of the
// conversion. It is the one panic that is meant: the walks that pay are
// recursive and many, and each would otherwise carry an error that only the
// top looks at.
package budget

import (
	"context"

	"github.com/convertd/convertd/internal/convert"
)

// Budget is what is left of one conversion. It is used by one goroutine. The
// nil Budget is without bounds, for tests of single packages.
type Budget struct {
	ctx   context.Context
	parts int // nodes, parameters, items, commands … that may still be made
	bytes int // bytes of text that may still be copied or held
	asked int // parts since the context was asked
}

// New returns the budget of a conversion of a text of so many bytes whose
// output may have so many characters.
func New(ctx context.Context, input, output int) *Budget {
	return &Budget{ctx: ctx, parts: partsPerByte*input + baseParts, bytes: bytesPerByte*input + 4*output}
}

// What a conversion may make of each byte of its input, and of an empty one.
const (
	partsPerByte = 1
	baseParts    = 1 << 16
	bytesPerByte = 16
)

// askEvery is how many parts pass between two looks at the context: a look is
// a look at the clock.
const askEvery = 64

// stop is what unwinds.
type stop struct{ err error }

// Parts pays for n parts that are copied, resolved, sampled or emitted.
func (b *Budget) Parts(n int) {
	if b == nil {
		return
	}
	if b.parts -= n; b.parts < 0 {
		panic(stop{spent()})
	}
	if b.asked += n; b.asked >= askEvery {
		b.Ask()
	}
}

// Bytes pays for n bytes of text that are copied or held, also several times.
func (b *Budget) Bytes(n int) {
	if b == nil {
		return
	}
	if b.bytes -= n; b.bytes < 0 {
		panic(stop{spent()})
	}
}

// Ask ends the conversion when its context has ended. Loops that pay for
// nothing ask.
func (b *Budget) Ask() {
	if b == nil {
		return
	}
	b.asked = 0
	if err := b.ctx.Err(); err != nil {
		panic(stop{err})
	}
}

// Catch is deferred at the top of a conversion: it sets *err when the budget or
// the context ended the work. Other panics go on.
func Catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case stop:
		*err = p.err
	default:
		panic(p)
	}
}

func spent() *convert.Failure {
	return convert.Refuse(convert.TooComplex,
		"The input stands for more than may be made of it: its shared parts are used too often.",
		"Convert fewer operations at a time, or write out what many of them refer to in fewer places.")
}
