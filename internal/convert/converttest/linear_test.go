package converttest

import "testing"

func TestSuperlinear(t *testing.T) {
	for name, c := range map[string]struct {
		work func(n int) Cost
		want bool
	}{
		"linear":                   {func(n int) Cost { return Cost{Units: 10 * n, Bytes: 100 * n} }, false},
		"quadratic units":          {func(n int) Cost { return Cost{Units: n + n*n/4000} }, true},
		"quadratic bytes":          {func(n int) Cost { return Cost{Bytes: 100*n + n*n/10} }, true},
		"a constant and linear":    {func(n int) Cost { return Cost{Units: 1_000_000 + n, Bytes: 1 << 30} }, false},
		"a quadratic of few units": {func(n int) Cost { return Cost{Units: n * n / 100_000_000} }, false},
	} {
		const n = 16 << 10
		if got := Superlinear(c.work(n), c.work(2*n), c.work(4*n)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
