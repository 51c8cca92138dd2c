package converttest

import (
	"strings"
	"testing"
	"time"
)

// Growing is a hostile text: its beginning, and what is repeated behind it.
type Growing [2]string

// Text returns the text with what is repeated up to size bytes, at least once.
func (g Growing) Text(size int) string {
	return g[0] + strings.Repeat(g[1], max(1, size/len(g[1])))
}

// Linear holds work to time that grows with its text and no faster: it times
// 128 KiB of each text against an eighth of it. What is linear takes eight
// times as long, what is quadratic sixty-four times.
func Linear(t *testing.T, texts []Growing, work func(text string)) {
	t.Helper()
	Unhurried(t)
	const size = 1 << 17
	elapsed := func(text string) time.Duration {
		shortest := time.Hour
		for range 2 {
			start := time.Now()
			work(text)
			shortest = min(shortest, time.Since(start))
		}
		return shortest
	}
	for _, g := range texts {
		var ratio, large time.Duration
		for range 20 { // a busy machine is not a quadratic reader
			large = elapsed(g.Text(size))
			ratio = large / (elapsed(g.Text(size/8)) + 1)
			if ratio < 40 || large < 25*time.Millisecond {
				ratio = 0
				break
			}
		}
		if ratio > 0 {
			t.Errorf("%q: %v for 128 KiB, %d times what 16 KiB take", g, large, ratio)
		}
	}
}
