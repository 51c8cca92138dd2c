package engine

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

// TestWork: what becomes large while it is worked on is not small, whatever
// strings pretend; what people send is.
func TestWork(t *testing.T) {
	deep := strings.Repeat("[", 250) + strings.Repeat("1,", 400) + "1" + strings.Repeat("]", 250)
	for _, test := range []struct {
		name, text    string
		indent, steps int
		large         bool
	}{
		{"a small document", `{"a":[1,2,{"b":null}]}`, 8, 1, false},
		{"a small document in many steps", `{"a":[1,2,{"b":null}]}`, 8, 20, false},
		{"20 KB of flat rows", "[" + strings.Repeat(`{"id":12345678,"name":"somebody somewhere","mail":"a@example.com"},`, 300) + "1]", 2, 1, false},
		{"30 KB in two steps", "[" + strings.Repeat("1234567,", 3800) + "1]", 0, 2, true},
		{"100 KB", strings.Repeat(" ", 100_000), 0, 1, true},
		{"1 KB that becomes a megabyte", deep, 8, 1, true},
		{"the same in one line", deep, 0, 1, false},
		{"the same behind brackets in a string", `["` + strings.Repeat("]", 1000) + `\"]",` + deep + "]", 8, 1, true},
		{"brackets in a string", `["` + strings.Repeat("[,", 1000) + `"]`, 8, 1, false},
		{"only closing brackets", strings.Repeat("],", 1000), 8, 1, false},
	} {
		call := contract.Call{Input: convert.Artifact{MediaType: "application/json", Value: test.text}}
		for range test.steps {
			call.Steps = append(call.Steps, contract.Step{Options: convert.Options{"indent": test.indent}})
		}
		if got := work(call); (got > smallWork) != test.large {
			t.Errorf("%s: %d", test.name, got)
		}
		if sum, most := levels(test.text), mostLevels(test.text); sum > most {
			t.Errorf("%s: %d levels, at most %d", test.name, sum, most)
		}
	}
	for text, large := range map[string]bool{"a: &a 1\nb: [*a]": true, "a: 1\nb: '*/*'": false} {
		call := contract.Call{Input: convert.Artifact{MediaType: "application/yaml", Value: text}, Steps: make([]contract.Step, 1)}
		if got := work(call); (got > smallWork) != large {
			t.Errorf("%q: %d", text, got)
		}
	}
}
