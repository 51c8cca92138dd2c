package convert

import (
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
)

func TestAt(t *testing.T) {
	text := check.Value(os.ReadFile("testdata/places.yaml"))(t)
	var places []struct {
		Name, Text           string
		Offset, Line, Column int
	}
	check.OK(t, yaml.UnmarshalWithOptions(text, &places, yaml.Strict()))
	if len(places) == 0 {
		t.Fatal("no cases")
	}
	for _, p := range places {
		t.Run(p.Name, func(t *testing.T) {
			got := Reject(InvalidJSON, "Wrong.", "Right it.").At(p.Text, p.Offset)
			if got.Line != p.Line || got.Column != p.Column {
				t.Errorf("want line %d, column %d, got %v", p.Line, p.Column, got)
			}
		})
	}
}

// TestAtReportsPosition: rule ERR-7.
func TestAtReportsPosition(t *testing.T) {
	got := Reject(InvalidJSON, "Deeper than %d levels.", "Flatten it.", 256).At("ab\ncd", 4)
	want := &Failure{
		Code:   InvalidJSON,
		Detail: "Deeper than 256 levels. (line 2, column 2)",
		Hint:   "Flatten it.",
		Line:   2, Column: 2,
	}
	check.Equal(t, want, got)
}

func TestWithin(t *testing.T) {
	inner := Reject(TooDeep, "Too deep.", "Flatten it.").At("[[", 1)
	want := &Failure{
		Code:   InvalidJWT,
		Detail: "In the payload: Too deep. (line 1, column 2)",
		Hint:   "Flatten it.",
		Line:   1, Column: 2,
	}
	check.Equal(t, want, inner.Within(InvalidJWT, "In the payload:"))
}

// TestFailureIsNotModified checks that every method returns a copy.
func TestFailureIsNotModified(t *testing.T) {
	for name, method := range map[string]func(*Failure) *Failure{
		"At":          func(f *Failure) *Failure { return f.At("[[", 1) },
		"Within":      func(f *Failure) *Failure { return f.Within(InvalidJWT, "In the payload:") },
		"WithCode":    func(f *Failure) *Failure { return f.WithCode(InvalidSource) },
		"WithHint":    func(f *Failure) *Failure { return f.WithHint("Do this.") },
		"WithSeconds": func(f *Failure) *Failure { return f.WithSeconds("1", "then try again") },
		"Below":       func(f *Failure) *Failure { return f.Below("/tools") },
		"InBody":      func(f *Failure) *Failure { return f.InBody("/input/value") },
	} {
		f := Reject(TooDeep, "Too deep.", "See /v1/openapi.json.")
		before := *f
		if got := method(f); cmp.Equal(&before, got) || !cmp.Equal(&before, f) {
			t.Errorf("%s returns %v and leaves %v", name, got, f)
		}
	}
}

func TestInBody(t *testing.T) {
	f := Reject(SchemaViolation, "Wrong.", "Right it.")
	if f.Path != nil {
		t.Error("a new failure has a path")
	}
	if got := f.InBody("/input/value").Path; got == nil || *got != "/input/value" {
		t.Errorf("path: %v", got)
	}
	// The empty pointer is the whole body (RFC 6901, section 5), not a missing path.
	if got := f.InBody("").Path; got == nil || *got != "" {
		t.Errorf("path of the whole body: %v", got)
	}
}

// Finding a position reads the text up to it once, even with very long or very many lines.
func TestAtOnLongTexts(t *testing.T) {
	const size = 1 << 20
	if got := Reject(InvalidJSON, "Wrong.", "Right it.").At(strings.Repeat("x", size), size); got.Column != size+1 {
		t.Errorf("one long line: %v", got)
	}
	if got := Reject(InvalidJSON, "Wrong.", "Right it.").At(strings.Repeat("\n", size), size); got.Line != size+1 {
		t.Errorf("empty lines: %v", got)
	}
}
