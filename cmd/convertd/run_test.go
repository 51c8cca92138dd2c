package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/tools"
	"github.com/convertd/convertd/test/daemon"
)

// result is a command's exit code and output.
type result struct {
	code     int
	out, err string
}

// command runs the command line in this process.
func command(input string, args ...string) result {
	var out, problems bytes.Buffer
	code := run(context.Background(), args, streams{strings.NewReader(input), &out, &problems})
	return result{code, out.String(), problems.String()}
}

// token has a list in its payload, and alg none.
const token = "eyJhbGciOiJub25lIn0.eyJyb2xlcyI6WyJhIiwiYiJdfQ."

// runFiles are the files that runs read, by name. "none" does not exist.
var runFiles = map[string]string{
	"a.json": `{"a":1}`,
	"b.json": "[ 1 ]",
	"p.json": `{"version":1,"input":{"mediaType":"application/json","value":"[ 4 ]"},"steps":[{"id":"x","tool":"json_format","options":{"indent":0}}]}`,
	"q.json": `{"version":1,"steps":[{"id":"x","tool":"json_format","options":{"indent":0}}]}`,
	"r.json": `{"version":1,`,

	"tool.json":   `{"version":1,"steps":[{"id":"x","tool":"json_formt","options":{}}]}`,
	"second.json": `{"version":1,"steps":[{"id":"x","tool":"json_format"},{"id":"y","tool":"json_formt"}]}`,
	"range.json":  `{"version":1,"steps":[{"id":"x","tool":"json_format","options":{"indent":40}}]}`,
	"option.json": `{"version":1,"steps":[{"id":"x","tool":"json_format","options":{"indnt":4}}]}`,
	"next.json":   `{"version":2,"steps":[{"id":"x","tool":"json_format"}]}`,
}

