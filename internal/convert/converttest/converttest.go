// Package converttest runs a tool's cases. Cases are data next to the tool (testdata/cases.yaml), so that one
// line of Go tests a tool. Every tool is checked for the same guarantees: its result is deterministic, a
// failure contains nothing of the input, the output stays within its limit.
package converttest

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
)

// Case is one input and its expected result: an output with its warnings, or a failure's code and position.
type Case struct {
	Name      string         `yaml:"name"`
	MediaType string         `yaml:"mediaType"`
	Input     string         `yaml:"input"`
	Repeat    []Repeat       `yaml:"repeat"` // appended to Input
	Options   map[string]any `yaml:"options"`

	Output   string   `yaml:"output"`
	Warnings []string `yaml:"warnings"` // each expected warning, or its code alone

	Code   convert.Code `yaml:"code"`
	Line   int          `yaml:"line"`   // checked when not 0
	Column int          `yaml:"column"` // checked when not 0
}

// Repeat is a string and how often the input repeats it.
type Repeat struct {
	Text  string `yaml:"text"`
	Times int    `yaml:"times"`
}

// Load reads cases from a YAML file and rejects an unknown field, an unnamed case and a duplicate name.
func Load(tb testing.TB, file string) []Case {
	tb.Helper()
	var cases []Case
	Data(tb, file, &cases)
	seen := map[string]bool{}
	for i := range cases {
		c := &cases[i]
		if c.Name == "" || seen[c.Name] {
			tb.Fatalf("%s: case %d: name %q is empty or appears twice", file, i, c.Name)
		}
		seen[c.Name] = true
		for _, r := range c.Repeat {
			c.Input += strings.Repeat(r.Text, r.Times)
		}
	}
	return cases
}

// Data decodes a YAML file of test data into what into points to. An unknown field or a file without data fails
// the test. Objects decoded into an any keep the order of their members.
func Data(tb testing.TB, file string, into any) {
	tb.Helper()
	text := check.Value(os.ReadFile(file))(tb)
	if err := yaml.UnmarshalWithOptions(text, into, yaml.Strict(), yaml.UseOrderedMap()); err != nil {
		tb.Fatalf("%s: %v", file, err)
	}
	if reflect.ValueOf(into).Elem().IsZero() {
		tb.Fatalf("%s: no data", file)
	}
}

// Call returns the tool's input for a case; options that the case omits come from defaults, as the document
// would fill them in.
func (c Case) Call(defaults convert.Options) convert.Input {
	options := convert.Options{}
	maps.Copy(options, defaults)
	for name, value := range c.Options {
		if n, ok := value.(uint64); ok {
			value = int(n)
		}
		options[name] = value
	}
	return convert.Input{
		Artifact: convert.Artifact{MediaType: c.MediaType, Value: c.Input},
		Options:  options,
	}
}

// Run runs every case of testdata/cases.yaml with the tool.
func Run(t *testing.T, tool convert.Tool, defaults convert.Options) {
	t.Helper()
	for _, c := range Load(t, "testdata/cases.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			in := c.Call(defaults)
			got, failure := Do(t, tool, in)
			if c.Code != "" {
				checkFailure(t, c, failure)
			} else {
				checkResult(t, c, got, failure)
			}
			Check(t, tool, in)
		})
	}
}

func checkResult(t *testing.T, c Case, got convert.Result, failure *convert.Failure) {
	t.Helper()
	if failure != nil {
		t.Fatalf("refused: %v\nhint: %s", failure, failure.Hint)
	}
	check.Equal(t, c.Output, got.Value, "output")
	if len(c.Warnings) != len(got.Warnings) {
		t.Fatalf("warnings: want %q, got %q", c.Warnings, got.Warnings)
	}
	for i, want := range c.Warnings {
		if code, _, _ := strings.Cut(got.Warnings[i], ": "); want != code && want != got.Warnings[i] {
			t.Errorf("warning %d: want %q, got %q", i, want, got.Warnings[i])
		}
	}
}

