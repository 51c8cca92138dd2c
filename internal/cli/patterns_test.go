package cli

import (
	"os"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

func TestExpandPatterns(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"b.json", "a.json", "[c].json", "d.yaml"} {
		check.OK(t, os.WriteFile(name, nil, 0o600))
	}
	for _, c := range []struct {
		names, want []string
		problem     string
	}{
		{nil, nil, ""},
		{[]string{"-", "none.json"}, []string{"-", "none.json"}, ""},
		{[]string{"d.yaml", "[ab].json"}, []string{"d.yaml", "a.json", "b.json"}, ""},
		{[]string{"?.json"}, []string{"a.json", "b.json"}, ""},
		{[]string{"[c].json"}, []string{"[c].json"}, ""},
		{[]string{`\\?\C:\x`}, []string{`\\?\C:\x`}, ""},
		{[]string{"*.xml"}, nil, "no file matches *.xml"},
		{[]string{"a[.json"}, nil, "no file matches a[.json"},
		{[]string{"[1, 2]"}, nil, ErrNoFile.Error()},
	} {
		got, err := ExpandPatterns(c.names)
		check.Equal(t, c.want, got)
		problem := ""
		if err != nil {
			problem = err.Error()
		}
		check.Equal(t, c.problem, problem)
	}
}
