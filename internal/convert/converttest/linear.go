package converttest

import (
	"runtime"
	"strings"
	"testing"
)

// Growing is a hostile text: how it begins, and what follows as often as fits.
type Growing [2]string

// Text returns a text of about size bytes, with at least one repetition.
func (g Growing) Text(size int) string {
	return g[0] + strings.Repeat(g[1], max(1, size/len(g[1])))
}

// Cost is what some work costs, in counts that do not depend on the machine.
type Cost struct {
	Units int // of a budget
	Bytes int // allocated, freed or not
}

// Measure runs work, which returns the budget units that it spent (0 if it has
// no budget), and returns its cost.
func Measure(work func() (units int)) Cost {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	units := work()
	runtime.ReadMemStats(&after)
	return Cost{units, int(after.TotalAlloc - before.TotalAlloc)}
}

// Superlinear reports whether a cost grows faster than the input, given the
// costs of inputs of n, 2n and 4n bytes. What is linear costs four times as much
// in the end, what is quadratic sixteen times; slices and maps that double
// allocate up to eight times as much. Little work is never superlinear.
func Superlinear(n, twice, fourTimes Cost) bool {
	const fewUnits, fewBytes = 2_000, 1 << 20
	return fourTimes.Units > fewUnits && fourTimes.Units > 6*n.Units && fourTimes.Units > 3*twice.Units ||
		fourTimes.Bytes > fewBytes && fourTimes.Bytes > 10*n.Bytes
}

// Linear fails for texts whose cost grows faster than they do.
func Linear(t *testing.T, texts []Growing, work func(text string) (units int)) {
	t.Helper()
	const size = 1 << 14
	for _, g := range texts {
		var costs [3]Cost
		for i := range costs {
			text := g.Text(size << i)
			costs[i] = Measure(func() int { return work(text) })
		}
		if Superlinear(costs[0], costs[1], costs[2]) {
			t.Errorf("%q: %d KiB and twice and four times as much cost %+v", g, size>>10, costs)
		}
	}
}
