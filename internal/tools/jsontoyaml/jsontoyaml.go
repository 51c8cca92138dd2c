// Package jsontoyaml is the tool json_to_yaml: it writes a JSON text as YAML
// that every YAML 1.1 and YAML 1.2 reader takes for the same value.
package jsontoyaml

import (
	"context"
	"slices"
	"sync"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/yamldoc"
)

// Tool writes YAML from JSON. Its option indent is the number of spaces per
// level, 1 to 8. Package yamldoc says how the YAML is written.
//
// Beyond what is no JSON (RFC 8259) it refuses two members of one object with the same name, numbers that a double
// would change, escapes that form no character and nesting deeper than 256 levels. What passes keeps its member order
// and the digits of its numbers. Nothing in the text is executed or expanded: no tag, anchor or alias is ever written.
var Tool = convert.Tool{Name: "json_to_yaml", Convert: toYAML, Weight: weight}

// weight counts the indentation too: a few kilobytes that are deep become the largest output there is.
func weight(in convert.Input) int { return jsondoc.IndentedSize(in.Value, in.Options.Int("indent")) }

func toYAML(ctx context.Context, in convert.Input) (convert.Result, error) {
	scanner := jsondoc.NewScanner(in.Value)
	defer scanner.Release()
	scanner.RefuseUnsafe = true
	// Indentation about makes up for the quotes, commas and brackets that YAML does without.
	room := len(in.Value) + len(in.Value)/4
	if in.Budget.Streams() {
		room = min(room, 2*convert.Chunk)
	}
	if dst := in.Budget.Into(); dst != nil {
		return into(ctx, dst, scanner, room, in)
	}
	buffer := make([]byte, 0, room)
	out, err := yamldoc.FromJSON(ctx, buffer, scanner, in.Options.Int("indent"), in.Budget)
	if err != nil {
		return convert.Result{}, err
	}
	return convert.Result{Value: convert.OwnedText(out)}, nil
}

// into makes the YAML in a buffer that is used again and appends it to dst, escaped as a JSON string holds it.
func into(ctx context.Context, dst []byte, scanner *jsondoc.Scanner, room int, in convert.Input) (convert.Result, error) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	out, err := yamldoc.FromJSON(ctx, slices.Grow((*buffer)[:0], room), scanner, in.Options.Int("indent"), in.Budget)
	if err != nil {
		return convert.Result{}, err
	}
	dst = jsondoc.AppendEscaped(dst, convert.OwnedText(out))
	if cap(out) <= keptBuffer {
		*buffer = out
	}
	return convert.Result{Into: dst}, nil
}

const keptBuffer = 2 << 20 // bytes

var buffers = sync.Pool{New: func() any { return new([]byte) }}
