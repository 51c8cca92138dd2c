package reader

import (
	"strings"
	"testing"
)

// Calls within each other are read once, not once for each: the work is counted in allocations.
func TestNestedCalls(t *testing.T) {
	nested := func(n int) float64 {
		script := "pm.globals.set('a', " + strings.Repeat("JSON.stringify(", n) + "pm.response.json().a" + strings.Repeat(")", n) + ")"
		return testing.AllocsPerRun(5, func() {
			if captures, more := captured(script); len(captures) > 0 != (n < 2) || more == (n < 2) {
				t.Errorf("%d calls: %v", n, captures)
			}
		})
	}
	if few, many := nested(1), nested(1000); many > few+100 {
		t.Errorf("%v allocations for one call, %v for 1,000", few, many)
	}
}
