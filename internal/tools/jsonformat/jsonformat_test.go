package jsonformat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
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

// checkProperties holds what is true of every text and indent: the layout is the one encoding/json makes of the same
// tokens, formatting it again changes nothing, and taking the white space out gives the same line.
func checkProperties(tb testing.TB, text string, indent int) {
	tb.Helper()
	got, failure := converttest.Do(tb, Tool, input(text, indent))
	if failure != nil {
		return
	}
	if want := layoutOf(tb, text, indent); got.Value != want {
		tb.Fatalf("%q with indent %d: want\n%s\ngot\n%s", text, indent, want, got.Value)
	}
	if again, failure := converttest.Do(tb, Tool, input(got.Value, indent)); failure != nil || again.Value != got.Value {
		tb.Errorf("%q with indent %d: formatting twice: %s\n%v", text, indent, again.Value, failure)
	}
	line, failure := converttest.Do(tb, Tool, input(text, 0))
	if failure != nil {
		tb.Fatal(failure)
	}
	if back, failure := converttest.Do(tb, Tool, input(got.Value, 0)); failure != nil || back.Value != line.Value {
		tb.Errorf("%q with indent %d: other tokens: %s\n%v", text, indent, back.Value, failure)
	}
	if indent == 0 && len(got.Value) > len(text) {
		tb.Errorf("%q: one line is longer than the text: %s", text, got.Value)
	}
}

// layoutOf is the layout as encoding/json makes it.
func layoutOf(tb testing.TB, text string, indent int) string {
	tb.Helper()
	var out bytes.Buffer
	err := json.Compact(&out, []byte(text))
	if indent > 0 && err == nil {
		line := out.String()
		out.Reset()
		err = json.Indent(&out, []byte(line), "", strings.Repeat(" ", indent))
	}
	check.OK(tb, err)
	return out.String()
}

// records returns an array of n small objects with something of everything.
func records(random *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString("[")
	for i := range n {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", random.IntN(3)) + ",\n")
		}
		fmt.Fprintf(&b, `{"id": %d, "né\n%d":"%s", "list":[%v, {}, [ ] ,%q], "deep":{"er":{"est":%v}}}`,
			i, random.IntN(100), strings.Repeat("text ", random.IntN(12)), random.IntN(1e6)-5e5,
			strings.Repeat("é", random.IntN(20)), random.IntN(2) == 0)
	}
	return b.String() + "]"
}

// TestProperties: rules JSON-6, JSON-7.
func TestProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		text := records(random, random.IntN(20))
		for indent := range 9 {
			checkProperties(t, text, indent)
		}
	}
}

// TestMegabytes formats inputs of a megabyte with every kind of content.
func TestMegabytes(t *testing.T) {
	const mega = 1 << 20
	for name, text := range map[string]string{
		"numbers":             "[" + strings.Repeat("1,", mega/2-2) + "1]",
		"seventeen digits":    "[" + strings.Repeat("-65.613616999999977,", mega/20) + "1]",
		"one number":          strings.Repeat("1", mega),
		"empty objects":       "[" + strings.Repeat("{},", mega/3-1) + "1]",
		"one string":          `"` + strings.Repeat("x", mega-2) + `"`,
		"escapes":             `"` + strings.Repeat(`\n`, mega/2-1) + `"`,
		"hexadecimal":         `"` + strings.Repeat(`\u00e9`, mega/6-1) + `"`,
		"white space":         strings.Repeat("\n", mega-1) + "1",
		"spaces":              strings.Repeat(" ", mega-1) + "1",
		"deep and shallow":    "[" + strings.Repeat(strings.Repeat("[", 255)+strings.Repeat("]", 255)+",", mega/511-1) + "1]",
		"names":               wideObject(mega),
		"an error at the end": "[" + strings.Repeat("1,", mega/2-2) + "x]",
	} {
		t.Run(name, func(t *testing.T) {
			for _, indent := range []int{0, 2, 8} {
				in := input(text, indent)
				result, failure := converttest.Do(t, Tool, in)
				if failure == nil && utf8.RuneCountInString(result.Value) > convert.MaxOutputCharacters {
					t.Errorf("indent %d: %d characters", indent, utf8.RuneCountInString(result.Value))
				}
			}
		})
	}
}

// wideObject returns one object of about n bytes.
func wideObject(n int) string {
	var b strings.Builder
	b.WriteString(`{"":0`)
	for i := 0; b.Len() < n-16; i++ {
		fmt.Fprintf(&b, `,"%d":0`, i)
	}
	return b.String() + "}"
}

func FuzzTool(f *testing.F) {
	for _, c := range converttest.Load(f, "testdata/cases.yaml") {
		if len(c.Input) < 4096 {
			f.Add(c.Input, 2)
		}
	}
	f.Fuzz(func(t *testing.T, text string, indent int) {
		if !utf8.ValidString(text) {
			return
		}
		indent = (indent%9 + 9) % 9
		converttest.Check(t, Tool, input(text, indent))
		checkProperties(t, text, indent)
	})
}

// The tool leaves its options alone and makes no warnings.
func TestNoWarnings(t *testing.T) {
	got, failure := converttest.Do(t, Tool, input(`{"a":1}`, 0))
	if diff := cmp.Diff(convert.Result{Value: `{"a":1}`}, got); diff != "" || failure != nil {
		t.Errorf("%v (-want +got):\n%s", failure, diff)
	}
}

// A few kilobytes that become the largest output are not light.
func TestWeight(t *testing.T) {
	deep := strings.Repeat("[", 250) + strings.Repeat("1,", 700) + "1" + strings.Repeat("]", 250)
	for indent, heavy := range map[int]bool{0: false, 8: true} {
		if got := Tool.Weigh(input(deep, indent)); (got > convert.Light) != heavy {
			t.Errorf("indent %d: %d", indent, got)
		}
	}
}
