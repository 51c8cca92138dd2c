// Package check provides tests with the checks that most of them need. OK, Value, File and Glob end a test that
// cannot go on; Equal reports a difference and goes on.
package check

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// OK ends the test if err is not nil.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Value returns a function that returns the value, or ends the test if err is not nil:
//
//	file := check.Value(os.Open(name))(t)
func Value[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		OK(t, err)
		return value
	}
}

// File returns the contents of a file.
func File(t testing.TB, name string) string {
	t.Helper()
	return string(Value(os.ReadFile(name))(t))
}

// Equal fails the test if got differs from want. The label names what is compared.
func Equal(t testing.TB, want, got any, label ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(fmt.Sprintln(append(label, "(-want +got):")...) + diff)
	}
}

// Glob returns the files that match a pattern (filepath.Match). Without any it ends the test.
func Glob(t testing.TB, pattern string) []string {
	t.Helper()
	files := Value(filepath.Glob(pattern))(t)
	if len(files) == 0 {
		t.Fatalf("no file matches %s", pattern)
	}
	return files
}
