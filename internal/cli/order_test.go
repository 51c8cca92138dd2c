package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/convertd/convertd/internal/check"
)

// count yields the numbers up to n, for ever when it is 0.
func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; n == 0 || i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// TestInOrder: what is done at once, and ends in any order, comes out in order, however long it is.
func TestInOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		var out bytes.Buffer
		var now, most atomic.Int32
		next := 0
		err := InOrder(context.Background(), workers, &out, count(60), func(_ context.Context, i int, turn *Turn) {
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
			long := i%20 == 3
			for range 3 {
				text := fmt.Sprintln(i)
				if long {
					text = strings.Repeat(" ", maxHeld/2+1) + text
				}
				if _, err := turn.Write([]byte(text)); err != nil {
					t.Error(err)
				}
			}
			if i == 5 {
				turn.Drop()
			}
			if err := turn.End(); err != nil {
				t.Error(err)
			}
		}, func(i int) error {
			if i != next {
				t.Errorf("%d ended before %d", i, next)
			}
			next++
			return nil
		})
		var want strings.Builder
		for i := range 60 {
			if i != 5 {
				want.WriteString(strings.Repeat(fmt.Sprintln(i), 3))
			}
		}
		if got := strings.ReplaceAll(out.String(), " ", ""); err != nil || next != 60 || got != want.String() || int(most.Load()) > workers {
			t.Errorf("%d workers: %v, %d of them, %d done", workers, err, most.Load(), next)
		}
	}
}

// TestInOrderStops: the first error ends it, though items are without number,
// and so does the end of the context, though an item waits for ever.
func TestInOrderStops(t *testing.T) {
	var out bytes.Buffer
	failed := errors.New("failed")
	err := InOrder(context.Background(), 3, &out, count(0), func(_ context.Context, i int, turn *Turn) {
		fmt.Fprint(turn, i)
		_ = turn.End()
	}, func(i int) error {
		if i == 9 {
			return failed
		}
		return nil
	})
	if !errors.Is(err, failed) || !strings.HasPrefix(out.String(), "0123456789") {
		t.Errorf("%v: %q", err, out.String())
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	never := make(chan struct{})
	defer close(never)
	if err := InOrder(ctx, 2, &out, count(0), func(context.Context, int, *Turn) { <-never }, func(int) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestReadLines: lines are the same however the input is divided, and in number and text those of a simple reading.
func TestReadLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		var text strings.Builder
		var want []string
		for i := range random.IntN(30) {
			line := strings.Repeat("x", []int{0, 1, 50, batch - 2, batch - 1, batch, batch + 1, 3 * batch}[random.IntN(8)]/(1+random.IntN(3))) + fmt.Sprint(i)
			want = append(want, line)
			text.WriteString(line + []string{"\n", "\r\n"}[random.IntN(2)])
		}
		if random.IntN(2) == 0 {
			want = append(want, "last")
			text.WriteString("last")
		}
		var got []string
		for b, err := range ReadLines("-", iotest.HalfReader(strings.NewReader(text.String())), Most) {
			check.OK(t, err)
			if b.First != len(got)+1 {
				t.Fatalf("line %d is called %d", len(got)+1, b.First)
			}
			for line := range strings.Lines(b.Text) {
				got = append(got, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("%d lines of %d", len(got), len(want))
		}
	}
	for _, err := range ReadLines("-", iotest.ErrReader(context.Canceled), Most) {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	var texts []string
	for b := range ReadLines("-", io.MultiReader(strings.NewReader("[1]\n[2"), iotest.ErrReader(context.Canceled)), Most) {
		texts = append(texts, b.Text)
	}
	if want := []string{"[1]\n", ""}; !slices.Equal(texts, want) {
		t.Errorf("a line that was not read to its end: want %q, got %q", want, texts)
	}
}

// endless has a line without an end, and says when too much of it was read.
type endless struct{ read, most int }

func (e *endless) Read(p []byte) (int, error) {
	if e.read += len(p); e.read > e.most {
		return 0, io.ErrShortBuffer
	}
	return copy(p, bytes.Repeat([]byte("x"), len(p))), nil
}

func TestLineWithoutEnd(t *testing.T) {
	for _, err := range ReadLines("-", &endless{most: 8 * batch}, batch+1) {
		var large *TooLarge
		if !errors.As(err, &large) || large.Line != 1 {
			t.Error(err)
		}
	}
}

func TestLooksLikeInput(t *testing.T) {
	for argument, want := range map[string]bool{
		"eyJhbGciOiJub25lIn0.eyJyb2xlcyI6WyJhIiwiYiJdfQ.": true, "Bearer abc": true, `{"a":1}`: true, " [1]": true, `"x"`: true, "1700000000": true, "-1.5": true,
		"2024-02-29T12:00:00Z": true, "2024-02-29 12:00": true, "curl https://example.com": true, "a\nb": true, strings.Repeat("A", 200): true,
		`curl.exe -u a:b https://example.com`: true, "sudo curl -u a:b https://example.com": true, "x=1;curl https://example.com": true, "iwr https://example.com": true,
		"Invoke-RestMethod -Uri https://example.com": true, "$key = 'x'; irm https://example.com": true, "Authorization: Bearer abc": true, "openapi: 3.1.0": true,
		"https://a:b@example.com/": true, "Sun, 06 Nov 1994 08:49:37 GMT": true, "https://example.com/a@b": false, "C:\\a.json": false, "curl.json": false, "curly braces.json": false,
		"package.json": false, "./{a}.json": false, "deployment.production.yaml": false, "2024-02-29.json": false, "key": false, "eyes.json": false, "a/" + strings.Repeat("A", 200): false,
	} {
		if got := LooksLikeInput(argument); got != want {
			t.Errorf("%q: %v", argument, got)
		}
	}
}
