// Package check provides tests with the checks that most of them need. Equal reports a difference and goes on;
// the others end a test that cannot go on.
package check

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// SkipUnderWine skips a test of make windows that needs what Wine lacks.
func SkipUnderWine(t testing.TB, lacks string) {
	t.Helper()
	if os.Getenv("CONVERTD_WINE") != "" {
		t.Skip("Wine " + lacks)
	}
}

// All reports whether a test runs all that it can (make test-all) instead of a sample of what takes longest.
func All() bool { return os.Getenv("CONVERTD_ALL") != "" }

// Sample returns how much a test runs of what takes longest: few with -short, all in make test-all, and some otherwise.
func Sample[T any](few, some, all T) T {
	switch {
	case testing.Short():
		return few
	case All():
		return all
	}
	return some
}

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

// JSON decodes a text into what into points to, or ends the test.
func JSON[T ~string | ~[]byte](t testing.TB, text T, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// Installed ends the test if a file is missing that a command installs.
func Installed(t testing.TB, file, command string) {
	t.Helper()
	if _, err := os.Stat(file); err != nil {
		t.Fatalf("%s is missing: run %s", file, command)
	}
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
