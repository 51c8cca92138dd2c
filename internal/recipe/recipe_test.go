package recipe

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

func load(t testing.TB) *contract.Contract {
	t.Helper()
	return check.Value(contract.Load())(t)
}

// Rules: LINK-1, LINK-2.
func TestFormat(t *testing.T) {
	c := load(t)
	step := func(name string, options convert.Options) contract.Step {
		tool := c.Tool(name)
		return contract.Step{ID: "an-id", Tool: tool, Options: tool.Complete(options)}
	}
	for want, steps := range map[string][]contract.Step{
		"r=1&s=json_format":                              {step("json_format", nil)},
		"r=1&s=json_format,indent:4":                     {step("json_format", convert.Options{"indent": 4})},
		"r=1&s=json_format,indent:0&s=json_to_yaml":      {step("json_format", convert.Options{"indent": 0}), step("json_to_yaml", convert.Options{"indent": 2})},
		"r=1&s=timestamp_to_iso,unit:milliseconds":       {step("timestamp_to_iso", convert.Options{"unit": "milliseconds"})},
		"r=1&s=jwt_decode&s=json_to_yaml&s=json_to_yaml": {step("jwt_decode", nil), step("json_to_yaml", nil), step("json_to_yaml", nil)},
	} {
		if got := Format(steps); got != want {
			t.Errorf("want %s, got %s", want, got)
		}
	}
}

// Rule: LINK-4.
func TestRefused(t *testing.T) {
	c := load(t)
	for _, text := range []string{
		"", "r=1", "r=2&s=json_format", "s=json_format", "r=1&s=", "r=1&s=unknown", "r=1&s=json_format&", "r=1&x=json_format",
		"r=1&s=json_format,", "r=1&s=json_format,indent", "r=1&s=json_format,indent:", "r=1&s=json_format,indent:9", "r=1&s=json_format,indent:-1",
		"r=1&s=json_format,indent:+2", "r=1&s=json_format,indent:02", "r=1&s=json_format,indent:2.0", "r=1&s=json_format,indent:2,indent:2",
		"r=1&s=json_format,unit:seconds", "r=1&s=timestamp_to_iso,unit:years", "r=1&s=timestamp_to_iso,unit:%", "r=1&s=timestamp_to_iso,unit:%zz",
		"r=1&s=json_format#", "#r=1&s=json_format", "r=1&s=json_format,indent:%32%0", "r=1" + strings.Repeat("&s=json_format", 21),
		"r=1&s=json_format," + strings.Repeat("a", 9000),
	} {
		if steps, err := Parse(c, text); err == nil {
			t.Errorf("%.60q is accepted as %v", text, steps)
		}
	}
	if _, err := Parse(c, "r=1&s=timestamp_to_iso,unit:%73econds"); err != nil {
		t.Errorf("a percent-encoded letter: %v", err)
	}
}

// TestRefusalLocation checks that a refusal counts steps from 1.
func TestRefusalLocation(t *testing.T) {
	c := load(t)
	for text, want := range map[string]string{
		"r=1&s=json_format&x=json_format":           "Part 2 of the recipe",
		"r=1&s=json_format&s=unknown":               "Step 2 of the recipe names an unknown tool",
		"r=1&s=json_format,indent:9":                "Step 1 of the recipe has an option with a value",
		"r=1&s=json_format,unit:1":                  "Step 1 of the recipe names an option",
		"r=1&s=json_format,indent:1,indent:1":       "Step 1 of the recipe repeats an option",
		"r=1&s=jwt_decode&s=api_convert":            "Step 2 of the recipe lacks an option",
		"r=1" + strings.Repeat("&s=jwt_decode", 21): "A recipe has 1 to 20 steps",
	} {
		if _, err := Parse(c, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want %q, got %v", text, want, err)
		}
	}
}

// TestMostSteps checks that a recipe may have as many steps as a pipeline.
func TestMostSteps(t *testing.T) {
	c := load(t)
	most := c.Limits().PipelineSteps
	for n, taken := range map[int]bool{1: true, most: true, most + 1: false} {
		if _, err := Parse(c, "r=1"+strings.Repeat("&s=jwt_decode", n)); (err == nil) != taken || most < 2 {
			t.Errorf("%d steps: %v", n, err)
		}
	}
}

// TestEscape checks percent-encoding, which no value of an option needs yet.
func TestEscape(t *testing.T) {
	for text, want := range map[string]string{"azAZ09-._~": "azAZ09-._~", "@[`{/:": "%40%5B%60%7B%2F%3A", "a é\n&%": "a%20%C3%A9%0A%26%25"} {
		if got := escape(text); got != want {
			t.Errorf("%q: want %s, got %s", text, want, got)
		}
		if got, ok := parseValue(contract.Option{Enum: []string{text}}, want); got != text || !ok {
			t.Errorf("%s: want %q, got %q, %v", want, text, got, ok)
		}
	}
}

// TestVectors parses the recipes that the editor's parser is tested with too.
func TestVectors(t *testing.T) {
	c := load(t)
	var vectors struct {
		Accepted []struct{ Text, Canonical string }
		Refused  []string
	}
	check.JSON(t, check.File(t, "testdata/vectors.json"), &vectors)
	for _, v := range vectors.Accepted {
		steps, err := Parse(c, v.Text)
		if err != nil {
			t.Errorf("%q: %v", v.Text, err)
		} else if got := Format(steps); got != v.Canonical {
			t.Errorf("%q: want %q, got %q", v.Text, v.Canonical, got)
		}
	}
	for _, text := range vectors.Refused {
		if steps, err := Parse(c, text); err == nil {
			t.Errorf("%.60q is accepted as %v", text, steps)
		}
	}
	if len(vectors.Accepted) < 10 || len(vectors.Refused) < 50 {
		t.Error("the vectors are not all there")
	}
}

// TestRoundTrip formats random recipes and parses them.
func TestRoundTrip(t *testing.T) {
	c := load(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		steps := make([]contract.Step, 1+random.IntN(20))
		for i := range steps {
			tool := &c.Tools()[random.IntN(len(c.Tools()))]
			options := convert.Options{}
			for _, o := range tool.Options {
				switch {
				case !o.Required && random.IntN(3) == 0:
				case o.Integer:
					options[o.Name] = o.Minimum + random.IntN(o.Maximum-o.Minimum+1)
				default:
					options[o.Name] = o.Enum[random.IntN(len(o.Enum))]
				}
			}
			steps[i] = contract.Step{Tool: tool, Options: tool.Complete(options)}
		}
		text := Format(steps)
		again, err := Parse(c, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for i := range steps {
			if again[i].Tool != steps[i].Tool || !cmp.Equal(again[i].Options, steps[i].Options) {
				t.Fatalf("%s: step %d came back as %v", text, i, again[i])
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	c := load(f)
	f.Add("r=1&s=json_format,indent:4&s=json_to_yaml")
	f.Add("r=1&s=timestamp_to_iso,unit:%73econds")
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := Parse(c, text)
		if err != nil {
			return
		}
		again, err := Parse(c, Format(steps))
		if err != nil || Format(again) != Format(steps) {
			t.Fatalf("%q is accepted, but its canonical form %q is not the same: %v", text, Format(steps), err)
		}
	})
}
