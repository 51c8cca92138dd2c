package converttest

import (
	"runtime"
	"strings"
	"testing"
)

// Growing is a hostile input: a prefix, and a piece that is repeated.
type Growing [2]string

// Text returns an input of about size bytes, with at least one repetition.
func (g Growing) Text(size int) string {
	return g[0] + strings.Repeat(g[1], max(1, size/len(g[1])))
}

// Cost is the cost of some work, in counts that don't depend on the machine.
type Cost struct {
	Units int // spent from a budget
	Bytes int // allocated in total; 0 under the race detector
}

// Measure returns the cost of work, which returns the budget units that it spent (0 if it has no budget).
func Measure(work func() (units int)) Cost {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	units := work()
	runtime.ReadMemStats(&after)
	if Race {
		return Cost{Units: units}
	}
	return Cost{units, int(after.TotalAlloc - before.TotalAlloc)}
}

// Superlinear reports whether a cost grows faster than the input, for the costs of inputs of n, 2n and 4n
// bytes. Linear work costs four times as much in the end, quadratic work sixteen times; slices and maps that
// double allocate up to eight times as much. Very cheap work is never superlinear.
func Superlinear(n, twice, fourTimes Cost) bool {
	const fewUnits, fewBytes = 2_000, 1 << 20
	return fourTimes.Units > fewUnits && fourTimes.Units > 6*n.Units && fourTimes.Units > 3*twice.Units ||
		fourTimes.Bytes > fewBytes && fourTimes.Bytes > 10*n.Bytes
}

// Linear fails for inputs whose cost grows faster than their length.
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
