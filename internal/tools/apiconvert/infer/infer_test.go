package infer

import (
	"testing"

	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

var inferred = []struct{ name, samples, want string }{
	{"nothing", `[]`, `{}`},
	{"integer", `[1, 2]`, `{"type":"integer"}`},
	{"number", `[1, 2.5]`, `{"type":"number"}`},
	{"a whole measure", `[1.0]`, `{"type":"number"}`},
	{"null as well", `["a", null]`, `{"type":["string","null"]}`},
	{"null only", `[null]`, `{}`},
	{"types", `["a", 1]`, `{"oneOf":[{"type":"string"},{"type":"integer"}]}`},
	{"types and null", `["a", true, null]`, `{"oneOf":[{"type":"string"},{"type":"boolean"},{"type":"null"}]}`},
	{"format where all agree", `["2024-01-01", "2024-02-29"]`, `{"type":"string","format":"date"}`},
	{"no format where one does not", `["2024-01-01", "2023-02-29"]`, `{"type":"string"}`},
	{"date-time", `["2024-01-01T10:00:00.5+02:00"]`, `{"type":"string","format":"date-time"}`},
	{"not a date-time", `["2024-01-01T25:00:00Z"]`, `{"type":"string"}`},
	{"uuid", `["3FA85F64-5717-4562-b3fc-2c963f66afa6"]`, `{"type":"string","format":"uuid"}`},
	{"email", `["a.b@example.com"]`, `{"type":"string","format":"email"}`},
	{"not an email", `["a@b", "@"]`, `{"type":"string"}`},
	{"uri", `["https://example.com/a?b=c"]`, `{"type":"string","format":"uri"}`},
	{"a variable is no uri", `["https://{{host}}/a"]`, `{"type":"string"}`},
	{"empty array", `[[]]`, `{"type":"array","items":{}}`},
	{"items are merged", `[[{"a": 1}, {"a": 2, "b": "x"}]]`,
		`{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}}}}`},
	{"items of two samples", `[[{"a": 1}, {"a": 2, "b": "x"}], [{"a": 3}]]`,
		`{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a"]}}`},
	{"members", `[{"a": 1, "b": null}, {"b": 1.5}]`,
		`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":["number","null"]}},"required":["b"]}`},
	{"empty object", `[{}]`, `{"type":"object"}`},
}

func TestInfer(t *testing.T) {
	for _, c := range inferred {
		t.Run(c.name, func(t *testing.T) {
			samples := documenttest.Parse(t, c.samples).Elements()
			got := documenttest.Write(t, Schema(samples, nil, tree.NewQuota(1000, nil)))
			if got != c.want {
				t.Errorf("want %s, got %s", c.want, got)
			}
			for _, sample := range samples {
				if ok, err := documenttest.Fits(got, documenttest.Write(t, sample)); err != nil || !ok {
					t.Errorf("%s does not accept %s: %v", got, documenttest.Write(t, sample), err)
				}
			}
		})
	}
}

func TestInferIsBounded(t *testing.T) {
	if got := Schema(documenttest.Parse(t, `[[1,2,3,4,5,6,7,8,9,10]]`).Elements(), nil, tree.NewQuota(5, nil)); got != nil {
		t.Errorf("a budget of 5 made %s", documenttest.Write(t, got))
	}
}

// FuzzInfer checks that an inferred schema accepts each of its samples.
func FuzzInfer(f *testing.F) {
	for _, c := range inferred {
		f.Add(c.samples)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := tree.ReadJSON(text, nil)
		if err != nil || len(text) > 2000 {
			return
		}
		s := Schema(doc.Root.Elements(), nil, tree.NewQuota(20_000, nil))
		if s == nil {
			return
		}
		for _, sample := range doc.Root.Elements() {
			if ok, err := documenttest.Fits(documenttest.Write(t, s), documenttest.Write(t, sample)); err == nil && !ok {
				t.Errorf("%s does not accept %s", documenttest.Write(t, s), documenttest.Write(t, sample))
			}
		}
	})
}
