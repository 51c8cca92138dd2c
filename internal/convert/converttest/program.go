package converttest

import (
	"os/exec"
	"testing"
)

// Program returns the path of a program that the test runs. If it is not installed the test fails, except in
// the first tier (go test -short without the race detector), where it is skipped.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if testing.Short() && !Race {
		t.Skipf("%s is not installed", name)
	}
	t.Fatalf("%s is not installed: run make setup-all", name)
	return ""
}
