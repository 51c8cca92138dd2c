package jsonformat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

func TestCorpusCases(t *testing.T) {
	var cases []struct {
		Value, Group              string
		Expect                    any // 200, 422 or "open"
		Indent0, Indent2, Indent7 *string
	}
	converttest.CorpusData(t, "text/json/cases.json", &cases)
	codes := map[string]convert.Code{
		"syntax": convert.InvalidJSON, "duplicate names": convert.DuplicateKey,
		"surrogates": convert.InvalidUnicode, "numbers bad": convert.UnsafeNumber,
	}
	for _, c := range cases {
		for indent, want := range map[int]*string{0: c.Indent0, 2: c.Indent2, 7: c.Indent7} {
			got, failure := converttest.Do(t, Tool, input(c.Value, indent))
			switch {
			case c.Expect == 422.0 && failure == nil:
				t.Errorf("%.80q (%s): accepted", c.Value, c.Group)
			case c.Expect == 422.0 && failure.Code != codes[c.Group]:
				t.Errorf("%.80q (%s): %v", c.Value, c.Group, failure)
			case c.Expect == 200.0 && failure != nil:
				t.Errorf("%.80q (%s): %v", c.Value, c.Group, failure)
			case want != nil && got.Value != *want:
				t.Errorf("%.80q with indent %d: want\n%s\ngot\n%s", c.Value, indent, *want, got.Value)
			}
			checkProperties(t, c.Value, indent)
		}
	}
}

// beyondJSON are the files that are refused for more than the grammar.
var beyondJSON = map[string]convert.Code{
	"n_string_1_surrogate_then_escape.json":                   convert.InvalidUnicode, // the first of two errors
	"JSON-Schema-Test-Suite__tests__draft2020-12__const.json": convert.UnsafeNumber,   // 2^53
	"y_object_duplicated_key.json":                            convert.DuplicateKey,
	"object_same_key_same_value.json":                         convert.DuplicateKey,
	"object_same_key_unclear_values.json":                     convert.DuplicateKey,
	"number_-9223372036854775808.json":                        convert.UnsafeNumber,
	"i_number_pos_double_huge_exp.json":                       convert.UnsafeNumber,
	"i_number_real_pos_overflow.json":                         convert.UnsafeNumber,
	"i_number_real_underflow.json":                            convert.UnsafeNumber,
	"i_string_1st_valid_surrogate_2nd_invalid.json":           convert.InvalidUnicode,
	"i_string_incomplete_surrogate_pair.json":                 convert.InvalidUnicode,
	"i_string_invalid_surrogate.json":                         convert.InvalidUnicode,
	"i_string_inverted_surrogates_U+1D11E.json":               convert.InvalidUnicode,
	"i_structure_500_nested_arrays.json":                      convert.TooDeep,
}

func TestCorpusSuites(t *testing.T) {
	for _, folder := range []string{"suite", "checker", "transform", "real"} {
		for _, file := range converttest.Corpus(t, "text/json/"+folder+"/*.json") {
			name := strings.TrimPrefix(filepath.Base(file), "test_parsing__")
			name = strings.TrimPrefix(name, "test_transform__")
			t.Run(folder+"/"+name, func(t *testing.T) { checkSuiteFile(t, file, name) })
		}
	}
}

func checkSuiteFile(t *testing.T, file, name string) {
	text := check.Value(os.ReadFile(file))(t)
	if !utf8.Valid(text) {
		// Such bytes never reach a tool: they are no JSON string value.
		if strings.HasPrefix(name, "y_") {
			t.Error("a good file that is not UTF-8")
		}
		return
	}
	var want convert.Code
	if code, ok := beyondJSON[name]; ok {
		want = code
	} else if strings.HasPrefix(name, "n_") || strings.Contains(name, "__fail") {
		want = convert.InvalidJSON
	}
	_, failure := converttest.Do(t, Tool, input(string(text), 2))
	var got convert.Code
	if failure != nil {
		got = failure.Code
	}
	if got != want {
		t.Errorf("want code %q, got %v", want, failure)
	}
	for indent := range 9 {
		checkProperties(t, string(text), indent)
	}
	converttest.Check(t, Tool, input(string(text), 2))
}
