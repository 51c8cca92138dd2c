package schema_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/schema"
)

func read(t *testing.T, document, pointer string) (*schema.Schema, *schema.Reader, error) {
	t.Helper()
	var value map[string]any
	check.JSON(t, document, &value)
	r := schema.NewReader(value)
	var at any = value
	for _, name := range strings.Split(pointer, "/")[1:] {
		at = at.(map[string]any)[name]
	}
	s, err := r.Read(at)
	return s, r, err
}

// Constructs that another deployment's document may use and this one doesn't: a union without a deciding
// member, members without a name, nullable.
func TestCheck(t *testing.T) {
	s, _, err := read(t, `{"a": {"type": "object", "maxProperties": 2, "additionalProperties": {"oneOf": [
		{"type": "integer", "minimum": 3}, {"type": "number", "maximum": 5}, {"type": "string", "minLength": 2, "nullable": true},
		{"type": "boolean", "enum": [true]}]}}}`, "/a")
	check.OK(t, err)
	for body, want := range map[string]string{
		`{}`: "", `{"x": 6}`: "", `{"x": 2.5}`: "", `{"x": "ab", "y": null}`: "", `{"x": true}`: "",
		`{"x": 4}`: "/x oneOf", `{"x": "é"}`: "/x oneOf", `{"x": false}`: "/x oneOf", `{"x": [1]}`: "/x oneOf",
		`{"x": 6, "y": 6, "z": 6}`: " maxProperties", `[]`: " type", `null`: " nullable",
	} {
		var value any
		check.JSON(t, body, &value)
		got := ""
		if v := s.Check(value); v != nil {
			got = v.Pointer() + " " + v.Keyword
		}
		if got != want {
			t.Errorf("%s: want %q, got %q", body, want, got)
		}
	}
}

// strconv reads 2 followed by 801 zeros and e-799 as 2; it is 200.
func TestNumbersTooLongToRead(t *testing.T) {
	s, _, err := read(t, `{"a": {"type": "integer", "maximum": 8}}`, "/a")
	check.OK(t, err)
	for zeros, exponent := range map[int]int{700: 700, 701: 699, 801: 799, 900: 898} {
		n := "2" + strings.Repeat("0", zeros) + "e-" + strconv.Itoa(exponent)
		if got, want := s.Check(json.Number(n)) == nil, zeros == exponent; got != want {
			t.Errorf("2, %d zeros and e-%d: want %v, got %v", zeros, exponent, want, got)
		}
	}
}

// A document may be untrusted: self-references end, an invalid schema is an error, and unknown keywords are reported.
func TestHostileDocuments(t *testing.T) {
	for name, document := range map[string]string{
		"a reference to itself":      `{"a": {"$ref": "#/a"}}`,
		"a reference out of it":      `{"a": {"$ref": "https://example.com/x"}}`,
		"a reference to nothing":     `{"a": {"$ref": "#/b/c"}}`,
		"a schema that is a list":    `{"a": {"items": []}}`,
		"a type that is a number":    `{"a": {"type": 3}}`,
		"a length that is negative":  `{"a": {"maxLength": -1}}`,
		"a length beyond all bounds": `{"a": {"maxItems": 1e300}}`,
		"a malformed pattern":        `{"a": {"pattern": "("}}`,
		"an enum that is text":       `{"a": {"enum": "x"}}`,
		"too many schemas":           `{"a": {"oneOf": [` + strings.Repeat(`{},`, 10000) + `{}]}}`,
	} {
		if s, _, err := read(t, document, "/a"); err == nil {
			t.Errorf("%s is read as %+v", name, s)
		}
	}
	s, r, err := read(t, `{"a": {"oneOf": [{"$ref": "#/a"}, {"$ref": "#/a"}], "then": {}, "enum": [[], {}], "items": {"$ref": "#/a"}}}`, "/a")
	if err != nil || len(r.Unknown) == 0 || r.Unknown[0] != "then" {
		t.Fatalf("%v %q", err, r.Unknown)
	}
	if s.Check([]any{[]any{}}) == nil {
		t.Error("a schema that never ends accepts a value")
	}
}
