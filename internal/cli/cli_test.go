package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
)

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("a", 500)
	for _, test := range []struct {
		name, input  string
		line, column int
		want         string
	}{
		{"first", "abc", 1, 1, "1 | abc\n    ^\n"},
		{"after the end", "abc", 1, 4, "1 | abc\n       ^\n"},
		{"code points", "ü€x", 1, 3, "1 | ü€x\n      ^\n"},
		{"the line ends", "a\r\nb\rc\nd", 4, 1, "4 | d\n    ^\n"},
		{"a tab", "\tx", 1, 2, "1 |  x\n     ^\n"},
		{"what acts on a terminal", "a\x1b[31m\u202eb", 1, 1, "1 | a·[31m·b\n    ^\n"},
		{"a long line", long + "X" + long, 1, 501, "1 | …" + long[:excerptContext] + "X" + long[:excerptContext] + "…\n" + strings.Repeat(" ", 4+1+excerptContext) + "^\n"},
		{"no such line", "abc", 2, 1, ""},
		{"no such column", "abc", 1, 5, ""},
	} {
		got, ok := excerptOf(test.input, test.line, test.column)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestExplainStartsNoCommand(t *testing.T) {
	p := &Problem{Title: "T", Code: "c", Detail: "D. (line 1, column 2)", Hint: "H.", Path: "/input/value"}
	for name, want := range map[string]string{
		"a.json": "a.json:1:2: T (c)\n", "/a": "/a:1:2: T (c)\n", "::error::a": "./::error::a:1:2: ", " ::error::a": "./ ::error::a:1:2: ", "##[error]a": "./##[error]a:1:2: ",
	} {
		var out bytes.Buffer
		p.Explain(&out, name, "[", false, true)
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("%q: %s", name, out.String())
		}
	}
}

func TestMediaType(t *testing.T) {
	one := &contract.Tool{Name: "one", Accepts: []string{"application/jwt"}}
	many := &contract.Tool{Name: "many", Accepts: []string{"application/json", "text/plain"}}
	for _, test := range []struct {
		tool              *contract.Tool
		given, file, want string
	}{
		{one, "", "-", "application/jwt"},
		{one, "", "a.json", "application/jwt"},
		{one, "a/b", "-", "a/b"},
		{many, "", "a.JSON", "application/json"},
		{many, "", "a.sh", "text/plain"},
		{many, "", "a.ps1", "text/plain"},
		{many, "", "-", ""},
		{many, "", "json", ""},
	} {
		got, err := MediaType(test.tool, test.given, test.file, "", nil)
		if got != test.want || (err != nil) != (test.want == "") {
			t.Errorf("%+v: %q, %v", test, got, err)
		}
	}
	yaml := &contract.Tool{Name: "yaml", Accepts: []string{"application/yaml", "text/plain"}}
	for _, want := range yaml.Accepts {
		if got, _ := MediaType(yaml, "", "ci.yml", "", func(string) string { return want }); got != want {
			t.Errorf("a file that is recognized as %s is sent as %s", want, got)
		}
	}
}

// TestRecognize checks that a tool that recognizes its own input is tried last.
func TestRecognize(t *testing.T) {
	tool := &contract.Tool{Accepts: []string{"application/json", "text/plain"}}
	recognize := func(text string) string { return "text/" + text }
	for file, want := range map[string]string{"a.json": "application/json", "-": "text/x", "a.yaml": "text/x", "a": "text/x"} {
		if got, err := MediaType(tool, "", file, "x", recognize); err != nil || got != want {
			t.Errorf("%s: %s, %v", file, got, err)
		}
	}
}

func TestTerminal(t *testing.T) {
	null := check.Value(os.Open(os.DevNull))(t)
	defer null.Close()
	if Terminal(null) || Terminal(&bytes.Buffer{}) {
		t.Error("not a terminal")
	}
}
