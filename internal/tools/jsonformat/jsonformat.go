// Package jsonformat is the tool json_format: it lays a JSON text out anew and changes nothing but white space.
package jsonformat

import (
	"context"
	"sync"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// Tool formats JSON. Its option indent is the number of spaces per level, 0 to 8; 0 means one line without spaces.
//
// Beyond what is no JSON (RFC 8259) it refuses two members of one object with the same name, numbers that a double
// would change, escapes that form no character and nesting deeper than 256 levels. What passes keeps its member order
// and every number and string as they are spelt. It knows no schema.
var Tool = convert.Tool{Name: "json_format", Convert: format, Weight: weight}

// weight counts the indentation too: a few kilobytes that are deep become the largest output there is.
func weight(in convert.Input) int { return jsondoc.IndentedSize(in.Value, in.Options.Int("indent")) }

func format(ctx context.Context, in convert.Input) (convert.Result, error) {
	scanner := jsondoc.NewScanner(in.Value)
	defer scanner.Release()
	scanner.RefuseUnsafe = true
	layout := jsondoc.Layout{Indent: in.Options.Int("indent")}
	if dst := in.Budget.Into(); dst != nil {
		in.Budget.Escaped()
		layout.Escaped = true
		dst, err := jsondoc.Format(ctx, dst, scanner, layout, in.Budget)
		return convert.Result{Into: dst}, err
	}

	// A small output is written to a buffer that is used again and copied out
	// at its exact size; a larger one outgrows that buffer and has its own.
	scratch := buffers.Get().(*[scratchSize]byte)
	defer buffers.Put(scratch)
	out, err := jsondoc.Format(ctx, scratch[:0], scanner, layout, in.Budget)
	if err != nil {
		return convert.Result{}, err
	}
	if cap(out) == scratchSize { // also the rest of one that was given away
		return convert.Result{Value: string(out)}, nil
	}
	return convert.Result{Value: convert.OwnedText(out)}, nil
}

const scratchSize = 32 << 10

var buffers = sync.Pool{New: func() any { return new([scratchSize]byte) }}
