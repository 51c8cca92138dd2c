package internal

import (
	"bytes"
	"go/parser"
	"go/token"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// TestBuildTools compares tools.go with the packages that the Makefile runs by
// import path. Those that it runs at an explicit version are not in go.mod.
func TestBuildTools(t *testing.T) {
	file := check.Value(parser.ParseFile(token.NewFileSet(), "../tools.go", nil, parser.ImportsOnly))(t)
	var imported, run []string
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		imported = append(imported, path)
	}
	makefile := check.File(t, "../Makefile")
	for _, match := range regexp.MustCompile(`go run ([a-z]\S*\.\S*/\S+)`).FindAllStringSubmatch(makefile, -1) {
		if !strings.Contains(match[1], "@") {
			run = append(run, match[1])
		}
	}
	slices.Sort(run)
	if run = slices.Compact(run); len(run) == 0 || !slices.Equal(imported, run) {
		t.Errorf("tools.go imports %q, the Makefile runs %q", imported, run)
	}
}

// TestNotLinked checks that the program links nothing that only generates code and tests: kin-openapi's JSON Schema
// library compiles its metaschemas at every start.
func TestNotLinked(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "../cmd/convertd").Output()
	if err != nil || !bytes.Contains(out, []byte("github.com/spf13/cobra")) {
		t.Fatalf("%v: %.200s", err, out)
	}
	for _, module := range []string{"github.com/getkin/kin-openapi", "github.com/santhosh-tekuri/jsonschema"} {
		if bytes.Contains(out, []byte(module)) {
			t.Errorf("the program links %s", module)
		}
	}
}
