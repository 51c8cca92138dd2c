package infer

import (
	"math/rand/v2"
	"strings"
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
	{"a map by date", `[{"2024-01-01": {"n": 1}, "2024-01-02": {"n": 2.5, "m": "x"}}]`,
		`{"type":"object","additionalProperties":{"type":"object","properties":{"n":{"type":"number"},"m":{"type":"string"}}}}`},
	{"a map by UUID", `[{"3fa85f64-5717-4562-b3fc-2c963f66afa6": "a", "0b0e9c2c-6c4f-4b9c-8f5e-1f8f1c9e7a11": null}]`,
		`{"type":"object","additionalProperties":{"type":["string","null"]}}`},
	{"a map by number or identifier of two samples", `[{"1": [1], "22": []}, {"507f1f77bcf86cd799439011": ["x"]}, {"cus_NffrFeUfNV27ib": [], "ann@example.com": []}]`,
		`{"type":"object","additionalProperties":{"type":"array","items":{"oneOf":[{"type":"string"},{"type":"integer"}]}}}`},
	{"a map with a property", `[{"2024": 1, "base": "EUR"}, {"2025": 2, "base": "USD"}]`,
		`{"type":"object","properties":{"base":{"type":"string"}},"additionalProperties":{"type":"integer"},"required":["base"]}`},
	{"names with digits", `[{"line1": "a", "address_streetLine2": "b", "2fa": true, "v1.2": 1, "sha256": "c"}]`,
		`{"type":"object","properties":{"line1":{"type":"string"},"address_streetLine2":{"type":"string"},"2fa":{"type":"boolean"},"v1.2":{"type":"integer"},"sha256":{"type":"string"}}}`},
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

// TestRandomSamples checks that the schema of random samples accepts each of them, and that so does the schema of each
// sample on its own after they are joined.
func TestRandomSamples(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		samples := make([]*tree.Value, 1+random.IntN(4))
		quota := tree.NewQuota(100_000, nil)
		var first *Summary
		for i := range samples {
			samples[i] = randomObject(random, 3)
			if s := Summarize(samples[i:i+1], nil, quota); first == nil {
				first = s
			} else {
				Join(first.Object(), s.Object(), quota)
			}
		}
		for _, schema := range []*tree.Value{Schema(samples, nil, quota), first.Schema(Style{})} {
			text := documenttest.Write(t, schema)
			for _, sample := range samples {
				if ok, err := documenttest.Fits(text, documenttest.Write(t, sample)); err != nil || !ok {
					t.Fatalf("%s does not accept %s: %v", text, documenttest.Write(t, sample), err)
				}
			}
		}
	}
}

// Names and scalars of random samples.
var (
	names = strings.Fields("id name 2024-01-01 2024-02 1 42 2024 cus_NffrFeUfNV2Hib cus_NffrFeUfNV27ib usr_1 a@example.com " +
		"3fa85f64-5717-4562-b3fc-2c963f66afa6 507f1f77bcf86cd799439011 20240517 items USD")
	scalars = []string{`null`, `true`, `1`, `10.00`, `1e3`, `"a"`, `"2024-01-01"`, `"2024-01-01T00:00:00Z"`, `"a@example.com"`,
		`"https://a.test"`, `"3fa85f64-5717-4562-b3fc-2c963f66afa6"`, `""`}
)

func randomObject(random *rand.Rand, levels int) *tree.Value {
	v := tree.NewObject()
	for range random.IntN(5) {
		v.Set(names[random.IntN(len(names))], randomValue(random, levels-1))
	}
	return v
}

func randomValue(random *rand.Rand, levels int) *tree.Value {
	switch kind := random.IntN(4); {
	case levels > 0 && kind == 0:
		return randomObject(random, levels)
	case levels > 0 && kind == 1:
		v := tree.NewArray()
		for range random.IntN(3) {
			v.Append(randomValue(random, levels-1))
		}
		return v
	}
	doc, _ := tree.ReadJSON(scalars[random.IntN(len(scalars))], nil)
	return doc.Root
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
