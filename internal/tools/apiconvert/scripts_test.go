package apiconvert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// TestScripts rewrites POSIX scripts in place; rewriting the result changes nothing.
// Rule: API-9.
func TestScripts(t *testing.T) {
	var cases []struct {
		Name     string   `yaml:"name"`
		Text     string   `yaml:"text"`
		Want     string   `yaml:"want"` // empty: the script itself
		Warnings []string `yaml:"warnings"`
		Fixed    string   `yaml:"fixed"` // why a shell behaves differently afterwards, if it does: see test/wire
		// Arguments are those that test/wire passes to the script.
		Arguments []string `yaml:"arguments"`
	}
	converttest.Data(t, "testdata/scripts.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if c.Want == "" {
				c.Want = c.Text
			}
			result := call(t, "text/plain", c.Text, "curl")
			check.Equal(t, c.Want, result.Value)
			var codes []string
			for _, w := range result.Warnings {
				code, _, _ := strings.Cut(w, ". ")
				if strings.HasPrefix(w, "secrets_replaced: ") {
					code = "secrets_replaced"
				}
				codes = append(codes, code)
			}
			check.Equal(t, c.Warnings, codes, "warnings")
			if again := call(t, "text/plain", result.Value, "curl").Value; again != result.Value {
				t.Errorf("rewritten again:\n%s", cmp.Diff(result.Value, again))
			}
		})
	}
}