// runs are command lines with what they read and print.
var runs = []struct {
	name  string
	args  []string // in:NAME is a file of runFiles
	input string
	want  result // err is what standard error must contain
}{
	{"standard input", []string{"run", "json_format", "--indent=1"}, "[1]", result{0, "[\n 1\n]", ""}},
	{"a dash", []string{"run", "json_format", "-"}, "[]", result{0, "[]", ""}},
	{"a file", []string{"run", "json_to_yaml", "in:a.json"}, "", result{0, "a: 1\n", ""}},
	{"the end of the flags before the tool", []string{"run", "--", "json_to_yaml", "in:a.json"}, "", result{0, "a: 1\n", ""}},
	{"the end of the flags before the command", []string{"--", "run", "json_to_yaml", "in:a.json"}, "", result{0, "a: 1\n", ""}},
	{"a flag after the end of the flags", []string{"run", "json_to_yaml", "--", "--indent=3"}, "", result{1, "", "--indent=3"}},
	{"no such file", []string{"run", "json_to_yaml", "in:none"}, "", result{1, "", "none"}},
	{"a string option", []string{"run", "timestamp_to_iso", "--unit", "seconds"}, "0", result{0, "1970-01-01T00:00:00Z", ""}},
	{"a warning", []string{"run", "jwt_decode"}, token, result{0, "", "warning: alg_none: "}},
	{"no warning", []string{"run", "jwt_decode", "-q"}, token, result{0, "", ""}},
	{"an option out of range", []string{"run", "json_format", "--indent=9"}, "[]", result{2, "", "--indent: must be a whole number from 0 to 8, not \"9\"\nTry convertd run json_format --help."}},
	{"not a number", []string{"run", "json_format", "--indent=x"}, "[]", result{2, "", "--indent: must be a whole number from 0 to 8, not \"x\"\nTry convertd run json_format --help."}},
	{"no tool", []string{"run"}, "", result{2, "", "convertd run takes one of api_convert, jwt_decode,"}},
	{"no input", []string{"run", "json_format"}, "", result{3, "", "\nstandard input is empty\n"}},
	{"another tool's option", []string{"run", "json_format", "--unit=seconds"}, "[]", result{2, "", "--unit"}},
	{"no such value", []string{"run", "timestamp_to_iso", "--unit=weeks"}, "0", result{2, "", "--unit: must be one of seconds, milliseconds, microseconds, nanoseconds, not \"weeks\"\n"}},
	{"no such tool", []string{"run", "xml_format"}, "", result{2, "", "xml_format\nconvertd run takes one of api_convert, jwt_decode,"}},
	{"refused input without its line", []string{"run", "json_format"}, "{\"a\":1,\n\"a\":2}", result{3, "", "standard input:2:1: Duplicate key (duplicate_key)\n  detail: "}},
	{"refused input", []string{"run", "json_format", "--color=always"}, "{\"a\":1,\n\"a\":2}", result{3, "", "\n\n2 | \"a\":2}\n    ^\n"}},
	{"a place inside a part", []string{"run", "jwt_decode"}, "e30.e30x.", result{3, "", "invalid_jwt"}},
	{"refused media type", []string{"run", "json_format", "--media-type=text/plain"}, "1", result{3, "", "unsupported_media_type"}},
	{"not UTF-8", []string{"run", "json_format", "--color=always"}, "\"a\xff\"", result{3, "", "standard input:1:3: Input is not UTF-8 (malformed_json)\n  detail: The input is not UTF-8. (line 1, column 3)\n  hint:   Convert the input to UTF-8, for example with iconv.\n\n1 | \"a\ufffd\"\n      ^\n"}},
	{"too long", []string{"run", "timestamp_to_iso", "--max-input=1MiB"}, strings.Repeat(" ", 1<<20+1), result{3, "", "convertd: standard input is larger than 1 MiB (--max-input)\n"}},
	{"JSON Lines without --lines", []string{"run", "json_format"}, "[1]\n[2]\n", result{3, "", "To convert each line on its own, add --lines.\n"}},
	{"a problem as JSON", []string{"run", "json_format", "--json"}, "", result{3, "invalid_json", ""}},
	{"steps", []string{"pipeline", "jwt_decode", "json_to_yaml,indent:4", "-q"}, token, result{0, "header:\n    alg: none\npayload:\n    roles:\n        - a\n        - b\n", ""}},
	{"steps and a file", []string{"pipeline", "json_format,indent:0", "in:b.json"}, "", result{0, "[1]", ""}},
	{"a link", []string{"pipeline", "https://convert.example.com/editor#r=1&s=json_format,indent:0"}, "[ 2 ]", result{0, "[2]", ""}},
	{"a link's text", []string{"pipeline", "r=1&s=json_format,indent:0", "-"}, "[ 3 ]", result{0, "[3]", ""}},
	{"a request", []string{"pipeline", "in:p.json"}, "[ 5 ]", result{0, "[4]", ""}},
	{"a request with another input", []string{"pipeline", "in:p.json", "-"}, "[ 5 ]", result{0, "[5]", ""}},
	{"a request without an input", []string{"pipeline", "in:q.json"}, "[ 6 ]", result{0, "[6]", ""}},
	{"a broken request", []string{"pipeline", "in:r.json"}, "", result{2, "", "r.json"}},
	{"a recipe file's unknown tool", []string{"pipeline", "in:tool.json", "in:a.json"}, "", result{2, "", "tool.json: step 1: unknown tool json_formt; did you mean json_format?\n"}},
	{"the unknown tool of a second step", []string{"pipeline", "in:second.json", "in:a.json"}, "", result{2, "", "second.json: step 2: unknown tool json_formt; did you mean json_format?\n"}},
	{"a recipe file's bad value", []string{"pipeline", "in:range.json", "in:a.json", "--json"}, "", result{2, "", "range.json: step 1 options indent: The number is too large; the maximum is 8. "}},
	{"a recipe file's unknown option", []string{"pipeline", "in:option.json", "in:a.json"}, "", result{2, "", "option.json: step 1: json_format has no option indnt; did you mean indent?\n"}},
	{"a recipe file's version", []string{"pipeline", "in:next.json", "in:a.json"}, "", result{2, "", "next.json: version: "}},
	{"a file that is not a recipe", []string{"pipeline", "in:a.json"}, "", result{2, "", "a.json is not a recipe, which is a JSON object with version and steps\n"}},
	{"a chain that does not fit", []string{"pipeline", "json_to_yaml", "json_format"}, "1", result{3, "", "step:   2"}},
	{"a recipe's bad value", []string{"pipeline", "json_format,indent:99"}, "1", result{2, "", "step 1: indent must be"}},
	{"a recipe's unknown version", []string{"pipeline", "r=2&s=json_format"}, "1", result{2, "", "does not begin with r=1"}},
	{"two files of a recipe", []string{"pipeline", "json_format,indent:0", "in:b.json", "-"}, "{ }", result{0, "[1]\n{}\n", ""}},
	{"no recipe", []string{"pipeline", "nothing"}, "1", result{2, "", "not a link, a step or a readable file"}},
	{"a server that is not there", []string{"run", "json_format", "--server=http://127.0.0.1:1"}, "1", result{4, "", "check that --server (or CONVERTD_SERVER) is its base URL: Post \"http://127.0.0.1:1/"}},
	{"a server that is no address", []string{"run", "json_format", "--server=nowhere"}, "1", result{2, "", "--server"}},
	{"completion of tools", []string{"complete", "--", "run", "json_t"}, "", result{0, "json_to_yaml\tConvert JSON to YAML\n", ""}},
	{"completion of values", []string{"complete", "--", "run", "timestamp_to_iso", "--unit", "se"}, "", result{0, "seconds\n", ""}},
	{"completion of media types", []string{"complete", "--", "run", "api_convert", "--media-type", "application/"}, "", result{0, "application/json\napplication/yaml\n", ""}},
	{"a token as an argument", []string{"run", "jwt_decode", "eyJhbGciOiJub25lIn0.e30."}, "", result{2, "", "as in convertd run jwt_decode <FILE"}},
	{"a token instead of a recipe", []string{"pipeline", "eyJhbGciOiJub25lIn0.e30."}, "", result{2, "", "as in convertd pipeline RECIPE <FILE\n"}},
	{"a token as one of several files", []string{"run", "json_format", "--keep-going", "in:a.json", "eyJhbGciOiJub25lIn0.e30."}, "", result{2, "", "as in convertd run json_format <FILE\n"}},
	{"completion of flags", []string{"complete", "--", "run", "json_format", "--in"}, "", result{0, "--indent\tSpaces per level; 0 writes one line\n", ""}},
	{"completion of commands", []string{"complete", "--", "comp"}, "", result{0, "completion\tPrint the completion script for a shell\n", ""}},
	{"completion of shells", []string{"complete", "--", "completion", "z"}, "", result{0, "zsh\n", ""}},
	{"completion of a folder", []string{"complete", "--", "run", "json_format", "--out-dir=a"}, "", result{0, "/\n", ""}},
	{"the description", []string{"openapi"}, "", result{0, "openapi: 3.0.3", ""}},
	{"steps with equals signs", []string{"pipeline", "json_format,indent=0"}, "[ 1 ]", result{0, "[1]", ""}},
	{"a response without a server", []string{"run", "json_format", "--json"}, "1", result{0, "(json_format).\"}}\n", ""}},
	{"an agent's call, without links", []string{"mcp"}, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"json_format","arguments":{"input":{"mediaType":"application/json","value":"1"}}}}
