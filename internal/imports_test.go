package internal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/convertd/convertd/"

// mayImport says which of our packages each package may import. A trailing
// slash means a package and all below it; the first rule that matches counts.
// Imports run one way: cmd, server, front doors, engine, contract, convert.
var mayImport = []struct{ from, to string }{
	{"internal", ""},
	{"internal/convert/converttest", "internal/convert"},
	{"internal/convert", ""},
	{"internal/jsondoc", "internal/convert"},
	{"internal/yamldoc", "internal/convert internal/jsondoc"},
	{"internal/tools/apiconvert/", "internal/convert internal/jsondoc internal/yamldoc internal/tools/apiconvert/"},
	{"internal/tools/", "internal/convert internal/jsondoc internal/yamldoc"},
	{"internal/contract", "gen/document internal/convert internal/jsondoc"},
	{"internal/recipe", "internal/contract internal/convert"},
	{"internal/engine", "internal/contract internal/convert internal/jsondoc internal/recipe"},
	{"internal/guard", "internal/convert"},
	{"internal/metrics", "internal/guard"},
	{"internal/mcp", "gen/document internal/contract internal/convert internal/engine internal/guard internal/jsondoc"},
	{"internal/rest", "gen internal/contract internal/convert internal/engine internal/guard"},
	{"internal/web", "gen/document internal/contract internal/convert openapi"},
	{"internal/server", "internal/contract internal/convert internal/engine internal/guard internal/mcp internal/metrics internal/rest internal/tools internal/web"},
}

// forbidden are packages that tools and their readers must not import: they
// open nothing, ask no clock or chance, and know no front door.
var forbidden = []string{"net", "net/http", "os", "os/exec", "io/fs", "math/rand", "math/rand/v2", "crypto/rand", "time", "syscall", "plugin", "runtime", "embed"}

type listed struct {
	ImportPath string
	Imports    []string
}

func TestImportsRunOneWay(t *testing.T) {
	var out, problems bytes.Buffer
	list := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	list.Stdout, list.Stderr = &out, &problems
	if err := list.Run(); err != nil {
		t.Fatalf("go list: %v\n%s", err, problems.String())
	}
	decoder := json.NewDecoder(&out)
	for {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		from := strings.TrimPrefix(p.ImportPath, module)
		if from == "internal/tools" {
			continue // the list of tools imports every tool
		}
		checkImports(t, from, p.Imports)
	}
}

func checkImports(t *testing.T, from string, imports []string) {
	t.Helper()
	allowed, pure := "", strings.HasPrefix(from, "internal/tools/") || from == "internal/jsondoc" || from == "internal/yamldoc"
	known := false
	for _, rule := range mayImport {
		if matches(from, rule.from) {
			allowed, known = rule.to, true
			break
		}
	}
	if !known {
		t.Errorf("%s: no rule says what it may import; add one", from)
	}
	for _, path := range imports {
		if ours, isOurs := strings.CutPrefix(path, module); isOurs {
			ok := false
			for _, to := range strings.Fields(allowed) {
				ok = ok || matches(ours, to)
			}
			if !ok {
				t.Errorf("%s must not import %s", from, ours)
			}
			continue
		}
		for _, f := range forbidden {
			if pure && path == f {
				t.Errorf("%s must not import %s", from, path)
			}
		}
	}
}

func matches(path, pattern string) bool {
	if tree, below := strings.CutSuffix(pattern, "/"); below {
		return path == tree || strings.HasPrefix(path, pattern)
	}
	return path == pattern
}
