package main

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

const root = "../.."

// TestPartsHaveDescriptions checks that each part of the program of 100 KB or more has a row in docs/size.md with its
// purpose, and that there is no row of a part that is gone or has become small. A row may be a tenth smaller before it
// must go.
func TestPartsHaveDescriptions(t *testing.T) {
	binary := check.Value(measure(root))(t)
	text := check.Value(os.ReadFile(filepath.Join(root, filepath.FromSlash(page))))(t)
	if binary.Bytes > most {
		t.Errorf("the program has %d bytes, at most %d are allowed", binary.Bytes, most)
	}
	output := purposes(text)
	var sum int64
	for _, part := range binary.Parts {
		sum += part.Bytes
		if part.Bytes < 0 {
			t.Errorf("%s has %d bytes", part.Name, part.Bytes)
		}
		if part.Bytes >= least && output[part.Name] == "" {
			t.Errorf("%s has %d bytes, and %s does not say what it is for: run make size and write it there", part.Name, part.Bytes, page)
		}
		if part.Bytes >= least*9/10 {
			delete(output, part.Name)
		}
	}
	if sum != binary.Bytes {
		t.Errorf("the parts are %d bytes of %d", sum, binary.Bytes)
	}
	built := filepath.Join(root, "internal", "web", "engine", "engine.wasm.br")
	for name := range maps.Keys(output) {
		_, err := os.Stat(built)
		missing := err != nil && strings.HasSuffix(built, filepath.FromSlash(name)) // a checkout without the output of make engine
		if !missing && name != "all" && !strings.HasSuffix(name, "smaller parts") {
			t.Errorf("%s has a row for %s, of which the program has less than 100 KB: run make size", page, name)
		}
	}
}

// TestLinkerDropsMethods checks that nothing reachable in the program, except package reflect itself, looks up methods
// by names computed at run time. Otherwise the linker would keep every exported method.
func TestLinkerDropsMethods(t *testing.T) {
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-dumpdep", "-o", filepath.Join(t.TempDir(), "convertd"), command)
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
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

// TestPackageOf checks symbols as Go's linker names them.
func TestPackageOf(t *testing.T) {
	for symbol, want := range map[string]string{
		"main.main": "main", "net/http.(*Server).Serve": "net/http", "go.yaml.in/yaml/v3.yaml_parse": "go.yaml.in/yaml/v3",
		"gopkg.in/yaml%2ev3.Unmarshal": "gopkg.in/yaml.v3", "slices.SortFunc[go.shape.[]example.com/a.B]": "slices",
		"type:.eq.example.com/a/b.T": "example.com/a/b", "type:.hash.net/netip.Addr": "net/netip", "runtime.text": "runtime", "_rt0_amd64_linux": "",
	} {
		if got := packageOf(symbol); got != want {
			t.Errorf("%s: %q, want %q", symbol, got, want)
		}
	}
}

// TestTable checks that the page keeps its purposes and gets new sizes.
func TestTable(t *testing.T) {
	text := []byte("# T\n\n| Part | KB | What |\n|---|---:|---|\n| `a/b` | 9 | for x |\n| `gone/c` | 8 | for y |\n| all | 17 | the file |\n\nEnd.\n")
	binary := &Binary{Bytes: 1_234_567, Parts: []Part{{"a/b", 600_600}, {"new/d", 100_000}, {"e", 99_999}}}
	got := string(replaced(text, table(binary, purposes(text))))
	want := "# T\n\n| Part | KB | What |\n|---|---:|---|\n| `a/b` | 601 | for x |\n| `new/d` | 100 |  |\n| 1 smaller parts | 100 | less than 100 KB each |\n| all | 1235 | the stripped file |\n\nEnd.\n"
	if got != want {
		t.Errorf("%s", got)
	}
}