`, result{0, "(json_format).\"}}}}\n", ""}},
	{"completion of a new word", []string{"complete", "--next", "completion"}, "", result{0, "bash\nzsh\nfish\npowershell\n", ""}},
	{"PowerShell's completion", []string{"completion", "powershell"}, "", result{0, "Register-ArgumentCompleter", ""}},
	{"one tool", []string{"tools", "json_format"}, "", result{0, " 0 to 8. Default 2.", ""}},
	{"tools with the values of their options", []string{"tools"}, "", result{0, "0 to 8. Default 2.", ""}},
	{"the usage of run", []string{"run", "-h"}, "", result{0, "Usage: convertd run TOOL [FLAGS] [FILE ...]\n", ""}},
	{"the short version flag", []string{"-V"}, "", result{0, version + "\n", ""}},
	{"the version", []string{"--version"}, "", result{0, version + "\n", ""}},
	{"a command's version", []string{"run", "--version"}, "", result{0, version + "\n", ""}},
	{"a tool's version", []string{"run", "json_format", "--version"}, "", result{0, version + "\n", ""}},
	{"the service's version", []string{"serve", "--version"}, "", result{0, version + "\n", ""}},
	{"the service's help", []string{"serve", "--help"}, "", result{0, "CONVERTD_RATE_LIMIT", ""}},
	{"an address of another machine", []string{"serve", "--listen=192.0.2.1:1"}, "", result{1, "", "--listen"}},
	{"the tools", []string{"tools"}, "", result{0, "\n  --unit    ", ""}},
}

func TestRun(t *testing.T) {
	folder := t.TempDir()
	for name, text := range runFiles {
		check.OK(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	for _, test := range runs {
		t.Run(test.name, func(t *testing.T) {
			args := slices.Clone(test.args)
			for i, arg := range args {
				if name, ok := strings.CutPrefix(arg, "in:"); ok {
					args[i] = filepath.Join(folder, name)
				}
			}
			got := command(test.input, args...)
			exact := test.want.code == 0 && test.want.out != "" && !strings.Contains(got.out, test.want.out)
			if got.code != test.want.code || exact || !strings.Contains(got.err, test.want.err) || test.want.err == "" && got.err != "" {
				t.Errorf("want %+v\ngot  %+v", test.want, got)
			}
			if strings.HasSuffix(test.name, "a part") && strings.Contains(got.err, "^") {
				t.Errorf("a caret in the wrong text:\n%s", got.err)
			}
			if strings.HasSuffix(test.name, "without its line") && strings.Contains(got.err, `"a"`) {
				t.Errorf("a line of the input:\n%s", got.err)
			}
		})
	}
}

// inputs are starting points for every tool: some it accepts, some it rejects.
var inputs = []string{
	`{"b":[1.50,{}],"a":null}`, `[]`, `"` + strings.Repeat("long ", 50) + `\n"`, `{"a":{"b":[[1],["x: y"]]}}`, `{"a":1,"a":2}`, `{`, ``,
	"eyJhbGciOiJub25lIn0.eyJyb2xlcyI6WyJhIiwiYiJdfQ.", "a.b.c", "1700000000.123456789", "2024-02-29T12:00:00+02:00", "nonsense",
	`{"openapi":"3.0.3","info":{"title":"T","version":"1"},"paths":{}}`, "curl https://example.com/x -d a=1",
	"openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\n",
}

// TestSameBytes checks that the command in process, the command against a server, a plain HTTP request and the recipe
// link of the response return the same bytes. test/places compares more calls, over MCP and in the Go package, too.
// Rules: ANS-5, CLI-1, LINK-3.
func TestSameBytes(t *testing.T) {
	service := daemon.Start(t, binary, nil, daemon.Patient...)
	c := check.Value(contract.Load())(t)
	random := rand.New(rand.NewPCG(1, 2))
	succeeded := map[string]int{}
	for _, tool := range c.Tools() {
		for _, input := range inputs {
			for _, mediaType := range slices.Concat(tool.Accepts, tool.Accepts) {
				if sameBytes(t, service.URL, tool, input, mediaType, someOptions(random, tool)) {
					succeeded[tool.Name]++
				}
			}
		}
	}
	for _, tool := range c.Tools() {
		if succeeded[tool.Name] == 0 {
			t.Errorf("no call of %s succeeded", tool.Name)
		}
	}
}

// someOptions are the required options of a tool and some of the others, with values that its schema allows.
func someOptions(random *rand.Rand, tool contract.Tool) map[string]any {
	options := map[string]any{}
	for _, o := range tool.Options {
		switch {
		case !o.Required && random.IntN(2) == 0:
		case o.Integer:
			options[o.Name] = o.Minimum + random.IntN(o.Maximum-o.Minimum+1)
		default:
			options[o.Name] = o.Enum[random.IntN(len(o.Enum))]
		}
	}
	return options
}

// sameBytes makes one call in each of these ways and reports whether it
// succeeded. A successful call is repeated with its editor link.
func sameBytes(t *testing.T, server string, tool contract.Tool, input, mediaType string, options map[string]any) bool {
	t.Helper()
	args := []string{"run", tool.Name, "--exact", "--media-type", mediaType}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		args = append(args, fmt.Sprintf("--%s=%v", name, options[name]))
	}
	local := command(input, append(args, "--json", "--base-url", server)...)
	remote := command(input, append(args, "--json", "--server", server)...)
	body := check.Value(json.Marshal(map[string]any{"input": map[string]any{"mediaType": mediaType, "value": input}, "options": options}))(t)
	response := check.Value(http.Post(server+tool.Path, "application/json", bytes.NewReader(body)))(t)
	plain := check.Value(io.ReadAll(response.Body))(t)
	if diff := cmp.Diff(local, remote, cmp.AllowUnexported(result{})); diff != "" || string(plain) != local.out {
		t.Fatalf("%q of %q\n(-local +remote):\n%s\nHTTP:  %s\nlocal: %s", args, input, diff, plain, local.out)
	}
	if local.code != exitOK {
		return false
	}
	var reply struct {
		Output     struct{ Value string }
		Provenance struct{ EditorURL string }
	}
	check.JSON(t, plain, &reply)
	for _, again := range [][]string{
		append(args, "--base-url", server),
		{"pipeline", reply.Provenance.EditorURL, "-", "--exact", "--media-type", mediaType},
		{"pipeline", reply.Provenance.EditorURL, "-", "--exact", "--media-type", mediaType, "--server", server},
	} {
		if got := command(input, again...); got.code != exitOK || got.out != reply.Output.Value {
			t.Fatalf("%q of %q: %+v\nwant %q", again, input, got, reply.Output.Value)
		}
	}
	return true
}

// TestGrammar checks that no option of the document has the name of a flag that every tool has; otherwise the command
// line could not be built. It also checks that the help lists the document's tools.
func TestGrammar(t *testing.T) {
	help := command("", "--help").out
	for _, tool := range tools.All() {
		if !strings.Contains(help, "run "+tool.Name) {
			t.Errorf("the help does not list %s", tool.Name)
		}
		if text := command("", "run", tool.Name, "--help").out; strings.ContainsAny(text, "`") || strings.Contains(text, "options.") {
			t.Errorf("the help of %s is not written for a terminal:\n%s", tool.Name, text)
		}
	}
}

// TestVerify runs the contract's cases against the real binary, with the real
// binary's command.
func TestVerify(t *testing.T) {
	service := daemon.Start(t, binary, nil, daemon.Patient...)
	report := filepath.Join(t.TempDir(), "junit.xml")
	if got := command("", "verify", service.URL, "--junit", report); got.code != exitOK || !strings.Contains(got.out, "0 failed") {
		t.Errorf("%+v", got)
	}
	if text, _ := os.ReadFile(report); !bytes.Contains(text, []byte(`<testsuite name="convertd contract"`)) {
		t.Errorf("%s", text)
	}
	folder := t.TempDir()
	wrong := `[{name: wrong, rule: none, request: {path: /v1/tools/json_format, json: {}}, response: {status: 200}}]`
	check.OK(t, os.WriteFile(filepath.Join(folder, "wrong.yaml"), []byte(wrong), 0o600))
	if got := command("", "verify", "-q", service.URL, "--cases", folder); got.code != exitUnverified || !strings.Contains(got.out, "FAIL  wrong") {
		t.Errorf("%+v", got)
	}
	if got := command("", "verify", service.URL, "--only", "("); got.code != exitBadUsage {
		t.Errorf("%+v", got)
	}
}
