package jsondoc

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

func TestDecode(t *testing.T) {
	got, err := Decode(` {"input": {"value": "a\n\u00e9\ud83d\ude00", "n": [1.50, -0, 1e400, {}, [], null]}, "t": true, "f": false} `)
	check.OK(t, err)
	want := map[string]any{
		"input": map[string]any{
			"value": "a\né😀",
			"n":     []any{json.Number("1.50"), json.Number("-0"), json.Number("1e400"), map[string]any{}, []any{}, nil},
		},
		"t": true,
		"f": false,
	}
	check.Equal(t, want, got)
}

func TestDecodeScalars(t *testing.T) {
	for text, want := range map[string]any{
		`null`: nil, `true`: true, `false`: false, `"a"`: "a", `-0`: json.Number("-0"), `[]`: []any{}, `{}`: map[string]any{},
	} {
		if got, err := Decode(text); err != nil || !cmp.Equal(want, got) {
			t.Errorf("%s: %#v, %v", text, got, err)
		}
	}
}

// Decode rejects and accepts the same cases as a Scanner, and returns what encoding/json returns.
func TestDecodeCases(t *testing.T) {
	for _, file := range []string{"grammar", "duplicates", "unicode", "depth"} {
		for _, c := range converttest.Load(t, filepath.Join("testdata", file+".yaml")) {
			t.Run(file+"/"+c.Name, func(t *testing.T) {
				got, err := Decode(c.Input)
				if c.Code != "" {
					if f := failureOf(t, err); f.Code != c.Code || f.Line != c.Line || f.Column != c.Column {
						t.Errorf("want %s at line %d, column %d, got %v", c.Code, c.Line, c.Column, f)
					}
					return
				}
				check.OK(t, err)
				checkDecoded(t, c.Input, got)
			})
		}
	}
}

// checkDecoded compares with what encoding/json reads.
func checkDecoded(tb testing.TB, text string, got any) {
	tb.Helper()
	reader := json.NewDecoder(strings.NewReader(text))
	reader.UseNumber()
	var want any
	if err := reader.Decode(&want); err != nil {
		tb.Fatalf("encoding/json refuses %q: %v", text, err)
	}
	// cmp.Diff takes time exponential in the depth.
	if !reflect.DeepEqual(want, got) {
		tb.Errorf("%q: want\n%#v\ngot\n%#v", text, want, got)
	}
}

// Decode limits the depth of the tree that it builds.
func TestDecodeIsDepthCapped(t *testing.T) {
	_, err := Decode(strings.Repeat("[", 1<<20))
	if f := failureOf(t, err); f.Code != convert.TooDeep {
		t.Errorf("got %v", f)
	}
}

// A body of a megabyte can hold half a million values. Decode keeps only the first thousands, but reads them all.
func TestDecodeKeepsFewValues(t *testing.T) {
	few := "[" + strings.Repeat("{},", maxValues-2) + "0]"
	if got, err := Decode(few); err != nil || len(got.([]any)) != maxValues-1 {
		t.Errorf("%d values: %v", maxValues, err)
	}
	for name, value := range map[string]string{
		"objects": `{},`, "arrays": `[],`, "numbers": `1,`, "strings": `"\n",`, "members": `{"a":[0]},`,
	} {
		t.Run(name, func(t *testing.T) {
			many := "[" + strings.Repeat(value, 1<<20/len(value)-1)
			if _, err := Decode(many + "0]"); failureOf(t, err).Code != convert.SchemaViolation {
				t.Errorf("got %v", err)
			}
			if _, err := Decode(many + "]"); failureOf(t, err).Code != convert.InvalidJSON {
				t.Errorf("a broken end: %v", err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _ = Decode(many + "0]")
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
				t.Errorf("took %d bytes", used)
			}
		})
	}
}
