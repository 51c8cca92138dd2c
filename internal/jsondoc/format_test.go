package jsondoc

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
)

// randomDocument writes a JSON text of the given depth with random white space around its tokens.
func randomDocument(random *rand.Rand, depth int) string {
	var b strings.Builder
	space := func() {
		b.WriteString([]string{"", "", "", " ", "\n", "\r\n\t", strings.Repeat(" ", random.IntN(20))}[random.IntN(7)])
	}
	var value func(depth int)
	value = func(depth int) {
		space()
		defer space()
		kind := random.IntN(8)
		if depth == 0 {
			kind = random.IntN(5)
		}
		switch kind {
		case 0, 1:
			b.Write(AppendString(nil, randomText(random)))
		case 2:
			b.WriteString([]string{"true", "false", "null", "0", "-0.0"}[random.IntN(5)])
		case 3:
			fmt.Fprintf(&b, "%d.%de%d", random.IntN(1000), random.IntN(100000), random.IntN(20)-10)
		case 4:
			fmt.Fprint(&b, random.Uint64N(1<<(1+random.IntN(53))))
		case 5:
			b.WriteByte('[')
			for i := range random.IntN(6) {
				if i > 0 {
					b.WriteByte(',')
				}
				value(depth - 1)
			}
			space()
			b.WriteByte(']')
		default:
			b.WriteByte('{')
			for i := range random.IntN(25) {
				if i > 0 {
					b.WriteByte(',')
				}
				space()
				fmt.Fprintf(&b, `"%s%d"`, strings.Repeat("n", random.IntN(20)), i)
				space()
				b.WriteByte(':')
				value(depth - 1)
			}
			space()
			b.WriteByte('}')
		}
	}
	value(depth)
	return b.String()
}

func TestRandomDocuments(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 17))
	for range 400 {
		checkAgainstOthers(t, randomDocument(random, random.IntN(5)))
	}
}

func TestFormatAtALevel(t *testing.T) {
	got, err := Format(context.Background(), []byte(`  "x": `), NewScanner(`{"a":[1,{}],"b":{}}`), Layout{Indent: 2, Level: 1}, unlimited())
	check.OK(t, err)
	const want = `  "x": {
    "a": [
      1,
      {}
    ],
    "b": {}
  }`
	if string(got) != want {
		t.Errorf("want\n%s\ngot\n%s", want, got)
	}
}

// The deepest text with the widest indent: each line is indented by its level.
func TestFormatDeepest(t *testing.T) {
	const indent, level = 8, 1
	text := strings.Repeat("[", MaxDepth) + "1" + strings.Repeat("]", MaxDepth)
	got, err := Format(context.Background(), nil, NewScanner(text), Layout{Indent: indent, Level: level}, unlimited())
	check.OK(t, err)
	lines := strings.Split(string(got), "\n")
	if len(lines) != 2*MaxDepth+1 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines[1:] {
		deep := level + i + 1
		if i >= MaxDepth {
			deep = level + 2*MaxDepth - i - 1
		}
		if spaces := len(line) - len(strings.TrimLeft(line, " ")); spaces != indent*deep {
			t.Fatalf("line %d has %d spaces, want %d", i+2, spaces, indent*deep)
		}
	}
}

func TestFormatKeepsItsLimit(t *testing.T) {
	text := strings.Repeat("[", 200) + strings.TrimSuffix(strings.Repeat(`"é",`, 10_000), ",") + strings.Repeat("]", 200)
	full := check.Value(Format(context.Background(), nil, NewScanner(text), Layout{Indent: 8}, unlimited()))(t)
	size := utf8.RuneCount(full)
	for _, limit := range []int{0, 1, 2, 100, size / 2, size - 1, size} {
		got, err := Format(context.Background(), nil, NewScanner(text), Layout{Indent: 8}, convert.NewOutputLimit(limit, 4*size))
		if limit == size {
			if err != nil || string(got) != string(full) {
				t.Errorf("a budget that fits: %v", err)
			}
			continue
		}
		if err == nil {
			t.Fatalf("%d characters of %d allowed: passes", limit, size)
		}
		if f := failureOf(t, err); f.Code != convert.OutputTooLarge {
			t.Errorf("%d characters of %d allowed: %v", limit, size, f)
		}
	}
}

func TestFormatStopsWhenNobodyWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	text := "[" + strings.Repeat("1,", 1<<19) + "1]"
	got, err := Format(ctx, nil, NewScanner(text), Layout{}, unlimited())
	if !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
}
