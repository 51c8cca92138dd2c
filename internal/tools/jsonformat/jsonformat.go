// Package jsonformat implements the tool json_format, which formats JSON and changes only white space.
package jsonformat

import (
	"context"
	"sync"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// Tool formats JSON. Its option indent is the number of spaces per level, 0 to 8; 0 means one line without spaces.
//
// Besides invalid JSON (RFC 8259), it rejects duplicate names in an object, numbers that not every parser keeps, escapes
// of lone surrogates, and nesting deeper than 256 levels. The output keeps member order and
// the spelling of numbers and strings. The tool doesn't validate against a schema.
var Tool = convert.Tool{Name: "json_format", Convert: format, Weight: weight}

// weight counts the indentation, too: a few kilobytes of deeply nested input can produce the largest allowed output.
func weight(in convert.Input) int { return jsondoc.IndentedSize(in.Value, in.Options.Int("indent")) }

func format(ctx context.Context, in convert.Input) (convert.Result, error) {
	scanner := jsondoc.NewScanner(in.Value)
	defer scanner.Release()
	scanner.RejectUnsafe = true
	layout := jsondoc.Layout{Indent: in.Options.Int("indent")}
	if dst := in.Limit.Into(); dst != nil { // a second path: without it, a call with 500 KB takes 21 % more processor time
		in.Limit.Escaped()
		layout.Escaped = true
		dst, err := jsondoc.Format(ctx, dst, scanner, layout, in.Limit)
		return convert.Result{Into: dst}, err
	}

	// A small output is written to a pooled buffer and copied at its exact size. A larger output gets a new buffer.
	scratch := buffers.Get().(*[scratchSize]byte)
	defer buffers.Put(scratch)
	out, err := jsondoc.Format(ctx, scratch[:0], scanner, layout, in.Limit)
	if err != nil {
		return convert.Result{}, err
	}
	if cap(out) == scratchSize { // the output is in the pooled buffer
		return convert.Result{Value: string(out)}, nil
	}
	return convert.Result{Value: convert.OwnedText(out)}, nil
}

const scratchSize = 32 << 10

var buffers = sync.Pool{New: func() any { return new([scratchSize]byte) }}
