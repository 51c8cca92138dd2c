package timestamptoiso

import (
	"testing"
	"time"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// TestCorpus compares every case of the shared corpus with the one result that it prefers, which is stricter
// than comparing with the results that it allows.
func TestCorpus(t *testing.T) {
	var cases []struct {
		Input  string
		Unit   any
		Expect any
		Note   string
	}
	converttest.CorpusData(t, "text/timestamp/cases.json", &cases)
	for _, c := range cases {
		var got any
		in := call(c.Input, nil)
		if c.Unit != nil {
			in.Options["unit"] = c.Unit
		}
		result, failure := converttest.Do(t, Tool, in)
		if got = result.Value; failure != nil {
			got = 422.0
		}
		if got != c.Expect {
			t.Errorf("%q, unit %v (%s): want %v, got %v %v", c.Input, c.Unit, c.Note, c.Expect, got, failure)
		}
	}
}

// TestTest262 runs the strings of ECMAScript's test suite for Temporal. An accepted string must be the instant
// that Go's own parser returns; a rejected one must be rejected for the right reason.
func TestTest262(t *testing.T) {
	var inputs []string
	converttest.CorpusData(t, "text/timestamp/test262.json", &inputs)
	accepted := 0
	for _, input := range inputs {
		want, ok := readByGo(input)
		result, failure := converttest.Do(t, Tool, call(input, nil))
		switch {
		case failure == nil && !ok:
			t.Errorf("%q: accepted as %s, but Go cannot read it", input, result.Value)
		case failure == nil:
			accepted++
			if got, err := time.Parse(time.RFC3339Nano, result.Value); err != nil || !got.Equal(want) {
				t.Errorf("%q: want %v, got %s", input, want, result.Value)
			}
		case ok:
			t.Errorf("%q: refused: %v", input, failure)
		case !sensible(input, failure.Code):
			t.Errorf("%q: refused with %v", input, failure)
		}
	}
	if accepted == 0 {
		t.Errorf("none of %d strings accepted", len(inputs))
	}
}

// goLayouts are the tool's forms that Go can read, and no others; Go reads a fraction whether the layout has
// one or not.
var goLayouts = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02t15:04:05Z07:00", "2006-01-02 15:04:05Z07:00",
	"2006-01-02T15:04Z07:00", "2006-01-02t15:04Z07:00", "2006-01-02 15:04Z07:00",
	"2006-01-02T15:04:05Z07", "2006-01-02T15:04Z07",
	"20060102T150405Z0700", "20060102T1504Z0700", "20060102T150405Z07", "20060102T1504Z07",
}

func readByGo(input string) (time.Time, bool) {
	for _, layout := range goLayouts {
		if t, err := time.Parse(layout, input); err == nil && t.UTC().Year() >= 1 && t.UTC().Year() <= 9999 {
			return t, true
		}
	}
	return time.Time{}, false
}

// sensible reports whether the code may reject the input, judging only by its outer form.
func sensible(input string, code convert.Code) bool {
	_, withZone := readByGo(input + "Z")
	switch code {
	case convert.InvalidTimestamp: // adding a zone must not make it valid
		return !withZone
	case convert.ZoneRequired:
		return withZone
	case convert.TimestampOutOfRange:
		return input[0] == '-' || input[0] == '+'
	}
	return false
}

func call(input string, options convert.Options) convert.Input {
	if options == nil {
		options = convert.Options{}
	}
	return convert.Input{Artifact: convert.Artifact{MediaType: "text/plain", Value: input}, Options: options}
}
