package sample

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

func TestSample(t *testing.T) {
	var cases []struct {
		Name   string
		Schema any
		Want   string
		Loose  bool
	}
	converttest.Data(t, "testdata/sample.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			source := check.Value(yaml.MarshalWithOptions(c.Schema, yaml.JSON()))(t)
			root := documenttest.Parse(t, strings.TrimSpace(string(source)))
			v, _ := New(tree.NewReferences(root), tree.NewQuota(tree.MaxNodes, nil)).Make(root, ToServer)
			got := documenttest.Write(t, v)
			if got != c.Want {
				t.Errorf("want %s, got %s", c.Want, got)
			}
			if c.Loose || got == "" || strings.Contains(string(source), "(?") {
				return
			}
			if ok, err := documenttest.Fits(string(source), got); err != nil || !ok {
				t.Errorf("%s does not fit %s: %v", got, source, err)
			}
		})
	}
}

func TestSampleIsBounded(t *testing.T) {
	wide := func(format string, n int) string {
		return strings.TrimSuffix(strings.Repeat(format+",", n), ",")
	}
	for name, text := range map[string]string{
		"wide allOf":    `{"allOf":[` + wide(`{"type":"object"}`, 40000) + `]}`,
		"wide oneOf":    `{"oneOf":[` + wide(`{"type":"object","required":["a"],"properties":{"a":false}}`, 15000) + `]}`,
		"enums":         `{"allOf":[{"enum":[` + wide(`1`, 60000) + `]},{"enum":[` + wide(`2`, 60000) + `]}]}`,
		"doubling":      `{"$ref":"#/$defs/a0","$defs":{` + doubling(200) + `}}`,
		"alternatives":  `{"$ref":"#/$defs/a0","$defs":{` + forking(60) + `}}`,
		"pattern":       `{"type":"string","pattern":"` + strings.Repeat("(", 400) + "a" + strings.Repeat("){9}", 400) + `"}`,
		"minLength":     `{"type":"string","minLength":1000000000}`,
		"minItems":      `{"type":"array","minItems":1000000000,"items":{"type":"string"}}`,
		"minProperties": `{"type":"object","minProperties":1000000000}`,
		"exponent":      `{"type":"number","minimum":1e999999999,"multipleOf":1e-999999999}`,
	} {
		root := documenttest.Parse(t, text)
		var v *tree.Value
		b := budget.New(t.Context(), len(text), convert.MaxOutputCharacters)
		cost := converttest.Measure(func() int {
			v, _ = New(tree.NewReferences(root), tree.NewQuota(tree.MaxNodes, b)).Make(root, ToServer)
			return b.Spent()
		})
		if cost.Bytes > 100<<20 {
			t.Errorf("%s: %+v", name, cost)
		}
		if len(documenttest.Write(t, v)) > 1<<20 {
			t.Errorf("%s made %d bytes", name, len(documenttest.Write(t, v)))
		}
	}
}

// doubling returns a chain of schemas that each contain the next one twice.
func doubling(n int) string {
	var b strings.Builder
	for i := range n {
		next := `{"$ref":"#/$defs/a` + itoa(i+1) + `"}`
		b.WriteString(`"a` + itoa(i) + `":{"type":"object","required":["l","r"],"properties":{"l":` + next + `,"r":` + next + `}},`)
	}
	return b.String() + `"a` + itoa(n) + `":{"type":"string"}`
}

// forking returns a chain of schemas with alternatives that no value satisfies.
func forking(n int) string {
	var b strings.Builder
	for i := range n {
		next := `{"type":"object","required":["x"],"properties":{"x":{"$ref":"#/$defs/a` + itoa(i+1) + `"}}}`
		b.WriteString(`"a` + itoa(i) + `":{"oneOf":[` + next + `,` + next + `,` + next + `]},`)
	}
	return b.String() + `"a` + itoa(n) + `":false`
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// FuzzSample checks that a sample is valid against its schema, for keywords with an exact meaning.
func FuzzSample(f *testing.F) {
	for _, seed := range []string{
		`{"type":"object","required":["a"],"properties":{"a":{"type":"integer","minimum":3}}}`,
		`{"type":"array","items":{"type":"string","maxLength":2},"minItems":2}`,
		`{"allOf":[{"type":"number","multipleOf":0.5},{"minimum":2}]}`,
		`{"enum":[1,"a",null]}`,
		`{"type":"string","pattern":"^[a-f]{2}$"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := tree.ReadJSON(text, nil)
		if err != nil {
			return
		}
		sampler := New(tree.NewReferences(doc.Root), tree.NewQuota(20_000, nil))
		first, stop := sampler.Make(doc.Root, ToServer)
		again, _ := sampler.Make(doc.Root, ToServer) // reuses values created before
		if stop == 0 && !first.Equal(again) {
			t.Fatal("two samples of one schema differ")
		}
		if first == nil || stop != 0 || !exact(doc.Root) {
			return
		}
		if ok, err := documenttest.Fits(text, documenttest.Write(t, first)); err == nil && !ok {
			t.Errorf("%s does not fit %s", documenttest.Write(t, first), text)
		}
	})
}

// exact reports whether a schema has only keywords that a sample is certain to satisfy: no examples from its author
// and no possible contradictions.
func exact(v *tree.Value) bool {
	for name, value := range v.Members() {
		switch name {
		case "type":
			if value.Kind() != tree.String {
				return false
			}
		case "minimum", "maximum", "multipleOf", "minLength", "maxLength", "items", "properties", "a":
			if !exact(value) {
				return false
			}
		default:
			return false
		}
	}
	return v.Kind() != tree.False && v.Kind() != tree.Array
}
