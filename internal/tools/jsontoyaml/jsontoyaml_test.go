package jsontoyaml

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

var defaults = convert.Options{"indent": 2}

func TestCases(t *testing.T) { converttest.Run(t, Tool, defaults) }

func input(text string, indent int) convert.Input {
	return convert.Input{
		Artifact: convert.Artifact{MediaType: "application/json", Value: text},
		Options:  convert.Options{"indent": indent},
	}
}

// hostile are texts of 1 MiB that make much output, or much work, of little input.
var hostile = map[string]string{
	"lines at the deepest indentation": strings.Repeat(`{"a":`, 256) + `"` + strings.Repeat(`x\n`, 300_000) + `"` + strings.Repeat("}", 256),
	"members at the deepest level":     strings.Repeat(`[{"a":`, 127) + "[" + strings.Repeat("[],", 300_000) + "0]" + strings.Repeat("}]", 127),
	"control characters":               `"` + strings.Repeat(`\u0001`, 170_000) + `"`,
	"control characters in a name":     `{"` + strings.Repeat(`\u0001`, 170_000) + `":1}`,
	"separators":                       `"` + strings.Repeat("\u2028", 340_000) + `"`,
	"line feeds":                       `"` + strings.Repeat(`\n`, 500_000) + `"`,
	"blank lines":                      `["x` + strings.Repeat(`\n`, 500_000) + `"]`,
	"blank lines and a line":           `["` + strings.Repeat(`\n`, 500_000) + `x"]`,
	"brackets":                         strings.Repeat("[", 1<<20),
	"empty arrays":                     "[" + strings.Repeat("[],", 340_000) + "[]]",
	"long names":                       "[" + strings.Repeat(`{"`+strings.Repeat("n", 1000)+`":0},`, 1000) + "0]",
	"a long fraction":                  "0.1" + strings.Repeat("0", 1<<20-3),
	"a long exponent":                  "0e" + strings.Repeat("9", 1<<20-2),
	"colons":                           `["a` + strings.Repeat(":", 1<<20-10) + `b"]`,
}

// TestHostile converts large texts that are made to be slow or to grow. What is
// allocated is a small multiple of input and output.
func TestHostile(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			for _, indent := range []int{1, 8} {
				var result convert.Result
				var failure *convert.Failure
				cost := converttest.Measure(func() int { result, failure = converttest.Do(t, Tool, input(text, indent)); return 0 })
				if failure == nil && len(result.Value) > convert.MaxOutputCharacters {
					t.Errorf("an output of %d bytes", len(result.Value))
				}
				if limit := 8 * (len(text) + convert.MaxOutputCharacters); cost.Bytes > limit {
					t.Errorf("%d bytes allocated, more than %d", cost.Bytes, limit)
				}
			}
		})
	}
}

func TestStopsWhenTheCallerLeaves(t *testing.T) {
	ctx, leave := context.WithCancel(context.Background())
	leave()
	in := input("["+strings.Repeat("0,", 10_000)+"0]", 2)
	in.Limit = convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters)
	if _, err := Tool.Convert(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("want %v, got %v", context.Canceled, err)
	}
}

// FuzzTool holds the tool's promises for every text. That the output reads
// back to the same value is fuzzed in test/yamlreaders.
func FuzzTool(f *testing.F) {
	for _, c := range converttest.Load(f, "testdata/cases.yaml") {
		f.Add(c.Input, uint8(2))
	}
	f.Fuzz(func(t *testing.T, text string, indent uint8) {
		text = strings.ToValidUTF8(text, "?")
		converttest.Check(t, Tool, input(text, 1+int(indent)%8))
	})
}

// A few kilobytes that become the largest output are not light.
func TestWeight(t *testing.T) {
	deep := strings.Repeat("[", 250) + strings.Repeat("1,", 700) + "1" + strings.Repeat("]", 250)
	for value, heavy := range map[string]bool{"[1]": false, deep: true} {
		if got := Tool.Weigh(input(value, 8)); (got > convert.Light) != heavy {
			t.Errorf("%.10s: %d", value, got)
		}
	}
}
