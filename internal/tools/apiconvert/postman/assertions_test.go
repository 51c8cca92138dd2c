package postman

import (
	"slices"
	"testing"

	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// TestAssertions holds the spellings of assertions that people write against
// the statuses that they mean.
func TestAssertions(t *testing.T) {
	var cases []struct {
		Script   string   `yaml:"script"`
		Statuses []string `yaml:"statuses"`
	}
	converttest.Data(t, "testdata/assertions.yaml", &cases)
	for _, c := range cases {
		item := tree.NewObject().Set("event", tree.NewArray(tree.NewObject().Set("listen", tree.NewString("test")).
			Set("script", tree.NewObject().Set("exec", tree.NewString(c.Script)))))
		if got := new(reader).statuses(item); !slices.Equal(got, c.Statuses) {
			t.Errorf("%s: got %q, want %q", c.Script, got, c.Statuses)
		}
	}
}
