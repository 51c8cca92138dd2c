package timestamptoiso

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

func TestCases(t *testing.T) { converttest.Run(t, Tool, nil) }

// TestLongFraction sends more digits than a case can hold, and checks that all are kept and that the budget applies.
func TestLongFraction(t *testing.T) {
	fraction := strings.Repeat("1234567890", 100_000)
	in := call("2024-02-29T12:34:56."+fraction+"+01:00", nil)
	result, failure := converttest.Do(t, Tool, in)
	if failure != nil {
		t.Fatal(failure)
	}
	if result.Value != "2024-02-29T11:34:56."+fraction+"Z" {
		t.Error("digits were lost or changed")
	}
	converttest.Check(t, Tool, in)
}

// outputForm is the grammar of the output.
var outputForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`)

// epochForm is the grammar of a number with a unit.
var epochForm = regexp.MustCompile(`^-?\d+(\.\d+)?$`)

// valueOf is an output's exact number of seconds since 1970, counted by the
// time package and big.Rat. A leap second counts as the one after it.
func valueOf(t testing.TB, output string) *big.Rat {
	t.Helper()
	seconds, fraction := output[:len("2006-01-02T15:04:05")], "0"+output[len("2006-01-02T15:04:05"):len(output)-1]
	extra := int64(0)
	if text, leap := strings.CutSuffix(seconds, ":60"); leap {
		seconds, extra = text+":59", 1
	}
	at, err := time.Parse("2006-01-02T15:04:05", seconds)
	if err != nil {
		t.Fatalf("output %q: %v", output, err)
	}
	value, ok := new(big.Rat).SetString(fraction)
	if !ok {
		t.Fatalf("output %q: bad fraction", output)
	}
	return value.Add(value, new(big.Rat).SetInt64(at.Unix()+extra))
}

// epochValue returns the exact number of seconds for a number and a unit.
func epochValue(t testing.TB, number, unit string) *big.Rat {
	t.Helper()
	value, ok := new(big.Rat).SetString(number)
	if !ok {
		t.Fatalf("%q is no number", number)
	}
	perSecond := map[string]int64{"seconds": 1, "milliseconds": 1e3, "microseconds": 1e6, "nanoseconds": 1e9}[unit]
	return value.Quo(value, new(big.Rat).SetInt64(perSecond))
}

var (
	firstValue = new(big.Rat).SetInt64(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix())
	endValue   = new(big.Rat).SetInt64(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Unix())
)

// checkEpoch compares the result for a number and a unit with exact arithmetic.
func checkEpoch(t testing.TB, number, unit string) {
	t.Helper()
	in := call(number, convert.Options{"unit": unit})
	result, failure := converttest.Do(t, Tool, in)
	number = strings.Trim(number, asciiSpace)
	var want convert.Code
	if !epochForm.MatchString(number) || len(number) > 1024 {
		want = convert.InvalidTimestamp
	} else if v := epochValue(t, number, unit); v.Cmp(firstValue) < 0 || v.Cmp(endValue) >= 0 {
		want = convert.TimestampOutOfRange
	}
	if want != "" || failure != nil {
		if failure == nil || failure.Code != want {
			t.Errorf("%q %s: want code %q, got %s %v", number, unit, want, result.Value, failure)
		}
		return
	}
	checkOutput(t, number, result)
	if got, want := valueOf(t, result.Value), epochValue(t, number, unit); got.Cmp(want) != 0 {
		t.Errorf("%q %s: %s is another instant", number, unit, result.Value)
	}
	_, ownDigits, _ := strings.Cut(number, ".")
	_, digits, _ := strings.Cut(strings.TrimSuffix(result.Value, "Z"), ".")
	digitsOfUnit := map[string]int{"seconds": 0, "milliseconds": 3, "microseconds": 6, "nanoseconds": 9}[unit]
	if len(digits) != digitsOfUnit+len(ownDigits) {
		t.Errorf("%q %s: %s has %d fraction digits", number, unit, result.Value, len(digits))
	}
}

// checkOutput checks that the output has the one output form and that converting it again returns it, with no
// warning except for a leap second.
func checkOutput(t testing.TB, input string, result convert.Result) {
	t.Helper()
	if !outputForm.MatchString(result.Value) || strings.HasPrefix(result.Value, "0000") {
		t.Fatalf("%q: output %q is not in the output's form", input, result.Value)
	}
	again, failure := converttest.Do(t, Tool, call(result.Value, nil))
	if failure != nil || again.Value != result.Value {
		t.Errorf("%q: output %q comes back as %q, %v", input, result.Value, again.Value, failure)
	}
	want := slices.DeleteFunc(slices.Clone(result.Warnings), func(w string) bool { return w == warnOffset })
	if !slices.Equal(again.Warnings, want) {
		t.Errorf("%q: output %q comes back with warnings %q", input, result.Value, again.Warnings)
	}
	if leap := result.Value[17:19] == "60"; leap != slices.Contains(result.Warnings, warnLeap) {
		t.Errorf("%q: output %q with warnings %q", input, result.Value, result.Warnings)
	}
}

// strictISO matches the accepted texts that the time package can check: Go's parser is laxer, so it is used
// only for these.
var strictISO = regexp.MustCompile(`^(?:\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::[0-5]\d)?)` +
	`|\d{8}T\d{4}(?:\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?:[0-5]\d)?))$`)

// checkCalendar checks the result for calendar text as far as it can be known without the tool.
func checkCalendar(t testing.TB, input string) {
	t.Helper()
	result, failure := converttest.Do(t, Tool, call(input, nil))
	if failure == nil {
		checkOutput(t, input, result)
	}
	text := strings.Trim(input, asciiSpace)
	if epochForm.MatchString(text) && (failure == nil || failure.Code != convert.UnitRequired) {
		t.Errorf("%q: want %s, got %q, %v", input, convert.UnitRequired, result.Value, failure)
	}
	if !strictISO.MatchString(text) {
		return
	}
	want, ok := readByGo(text)
	// Go supports neither the hour 24 nor the second 60.
	if failure == nil && !ok && !strings.Contains(text, "24") && !strings.Contains(text, "60") {
		t.Errorf("%q: accepted as %q, but it is no time", input, result.Value)
	}
	if ok && failure != nil {
		t.Errorf("%q: refused: %v", input, failure)
	}
	if ok && failure == nil {
		value := new(big.Rat).SetFrac64(int64(want.Nanosecond()), 1e9)
		if value.Add(value, new(big.Rat).SetInt64(want.Unix())).Cmp(valueOf(t, result.Value)) != 0 {
			t.Errorf("%q: want %v, got %q", input, want, result.Value)
		}
	}
}

var units = []string{"", "seconds", "milliseconds", "microseconds", "nanoseconds"}

func FuzzTool(f *testing.F) {
	for _, c := range converttest.Load(f, "testdata/cases.yaml") {
		if unit, _ := c.Options["unit"].(string); len(c.Input) < 4096 {
			f.Add(c.Input, uint8(max(0, slices.Index(units, unit))))
		}
	}
	f.Fuzz(func(t *testing.T, input string, unit uint8) {
		input = strings.ToValidUTF8(input, "?")
		name := units[int(unit)%len(units)]
		if name == "" {
			checkCalendar(t, input)
		} else {
			checkEpoch(t, input, name)
		}
		converttest.Check(t, Tool, call(input, convert.Options{"unit": name}))
	})
}
