package reader

import (
	"slices"
	"testing"

	"github.com/convertd/convertd/internal/convert/converttest"
)

// TestAssertions compares common assertions with the statuses that they mean.
func TestAssertions(t *testing.T) {
	var cases []struct {
		Script   string   `yaml:"script"`
		Statuses []string `yaml:"statuses"`
	}
	converttest.Data(t, "testdata/assertions.yaml", &cases)
	for _, c := range cases {
		if got := assertedStatuses(c.Script); !slices.Equal(got, c.Statuses) {
			t.Errorf("%s: got %q, want %q", c.Script, got, c.Statuses)
		}
	}
}
