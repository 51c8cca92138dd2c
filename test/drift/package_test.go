package drift

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

var updatePackage = flag.Bool("update-package", false, "write what the Go package exports now as what it must go on exporting")

// packageBaseline is the Go package's interface as of the last release: source without bodies. An addition stays
// compatible from the release that has it, for which -update-package writes the file.
const packageBaseline = "convertd-1.0.0.go.txt"

// interfaceOf returns the source of a package's exported declarations, and of the types that they need, without bodies.
func interfaceOf(t testing.TB, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("package convertd\n\nimport \"context\"\n")
	for _, name := range files {
		set := token.NewFileSet()
		file := check.Value(parser.ParseFile(set, name, nil, parser.SkipObjectResolution))(t)
		for _, declaration := range file.Decls {
			if bare(declaration) {
				b.WriteString("\n")
				check.OK(t, printer.Fprint(&b, set, declaration))
				b.WriteString("\n")
			}
		}
	}
	return b.String()
}

// bare removes what is not part of the interface, and reports whether anything is left.
func bare(declaration ast.Decl) bool {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		d.Body = &ast.BlockStmt{List: []ast.Stmt{&ast.ExprStmt{X: &ast.CallExpr{Fun: ast.NewIdent("panic"), Args: []ast.Expr{ast.NewIdent("nil")}}}}}
		return d.Name.IsExported() || d.Recv != nil && ast.IsExported(receiver(d))
	case *ast.GenDecl:
		if d.Tok == token.IMPORT || d.Tok == token.VAR {
			return false
		}
		exported := false
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				exported = exported || spec.Name.IsExported()
				if of, is := spec.Type.(*ast.StructType); is {
					hide(of)
				}
			case *ast.ValueSpec:
				exported = true
			}
		}
		return exported
	}
	return false
}

// receiver returns the name of a method's receiver type.
func receiver(d *ast.FuncDecl) string {
	of := d.Recv.List[0].Type
	if star, is := of.(*ast.StarExpr); is {
		of = star.X
	}
	name, _ := of.(*ast.Ident)
	return name.Name
}

// hide replaces each unexported field by one that cannot be compared.
func hide(of *ast.StructType) {
	for _, field := range of.Fields.List {
		if len(field.Names) == 1 && !field.Names[0].IsExported() {
			field.Names[0], field.Type = ast.NewIdent("_"), &ast.FuncType{Params: &ast.FieldList{}}
		}
	}
}

// apidiff returns the incompatible changes of the root package compared with an old interface.
func apidiff(t testing.TB, old string) string {
	t.Helper()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "go.mod"), "module github.com/convertd/convertd\n\ngo 1.26.0\n")
	write(t, filepath.Join(folder, "convertd.go"), old)
	program := check.Value(filepath.Abs("bin/apidiff"))(t)
	export := exec.Command(program, "-w", "old", "github.com/convertd/convertd")
	export.Dir, export.Env = folder, append(os.Environ(), "GOWORK=off")
	if out, err := export.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s: run test/drift/setup.sh", err, out)
	}
	output, content := tool(t, "bin/apidiff", "-incompatible", filepath.Join(folder, "old"), "github.com/convertd/convertd")
	if !content {
		t.Log("apidiff failed")
	}
	return output
}

// TestPackageIsCompatible checks that programs that compile with the last release compile with this one.
func TestPackageIsCompatible(t *testing.T) {
	now := interfaceOf(t, "../../convertd.go", "../../convertd.gen.go")
	if *updatePackage {
		write(t, packageBaseline, now)
	}
	baseline := check.File(t, packageBaseline)
	if output := apidiff(t, baseline); output != "" {
		t.Errorf("what programs use breaks:\n%s", output)
	}
	for from, to := range map[string]string{
		"func JSONFormat(":        "func JSONLayout(",
		"type Step struct {":      "type Step struct {\n\tRetries int",
		"Indent *int":             "Indent int",
		`"invalid_json"`:          `"json_invalid"`,
		"settings ...Setting) (*": "settings ...int) (*",
	} {
		old := strings.Replace(baseline, from, to, 1)
		if old == baseline || apidiff(t, old) == "" {
			t.Errorf("nobody sees that %q was %q", from, to)
		}
	}
}
