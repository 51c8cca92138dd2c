// Package budget limits what one conversion may produce from its input. References, shared parts, samples,
// media types, globs, variables and aliases let a small document expand to a large one. Everything that is
// copied, resolved, sampled or emitted is charged to one budget; a conversion that exceeds it ends.
//
// Charges apply where work or memory can exceed the size of the input: once for each use of something that is
// used several times. Reading a part of the input is charged, too, where the same loop does it.
//
// When the budget is spent or the request's context ends, a panic private to this package unwinds the
// conversion, and Catch turns it into an error at the top. It is the one intended panic: many recursive walks
// pay, and each would otherwise return an error that only the top checks.
package budget

import (
	"context"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// Budget is what one conversion may still spend. A single goroutine uses it. A nil Budget is unlimited, for
// tests of single packages.
type Budget struct {
	ctx       context.Context
	parts     int // parts that may still be made
	bytes     int // bytes of text that may still be copied or held
	unchecked int // parts since the context was checked
	output    int // characters that the output may have
	passed    int // bytes that were processed again, for Spent

	initialParts, initialBytes int
}

// New returns the budget of a conversion with an input of the given length in bytes and an output limited to
// the given number of characters.
func New(ctx context.Context, input, output int) *Budget {
	parts := baseParts + input/4*partsPerFourBytes + output/charactersPerPart
	bytes := bytesPerByte*input + bytesPerCharacter*output
	return &Budget{
		ctx: ctx, parts: parts, bytes: bytes, output: output, initialParts: parts, initialBytes: bytes,
	}
}

// NewMeter returns a budget that never runs out, for tests that compare the cost of inputs of different sizes.
func NewMeter() *Budget { return New(context.Background(), 1<<40, convert.MaxOutputCharacters) }

// Spent returns the cost so far: one unit for each part, and one for each bytesPerPart bytes, including those of Pass.
func (b *Budget) Spent() int {
	return b.initialParts - b.parts + (b.initialBytes-b.bytes+b.passed)/bytesPerPart
}

// A part is the approximate cost of a value of a document on its way through the readers, the redaction and a
// writer: some 100 bytes and a third of a microsecond. Costlier things are several parts. The limits hold any
// MiB of input at about half a second and 150 MiB on one processor of 2024. Sources as people write them have a
// few parts for each byte of their output and reach the output's limit first.
const (
	baseParts         = 1 << 19
	partsPerFourBytes = 3
	charactersPerPart = 8
	bytesPerByte      = 4
	bytesPerCharacter = 8
)

// checkEvery is how many parts pass between two checks of the context, because a check takes a lock. bytesPerPart
// is how many bytes of text take as long as a part.
const (
	checkEvery   = 64
	bytesPerPart = 64
)

// The prices of what several formats have, in parts.
const (
	Request = 16 // also a command
	Entry   = 4  // an entry of a list: a header, an option, a segment of a path
)

// stop is the panic value.
type stop struct{ err error }

// Parts charges for n parts that are copied, resolved, sampled or emitted.
func (b *Budget) Parts(n int) {
	if b == nil {
		return
	}
	if b.parts -= n; b.parts < 0 {
		panic(stop{spent()})
	}
	if b.unchecked += n; b.unchecked >= checkEvery {
		b.Check()
	}
}

// Bytes charges for n bytes of text that are copied or held, each time they are.
func (b *Budget) Bytes(n int) {
	if b == nil {
		return
	}
	if b.bytes -= n; b.bytes < 0 {
		panic(stop{spent()})
	}
	if b.unchecked += n / bytesPerPart; b.unchecked >= checkEvery {
		b.Check()
	}
}

// Text charges for reading n bytes of text that are already in memory.
func (b *Budget) Text(n int) { b.Parts(1 + n/bytesPerPart) }

// Pass checks the context now and then while n bytes are processed that are already charged.
func (b *Budget) Pass(n int) {
	if b == nil {
		return
	}
	b.passed += n
	if b.unchecked += 1 + n/bytesPerPart; b.unchecked >= checkEvery {
		b.Check()
	}
}

// Output returns how many characters the output may have, so that other limits can be derived from it.
func (b *Budget) Output() int {
	if b == nil {
		return convert.MaxOutputCharacters
	}
	return b.output
}

// Check ends the conversion when its context has ended. Loops that charge nothing call it.
func (b *Budget) Check() {
	if b == nil {
		return
	}
	b.unchecked = 0
	if err := b.ctx.Err(); err != nil {
		panic(stop{err})
	}
}

// Catch must be deferred at the top of a conversion: it sets *err when the budget or the context ended the
// work. It passes other panics on.
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
	return convert.Reject(convert.TooComplex,
		"The input expands to far more than its size: the same parts are used many times, and written out they would be too large.",
		"Convert fewer operations, requests or commands at a time, or remove large parts that many of them share (references, path-level parameters, media types, examples, YAML aliases, variables).")
}

// TooDeep returns the failure for a document that is nested too deeply.
func TooDeep() *convert.Failure {
	return convert.Reject(convert.TooComplex,
		"The document is nested deeper than %d levels.",
		"Flatten the document: move inner schemas into named components.", jsondoc.MaxDepth)
}