func checkFailure(t *testing.T, c Case, failure *convert.Failure) {
	t.Helper()
	if failure == nil {
		t.Fatalf("accepted, want %s", c.Code)
	}
	if failure.Code != c.Code {
		t.Errorf("code: want %s, got %v", c.Code, failure)
	}
	if c.Line != 0 && failure.Line != c.Line || c.Column != 0 && failure.Column != c.Column {
		t.Errorf("place: want line %d, column %d, got %v", c.Line, c.Column, failure)
	}
}

// Do runs the tool once with the service's output limit. An error that is not a *convert.Failure fails the test.
func Do(tb testing.TB, tool convert.Tool, in convert.Input) (convert.Result, *convert.Failure) {
	tb.Helper()
	in.Limit = convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters)
	result, err := tool.Convert(context.Background(), in)
	if err == nil {
		return result, nil
	}
	var failure *convert.Failure
	if !errors.As(err, &failure) {
		tb.Fatalf("an error that is not a Failure: %T %v", err, err)
	}
	return convert.Result{}, failure
}

// Check checks one input against the guarantees that every tool makes: use it in fuzz targets, too.
func Check(tb testing.TB, tool convert.Tool, in convert.Input) {
	tb.Helper()
	first, failure := Do(tb, tool, in)
	again, failureAgain := Do(tb, tool, in)
	check.Equal(tb, first, again, "not deterministic")
	check.Equal(tb, failure, failureAgain, "not deterministic")
	if failure == nil {
		checkOutput(tb, first)
		checkInto(tb, tool, in, first)
		return
	}
	if failure.Detail == "" || failure.Hint == "" {
		tb.Errorf("a failure without detail or hint: %+v", failure)
	}
	checkNoEcho(tb, tool, in)
}

// checkOutput checks every successful result: it is UTF-8, and warnings start with a code.
func checkOutput(tb testing.TB, result convert.Result) {
	tb.Helper()
	if !utf8.ValidString(result.Value) {
		tb.Error("the output is not UTF-8")
	}
	for _, w := range result.Warnings {
		if code, text, ok := strings.Cut(w, ": "); !ok || text == "" || strings.ContainsAny(code, " \n") {
			tb.Errorf("warning %q does not start with a code", w)
		}
	}
}

// checkInto checks that an output written into a JSON string is the same, and that the output limit is kept, into a JSON
// string or not.
func checkInto(tb testing.TB, tool convert.Tool, in convert.Input, want convert.Result) {
	tb.Helper()
	const head = `{"output\n":"`
	size := utf8.RuneCountInString(want.Value)
	in.Limit = convert.NewInto([]byte(head), size, len(want.Value))
	got, err := tool.Convert(context.Background(), in)
	if err != nil {
		tb.Errorf("refused into a JSON string: %v", err)
	}
	if got.Into != nil {
		text, found := strings.CutPrefix(string(got.Into), head)
		if err := json.Unmarshal([]byte(`"`+text+`"`), &got.Value); err != nil || !found {
			tb.Errorf("into a JSON string: %v\n%s", err, got.Into)
		}
		got.Into = nil
	}
	check.Equal(tb, want, got, "another output into a JSON string")
	if size == 0 {
		return
	}
	for _, limit := range []*convert.OutputLimit{convert.NewOutputLimit(size-1, 4*size), convert.NewInto([]byte(head), size-1, len(want.Value))} {
		in.Limit = limit
		var failure *convert.Failure
		if _, err := tool.Convert(context.Background(), in); !errors.As(err, &failure) || failure.Code != convert.OutputTooLarge {
			tb.Errorf("one character over the limit: want %s, got %v", convert.OutputTooLarge, err)
		}
	}
}

// marker is in no message.
const marker = "ZqXw7Secret"

// checkNoEcho plants a marker in a rejected input and searches the failure for it.
func checkNoEcho(tb testing.TB, tool convert.Tool, in convert.Input) {
	tb.Helper()
	text := in.Value
	for _, at := range []int{0, len(text) / 4, len(text) / 2, len(text) * 3 / 4, len(text)} {
		for at < len(text) && !utf8.RuneStart(text[at]) {
			at++
		}
		in.Value = text[:at] + marker + text[at:]
		if _, failure := Do(tb, tool, in); failure != nil {
			if strings.Contains(failure.Detail+failure.Hint, marker) || failure.Path != nil || failure.Step != "" {
				tb.Errorf("echoes the input: %+v", failure)
			}
		}
	}
}
