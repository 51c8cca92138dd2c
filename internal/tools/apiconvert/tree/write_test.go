package tree

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// TestAppendOutput compares indented values with what jsondoc makes of the same JSON.
func TestAppendOutput(t *testing.T) {
	deep := strings.Repeat(`{"a":[`, 40) + "1" + strings.Repeat("]}", 40)
	for _, text := range []string{"null", `"é\n"`, "{}", "[]", `{"a":[],"b":{},"c":[1,{"d":true}]}`, deep} {
		scanner := jsondoc.NewScanner(text)
		want, err := jsondoc.Format(context.Background(), nil, scanner, jsondoc.Layout{Indent: 2}, convert.NewOutputLimit(1<<20, 1<<20))
		scanner.Release()
		check.OK(t, err)
		v := parse(t, text)
		got, err := v.AppendOutput(nil, convert.NewOutputLimit(1<<20, 1<<20))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: want %s, got %s, %v", text, want, got, err)
		}
		if size := v.Size(1<<20, nil); size.Line+1 < len(text) || size.Indented < len(want) {
			t.Errorf("%s: measured %v, has %d and %d bytes", text, size, len(text), len(want))
		}
	}
}

// TestAppendOutputIsBounded rejects values that are too large or too deep, and flushes a streaming output while
// it is written.
func TestAppendOutputIsBounded(t *testing.T) {
	long := NewArray()
	for range 100_000 {
		long.Append(NewString("element"))
	}
	whole := check.Value(long.AppendOutput(nil, convert.NewOutputLimit(1<<22, 1<<22)))(t)
	if _, err := long.AppendOutput(nil, convert.NewOutputLimit(len(whole)-1, 1<<22)); err == nil || err.(*convert.Failure).Code != convert.OutputTooLarge {
		t.Errorf("an output of one character too many: %v", err)
	}
	var given bytes.Buffer
	rest, err := long.AppendOutput(nil, convert.NewStream(&given, 4*convert.Chunk, 1<<22))
	if err != nil || len(rest) > 2*convert.Chunk || given.String()+string(rest) != string(whole) {
		t.Errorf("a stream has %d bytes and %d, want %d: %v", given.Len(), len(rest), len(whole), err)
	}
	deep := NewNull()
	for range jsondoc.MaxDepth + 1 {
		deep = NewArray(deep)
	}
	if _, err := deep.AppendOutput(nil, convert.NewOutputLimit(1<<22, 1<<22)); err == nil || err.(*convert.Failure).Code != convert.TooComplex {
		t.Errorf("one level too many: %v", err)
	}
}
