// Package size limits the size of the binary. docs/size.md says what it consists of.
package size

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// most is the maximum size of the stripped program.
const most = 25_000_000 // bytes

// command is the program's package.
const command = "github.com/convertd/convertd/cmd/convertd"

// TestSize builds the program as make build does for Linux on x86-64, on any machine, so that its size is the same everywhere.
func TestSize(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "convertd")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, command)
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if size := check.Value(os.Stat(binary))(t).Size(); size > most {
		t.Errorf("the program has %d bytes, at most %d are allowed; docs/size.md says what they are", size, most)
	}
}

// TestLinkerDropsMethods checks that nothing reachable in the program, except package reflect itself, looks up methods
// by names computed at run time. Otherwise the linker would keep every exported method.
func TestLinkerDropsMethods(t *testing.T) {
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-dumpdep", "-o", filepath.Join(t.TempDir(), "convertd"), command)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	out, err := build.CombinedOutput() // the linker writes to standard error
	if err != nil || !bytes.Contains(out, []byte("main.main -> ")) {
		t.Fatalf("%v: %.2000s", err, out)
	}
	found := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		for name := range strings.SplitSeq(strings.TrimSpace(line), " -> ") {
			if function, is := strings.CutSuffix(name, " <ReflectMethod>"); is && !strings.HasPrefix(function, "reflect.") {
				found[function] = true
			}
		}
	}
	if len(found) > 0 {
		t.Errorf("methods are looked up by name in %v", slices.Sorted(maps.Keys(found)))
	}
}
