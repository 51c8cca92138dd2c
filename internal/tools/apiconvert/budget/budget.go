// Package budget bounds what one conversion may make of its input. References,
// shared parts, samples, media types, globs, variables and aliases let a small
// text stand for a large one; everything that is copied, resolved, sampled or
// emitted is paid from one budget, and a conversion that has spent it ends.
//
// Paid is where work or memory can become more than the text itself: once for
// each use of what is used by several. What a reader takes from its own place
// in the text is paid, too, where that is the same loop.
//
// A spent budget, like the end of the call's context, unwinds by a panic of
// this package's own that Catch turns into an error at the top of the
// conversion. It is the one panic that is meant: the walks that pay are
// recursive and many, and each would otherwise carry an error that only the
// top looks at.
package budget

import (
	"context"
	"math"

	"github.com/convertd/convertd/internal/convert"
)

// Budget is what is left of one conversion. It is used by one goroutine. The
// nil Budget is without bounds, for tests of single packages.
type Budget struct {
	ctx    context.Context
	parts  int // parts that may still be made
	bytes  int // bytes of text that may still be copied or held
	asked  int // parts since the context was asked
	output int // characters that the output may have

	initial initial
}

// initial is what a budget had before anything was spent.
type initial struct{ parts, bytes int }

// New returns the budget of a conversion of a text of so many bytes whose
// output may have so many characters.
func New(ctx context.Context, input, output int) *Budget {
	of := initial{
		parts: baseParts + input/4*partsPerFourBytes + output/charactersPerPart,
		bytes: bytesPerByte*input + bytesPerCharacter*output,
	}
	return &Budget{ctx: ctx, parts: of.parts, bytes: of.bytes, initial: of, output: output}
}

// NewMeter returns a budget that never runs out, for tests that compare what
// inputs of different sizes spend.
func NewMeter() *Budget {
	return &Budget{
		ctx:   context.Background(),
		parts: math.MaxInt, bytes: math.MaxInt, initial: initial{math.MaxInt, math.MaxInt},
		output: convert.MaxOutputCharacters,
	}
}

// Spent returns the units that were spent: one for each part, and one for as
// many bytes as take the time of a part.
func (b *Budget) Spent() int {
	return b.initial.parts - b.parts + (b.initial.bytes-b.bytes)/bytesPerPart
}

// A part is about what a value of a document costs on its way through the
// readers, the redaction and a writer: some 100 bytes and a third of a
// microsecond. What costs more is several parts. The bounds hold a MiB of
// input at about half a second and 150 MiB on one processor of 2024, whatever
// stands in it; sources as people write them have a few parts for each byte of
// their output and end at the output's limit first.
const (
	baseParts         = 1 << 19
	partsPerFourBytes = 3
	charactersPerPart = 8
	bytesPerByte      = 4
	bytesPerCharacter = 8
)

// askEvery is how many parts pass between two looks at the context: a look is
// a lock. bytesPerPart is how many bytes of text take as long as a part.
const (
	askEvery     = 64
	bytesPerPart = 64
)

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
	if b.asked += n / bytesPerPart; b.asked >= askEvery {
		b.Ask()
	}
}

// Text pays for going through n bytes of text that is held already.
func (b *Budget) Text(n int) { b.Parts(1 + n/bytesPerPart) }

// Pass looks at the context now and then while n bytes are gone over that are
// paid already.
func (b *Budget) Pass(n int) {
	if b == nil {
		return
	}
	if b.asked += 1 + n/bytesPerPart; b.asked >= askEvery {
		b.Ask()
	}
}

// Output is how many characters the output may have, so that bounds of single
// things can be told from it.
func (b *Budget) Output() int {
	if b == nil {
		return convert.MaxOutputCharacters
	}
	return b.output
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
		"The input stands for far more than it says: parts of it are used again and again, and written out they would be too large.",
		"Convert fewer operations, requests or commands at a time, or let fewer of them share large parts (references, path-level parameters, media types, examples, YAML aliases, variables).")
}
