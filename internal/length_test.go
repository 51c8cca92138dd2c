package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// The limits of CONTRIBUTING.md, in lines. Generated files may be longer.
const (
	longestFunction = 65
	longestFile     = 450
)

// TestLengths checks the maximum: an average says nothing about readability.
func TestLengths(t *testing.T) {
	files := token.NewFileSet()
	read := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "out" || path != ".." && strings.HasPrefix(entry.Name(), ".")) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, ".gen.go") {
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		read++
		if lines := files.File(file.Pos()).LineCount(); lines > longestFile {
			t.Errorf("%s has %d lines; %d are allowed", path, lines, longestFile)
		}
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if lines := files.Position(function.End()).Line - files.Position(function.Pos()).Line + 1; lines > longestFunction {
				t.Errorf("%s: %s has %d lines; %d are allowed", path, function.Name.Name, lines, longestFunction)
			}
		}
		return nil
	})
	check.OK(t, err)
	if read < 100 {
		t.Errorf("only %d files were read", read)
	}
}
