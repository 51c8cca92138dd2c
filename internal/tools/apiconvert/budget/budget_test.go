package budget

import (
	"context"
	"errors"
	"testing"

	"github.com/convertd/convertd/internal/convert"
)

// end returns the error that a conversion running do ends with.
func end(do func()) (err error) {
	defer Catch(&err)
	do()
	return nil
}

func refused(err error) bool {
	var f *convert.Failure
	return errors.As(err, &f) && f.Code == convert.TooComplex && f.Hint != ""
}

func TestSpent(t *testing.T) {
	pay := map[string]func(b *Budget){
		"parts": func(b *Budget) { b.Parts(100) },
		"bytes": func(b *Budget) { b.Bytes(10_000) },
		"text":  func(b *Budget) { b.Text(10_000) },
	}
	for name, pay := range pay {
		b := New(t.Context(), 1000, 1000)
		once := end(func() { pay(b) })
		often := end(func() {
			for range 1_000_000 {
				pay(b)
			}
		})
		if once != nil || !refused(often) {
			t.Errorf("%s: once %v, often %v", name, once, often)
		}
	}
}

// A larger input or a larger output allows more work.
func TestGrows(t *testing.T) {
	const parts = 2_000_000
	for _, c := range []struct {
		input, output int
		enough        bool
	}{{0, 0, false}, {1 << 20, 1 << 20, false}, {4 << 20, 0, true}, {0, 64 << 20, true}} {
		err := end(func() { New(t.Context(), c.input, c.output).Parts(parts) })
		if (err == nil) != c.enough {
			t.Errorf("%d to %d: %v", c.input, c.output, err)
		}
	}
}

func TestContextEnds(t *testing.T) {
	for name, work := range map[string]func(b *Budget){
		"parts": func(b *Budget) { b.Parts(1) },
		"bytes": func(b *Budget) { b.Bytes(bytesPerPart) },
		"pass":  func(b *Budget) { b.Pass(0) },
		"ask":   func(b *Budget) { b.Check() },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		b := New(ctx, 1<<20, 1<<20)
		done := 0
		err := end(func() {
			for ; done < 10*checkEvery; done++ {
				if done == checkEvery {
					cancel()
				}
				work(b)
			}
		})
		if !errors.Is(err, context.Canceled) || done > 3*checkEvery {
			t.Errorf("%s: %v after %d", name, err, done)
		}
		cancel()
	}
}

func TestNilIsUnlimited(t *testing.T) {
	var b *Budget
	b.Parts(1 << 40)
	b.Bytes(1 << 40)
	b.Text(1 << 40)
	b.Pass(1 << 40)
	b.Check()
	if b.Output() != convert.MaxOutputCharacters {
		t.Error(b.Output())
	}
}

func TestOtherPanicsGoOn(t *testing.T) {
	defer func() {
		if recover() != "mine" {
			t.Error("a panic of somebody else was caught")
		}
	}()
	_ = end(func() { panic("mine") })
}
