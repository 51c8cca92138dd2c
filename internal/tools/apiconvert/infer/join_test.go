package infer

import (
	"testing"

	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

func described(t *testing.T, text string) *Summary {
	t.Helper()
	return Summarize([]*tree.Value{documenttest.Parse(t, text)}, nil, tree.NewQuota(10_000, nil))
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"the same members", `{"a":1,"b":"x"}`, `{"b":"y","a":2.5}`, true},
		{"half of them", `{"a":1,"b":1}`, `{"a":1,"b":1,"c":1,"d":1}`, false},
		{"less than half", `{"a":1,"b":1}`, `{"a":1,"b":1,"c":1,"d":1,"e":1}`, false},
		{"two thirds", `{"a":1,"b":1,"c":1,"d":1,"e":1}`, `{"a":1,"b":1,"c":1,"d":1,"f":1}`, false},
		{"less than two thirds", `{"a":1,"b":1,"c":1}`, `{"a":1,"b":1,"d":1}`, false},
		{"another type", `{"a":1,"b":1}`, `{"a":1,"b":"x"}`, false},
		{"null has no type", `{"a":1,"b":null}`, `{"a":1,"b":"x"}`, true},
		{"nothing", `{}`, `{}`, true},
		{"another type below", `{"a":{"b":1}}`, `{"a":{"b":true}}`, false},
		{"nothing in common below", `{"a":{"b":1}}`, `{"a":{"c":1}}`, false},
		{"lists of other types", `{"a":[1]}`, `{"a":["x"]}`, false},
		{"an empty list", `{"a":[]}`, `{"a":["x"]}`, true},
	} {
		a, b := described(t, c.a).Object(), described(t, c.b).Object()
		budget := tree.NewQuota(10_000, nil)
		for range 2 {
			if Same(a, b, budget) != c.same {
				t.Errorf("%s: want %v", c.name, c.same)
			}
			a, b = b, a
		}
	}
}

// joins are samples that are described separately and then joined.
var joins = []string{
	`[{"a":1},{"a":1.5,"b":null}]`,
	`[{"a":{"a":{"a":[]}}},{"a":{"a":{"a":[{"a":1}]}}}]`,
	`[{"d":"2024-01-01"},{"d":"x"},{"d":null}]`,
	`[{"l":[]},{"l":[1]},{"l":[{"l":2},null]}]`,
	`[{"t":{"t":{"u":1},"v":1}},{"t":{"v":2}}]`,
}

// FuzzJoin checks that a joined schema accepts the samples of both objects, even if an object is joined to one within
// it.
func FuzzJoin(f *testing.F) {
	for _, c := range joins {
		f.Add(c, false)
		f.Add(c, true)
	}
	f.Fuzz(func(t *testing.T, text string, inner bool) {
		doc, err := tree.ReadJSON(text, nil)
		if err != nil || len(text) > 2000 {
			return
		}
		var first *Summary
		budget := tree.NewQuota(100_000, nil)
		for _, sample := range doc.Root.Elements() {
			s := Summarize([]*tree.Value{sample}, nil, budget)
			if s == nil || s.Object() == nil {
				return
			}
			if first == nil {
				first = s
			}
			Join(first.Object(), s.Object(), budget)
		}
		if inner && first != nil {
			for _, value := range first.Object().Members {
				if o := value.Object(); o != nil {
					Join(first.Object(), o, budget)
					break
				}
			}
		}
		if first == nil {
			return
		}
		root := rootOf(first)
		for _, sample := range doc.Root.Elements() {
			if ok, err := documenttest.Fits(documenttest.Write(t, root), documenttest.Write(t, sample)); err == nil && !ok {
				t.Errorf("%s does not accept %s", documenttest.Write(t, root), documenttest.Write(t, sample))
			}
		}
	})
}

// rootOf returns a schema with the recursive object in $defs.
func rootOf(s *Summary) *tree.Value {
	whole := s.Object()
	style := Style{Reference: func(o *Object) string {
		if o == whole {
			return "#/$defs/whole"
		}
		return ""
	}}
	return s.Schema(style).Set("$defs", tree.NewObject().Set("whole", whole.Schema(style)))
}
