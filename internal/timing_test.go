package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// measures are the functions and methods whose results depend on the machine.
var measures = map[string]bool{
	"Since": true, "Sub": true, // of package time
	"CPU": true, "Getrusage": true, "Processor": true, "Resident": true, "Peak": true,
}

// allowed are functions that compare a measurement with something other than a limit, and what that is.
var allowed = map[string]string{
	"../internal/guard/shared_test.go TestSharedQuota": "the quota refills while the test runs",
	"../test/attack/multiply_test.go TestMultiply":     "the slowest document is printed",
}

// TestNothingIsTimed checks that no test compares a measured time, processor time or resident memory with a limit. Such
// a test depends on the machine. Count work instead, use testing/synctest for a deadline, or print a row of make bench.
// Inside synctest, time does not depend on the machine.
func TestNothingIsTimed(t *testing.T) {
	read := 0
	files := token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(path)
		if entry.IsDir() {
			if entry.Name() == "node_modules" || name == "../test/bench" || path != ".." && strings.HasPrefix(entry.Name(), ".") {
				return filepath.SkipDir
			}
			return nil
		}
		switch {
		case strings.HasSuffix(name, "_test.go"), strings.HasPrefix(name, "../test/") && strings.HasSuffix(name, ".go"):
			read++
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, declaration := range file.Decls {
				if function, ok := declaration.(*ast.FuncDecl); ok && function.Body != nil && allowed[name+" "+function.Name.Name] == "" {
					for _, at := range timed(function.Body) {
						t.Errorf("%s: %s compares a measurement with a limit", files.Position(at), function.Name.Name)
					}
				}
			}
		case strings.HasPrefix(name, "../test/browser/") && strings.HasSuffix(name, ".mjs"):
			read++
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, found := range regexp.MustCompile(`performance\.now|longtask|Date\.now\(\) *-`).FindAll(text, -1) {
				t.Errorf("%s measures with %s", name, found)
			}
		}
		return nil
	})
	check.OK(t, err)
	if read < 150 {
		t.Errorf("only %d files were read", read)
	}
}

// timed returns where a function compares what it has measured. A variable counts
// as measured once a measurement has been assigned to it.
func timed(body *ast.BlockStmt) (at []token.Pos) {
	measured, fake := map[string]bool{}, false
	depends := func(expression ast.Node) (found bool) {
		ast.Inspect(expression, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CallExpr:
				if selector, ok := node.Fun.(*ast.SelectorExpr); ok && measures[selector.Sel.Name] {
					found = true
				}
			case *ast.Ident:
				found = found || measured[node.Name]
			case *ast.FuncLit:
				return false
			}
			return !found
		})
		return found
	}
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			if pkg, ok := node.X.(*ast.Ident); ok && pkg.Name == "synctest" {
				fake = true
			}
		case *ast.AssignStmt:
			for i, value := range node.Rhs {
				if len(node.Lhs) == len(node.Rhs) && depends(value) {
					if name, ok := node.Lhs[i].(*ast.Ident); ok {
						measured[name.Name] = true
					}
				}
			}
		case *ast.BinaryExpr:
			switch node.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				if depends(node.X) || depends(node.Y) {
					at = append(at, node.OpPos)
				}
			}
		}
		return true
	})
	if fake {
		return nil
	}
	return at
}
