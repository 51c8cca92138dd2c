package warning

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestFeatures reads the table as source, so that no entry can be left out.
func TestFeatures(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`^(lost|changed)\.[a-z_]+$`)
	seen, sentences := map[string]bool{}, map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok || fmt.Sprint(literal.Type) != "Feature" {
				return true
			}
			c, _ := strconv.Unquote(literal.Elts[0].(*ast.BasicLit).Value)
			s, _ := strconv.Unquote(literal.Elts[1].(*ast.BasicLit).Value)
			if !code.MatchString(c) || seen[c] {
				t.Errorf("code %q is malformed or stands twice", c)
			}
			if !strings.HasSuffix(s, ".") || sentences[s] {
				t.Errorf("sentence %q is no sentence or stands twice", s)
			}
			seen[c], sentences[s] = true, true
			return true
		})
	}
	if len(seen) < 50 {
		t.Errorf("only %d features found", len(seen))
	}
}

func TestPlace(t *testing.T) {
	var whole *Place
	paths := whole.Field("paths")
	for _, c := range []struct {
		at   *Place
		want string
	}{
		{whole, "the source"},
		{paths.Index(3).Field("get").Field("parameters").Index(1), "paths[3].get.parameters[1]"},
		{paths.Member("get", 7), "paths.get"},
		{paths.Member("sk_live_secret", 7), "paths[7]"},
		{whole.Index(2), "[2]"},
	} {
		if got := c.at.String(); got != c.want {
			t.Errorf("want %s, got %s", c.want, got)
		}
	}
	long := paths
	for i := range 300 {
		long = long.Index(i)
	}
	if got := long.String(); len(got) > 150 || !strings.HasPrefix(got, "paths[0]") || !strings.HasSuffix(got, "[299]") {
		t.Errorf("long place: %s", got)
	}
	if !slices.IsSorted(vocabulary) {
		t.Error("the vocabulary is not sorted")
	}
}

func TestList(t *testing.T) {
	var l List
	var whole *Place
	l.Add(Scripts, whole.Field("item").Index(0))
	l.Add(Scripts, whole.Field("item").Index(0))
	l.SecretsReplaced(2)
	got := l.Strings()
	if len(got) != 2 || !strings.HasPrefix(got[0], "secrets_replaced: 2 secrets were ") ||
		got[1] != "lost.scripts: "+Scripts.sentence+" (item[0])" {
		t.Errorf("got %q", got)
	}
	for i := range 1000 {
		l.Add(Scripts, whole.Index(i))
	}
	l.Add(Webhooks, whole)
	got = l.Strings()
	if len(got) != Max+1 || got[Max] != "more_warnings: 903 further warnings are not listed." {
		t.Errorf("%d warnings, the last %q", len(got), got[len(got)-1])
	}
	if !strings.HasPrefix(got[Max-1], "lost.webhooks: ") {
		t.Error("the only webhook warning is hidden behind scripts")
	}
	var none *List
	none.Add(Scripts, whole)
	none.UnknownOption("-x", whole)
	none.SecretsReplaced(1)
	if none.Strings() != nil {
		t.Error("a nil list has warnings")
	}
}

func TestUnknownOption(t *testing.T) {
	for name, want := range map[string]string{
		"--frobnicate":                 "--frobnicate",
		"--frobnicate=secret":          "--frobnicate",
		"-Wsecret":                     "-W",
		"--Secret":                     "",
		"--a b":                        "",
		"--":                           "",
		"-":                            "",
		"-1":                           "",
		"secret":                       "",
		"--" + strings.Repeat("a", 41): "",
	} {
		if got := optionName(name); got != want {
			t.Errorf("%s: want %q, got %q", name, want, got)
		}
	}
}
