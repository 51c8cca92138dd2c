package apiconvert

import (
	"testing"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// TestOutputLimitIsExact allows each output exactly its size, and then one character less.
// Rule: LIM-2.
func TestOutputLimitIsExact(t *testing.T) {
	cases := converttest.Load(t, "testdata/cases.yaml")
	cases = append(cases, converttest.Case{Name: "without a head", MediaType: "text/plain", Input: "C:\\>curl \"https://h.test/a?b=1&c\""})
	for _, c := range cases {
		for _, target := range everyTarget() {
			in := c.Call(nil)
			in.Options = convert.Options{"target": target}
			in.Limit = convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters)
			whole, err := Tool.Convert(t.Context(), in)
			if err != nil {
				continue
			}
			size := utf8.RuneCountInString(whole.Value)
			in.Limit = convert.NewOutputLimit(size, 4*size)
			if exact, err := Tool.Convert(t.Context(), in); err != nil || exact.Value != whole.Value {
				t.Errorf("%s to %s is rejected or differs at its size, %d characters: %v", c.Name, target, size, err)
			}
			in.Limit = convert.NewOutputLimit(size-1, 4*size)
			if _, err := Tool.Convert(t.Context(), in); err == nil {
				t.Errorf("%s to %s exceeds a limit of %d characters by one", c.Name, target, size-1)
			}
		}
	}
}
