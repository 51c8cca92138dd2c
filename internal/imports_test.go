package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/convertd/convertd/"

// mayImport lists which of our packages each package may import. A trailing slash means a package and all below it; the
// first rule that matches counts. Imports run one way: cmd, server, front doors, engine, contract, convert.
var mayImport = []struct{ from, to string }{
	{"internal", ""},
	{"internal/check", ""},
	{"internal/convert/converttest", "internal/check internal/convert"},
	{"internal/convert", ""},
	{"internal/jsondoc", "internal/convert"},
	{"internal/yamldoc", "internal/convert internal/jsondoc"},
	{"internal/tools/apiconvert/documenttest", "internal/check internal/tools/apiconvert/"},
	{"internal/tools/apiconvert/", "internal/convert internal/jsondoc internal/yamldoc internal/tools/apiconvert/"},
	{"internal/tools/", "internal/convert internal/jsondoc internal/yamldoc"},
	{"internal/schema", ""},
	{"internal/contract/contracttest", "gen/document internal/check"},
	{"internal/contract", "gen/document gen/table internal/convert internal/jsondoc internal/schema"},
	{"internal/version", ""},
	{"internal/recipe", "internal/contract internal/convert"},
	{"internal/engine", "internal/contract internal/convert internal/jsondoc internal/recipe"},
	{"internal/cli", "internal/contract internal/convert internal/engine internal/jsondoc internal/printable internal/recipe"},
	{"internal/printable", ""},
	{"internal/guard", "internal/convert internal/record"},
	{"internal/record", ""},
	{"internal/metrics", "internal/record"},
	{"internal/tracing", "internal/record"},
	{"internal/mcp", "gen/document internal/contract internal/convert internal/engine internal/guard internal/jsondoc"},
	{"internal/rest", "gen internal/contract internal/convert internal/engine internal/guard"},
	{"internal/web", "gen/document gen/editor internal/contract internal/convert internal/recipe openapi"},
	{"internal/server", "internal/contract internal/convert internal/engine internal/guard internal/mcp internal/metrics internal/record internal/rest internal/tools internal/tracing internal/web"},
	{"internal/verify", "gen/document internal/printable internal/schema"},
}

// forbidden are packages that tools and their readers must not import: they open
// nothing, use neither clock nor randomness, and know no front door. Of package time
// they may use the calendar, but neither the clock nor the machine's time zones.
var forbidden = []string{"net", "net/http", "os", "os/exec", "io/fs", "math/rand", "math/rand/v2", "crypto/rand", "syscall", "plugin", "runtime", "embed",
	"time.Now", "time.Since", "time.Until", "time.Sleep", "time.After", "time.AfterFunc", "time.Tick", "time.NewTimer", "time.NewTicker",
	"time.Local", "time.LoadLocation"}

// TestImportsRunOneWay reads the sources itself rather than running the go
// command, so that the test's cached result is invalidated when they change.
// Rules: ANS-7, API-8.
func TestImportsRunOneWay(t *testing.T) {
	imports := map[string][]string{} // by package
	err := filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		from := filepath.ToSlash(filepath.Join("internal", filepath.Dir(path)))
		for _, spec := range file.Imports {
			to, _ := strconv.Unquote(spec.Path.Value)
			if to == "embed" && spec.Name != nil && spec.Name.Name == "_" {
				continue // embedded strings are part of the program; embed.FS stays forbidden
			}
			imports[from] = append(imports[from], to)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if of, ok := n.(*ast.SelectorExpr); ok {
				if name, ok := of.X.(*ast.Ident); ok && name.Name == "time" {
					imports[from] = append(imports[from], "time."+of.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || len(imports) < 10 {
		t.Fatalf("%d packages: %v", len(imports), err)
	}
	for from, list := range imports {
		if from != "internal/tools" { // the list of tools imports every tool
			checkImports(t, from, list)
		}
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
			for to := range strings.FieldsSeq(allowed) {
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
