package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/test/daemon"
)

// TestExact checks, for each case of each tool, that --exact writes the same bytes as the service, to a pipe and to a
// file, and that without it an output differs only in a line feed at its end. What the service refuses is refused here,
// too, unless it is only too large.
// Rules: ANS-5, CLI-1, CLI-4.
func TestExact(t *testing.T) {
	service := daemon.Start(t, binary, nil, daemon.Patient...)
	c := check.Value(contract.Load())(t)
	file := filepath.Join(t.TempDir(), "output")
	for _, tool := range c.Tools() {
		compared := 0
		for _, test := range converttest.Load(t, "../../internal/tools/"+strings.ReplaceAll(tool.Name, "_", "")+"/testdata/cases.yaml") {
			in := test.Call(nil)
			if !utf8.ValidString(in.Value) || strings.HasPrefix(in.Value, "\ufeff") { // which the command line removes
				continue
			}
			if in.MediaType == "" {
				in.MediaType = tool.Accepts[0]
			}
			args := []string{"run", tool.Name, "-q", "--media-type", in.MediaType}
			for name, value := range in.Options {
				args = append(args, fmt.Sprintf("--%s=%v", name, value))
			}
			body := check.Value(json.Marshal(map[string]any{"input": map[string]any{"mediaType": in.MediaType, "value": in.Value}, "options": in.Options}))(t)
			response := check.Value(http.Post(service.URL+tool.Path, "application/json", bytes.NewReader(body)))(t)
			var reply struct {
				Code   convert.Code
				Output struct{ Value string }
			}
			check.JSON(t, check.Value(io.ReadAll(response.Body))(t), &reply)
			exact, plain := command(in.Value, append(args, "--exact")...), command(in.Value, args...)
			switch want := reply.Output.Value; {
			case response.StatusCode == http.StatusOK:
				written := command(in.Value, append(args, "--exact", "-o", file)...)
				text, _ := os.ReadFile(file)
				if exact != (result{out: want}) || written != (result{}) || string(text) != want {
					t.Errorf("%s, %s: %+v, -o %q\nwant %q", tool.Name, test.Name, exact, text, want)
				}
				if !strings.HasSuffix(want, "\n") {
					want += "\n"
				}
				if plain.out != want {
					t.Errorf("%s, %s: %q, want %q", tool.Name, test.Name, plain.out, want)
				}
				compared++
			case reply.Code == convert.OutputTooLarge || reply.Code == convert.RequestTooLarge || reply.Code == convert.TooComplex:
			case plain.code == exitOK || plain.out != "":
				t.Errorf("%s, %s: the service says %s, the command %+v", tool.Name, test.Name, reply.Code, plain)
			}
		}
		if compared == 0 {
			t.Errorf("%s: no case of testdata/cases.yaml is converted", tool.Name)
		}
	}
}

// TestNoLimits checks that an input over the service's limits is converted here, and refused with --server.
// Rule: LIM-5.
func TestNoLimits(t *testing.T) {
	service := daemon.Start(t, binary, nil, daemon.Patient...)
	long := "[" + strings.Repeat(`"0123456789",`, 1<<20) + "0]"
	paths := `{"openapi":"3.0.3","info":{"title":"T","version":"1"},"paths":{"/0":{"get":{}}`
	for i := 1; len(paths) < 6_000_000; i++ {
		paths += fmt.Sprintf(`,"/a%d":{"get":{"operationId":"o%d","description":"%s","responses":{"200":{"description":"d"}}}}`, i, i, strings.Repeat("word ", 400))
	}
	for _, test := range []struct {
		input string
		args  []string
	}{
		{long, []string{"run", "json_format"}},
		{long, []string{"run", "json_to_yaml"}},
		{long, []string{"pipeline", "json_format", "json_to_yaml"}},
		{paths + "}}", []string{"run", "api_convert", "--target=postman-2.1"}},
		{strings.Repeat(" ", 2<<20) + "1700000000", []string{"run", "timestamp_to_iso", "--unit=seconds"}},
	} {
		if got := command(test.input, test.args...); got.code != exitOK || got.out == "" {
			t.Errorf("%q: exit %d, %d bytes: %.300s", test.args, got.code, len(got.out), got.err)
		}
		got := command(test.input, append(test.args, "--server", service.URL)...)
		if got.code != exitRejected || got.out != "" || !strings.Contains(got.err, "(request_too_large)") || !strings.Contains(got.err, "Leave out --server") {
			t.Errorf("%q at a server: exit %d, %d bytes: %.300s", test.args, got.code, len(got.out), got.err)
		}
	}
	deep := strings.Repeat("[", 257)
	if got := command(deep, "run", "json_format"); got.code != exitRejected || !strings.Contains(got.err, "too_deep") {
		t.Errorf("%+v", got)
	}
}

// TestRefusedLate checks that an input that is refused after much output has written
// some of it to a pipe, and nothing to a file.
// Rule: CLI-4.
func TestRefusedLate(t *testing.T) {
	few, many := "["+strings.Repeat("1,", 1000), "["+strings.Repeat("1,", 1<<20)
	if got := command(few, "run", "json_format"); got.code != exitRejected || got.out != "" {
		t.Errorf("exit %d, %d bytes", got.code, len(got.out))
	}
	if got := command(many, "run", "json_format"); got.code != exitRejected || got.out == "" {
		t.Errorf("exit %d, %d bytes", got.code, len(got.out))
	}
	file := filepath.Join(t.TempDir(), "output")
	if got := command(many, "run", "json_format", "-o", file); got.code != exitRejected {
		t.Errorf("exit %d", got.code)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// TestRecognized checks that api_convert recognizes the media type of its input.
func TestRecognized(t *testing.T) {
	for _, input := range []string{
		`{"openapi":"3.0.3","info":{"title":"T","version":"1"},"paths":{}}`,
		"openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\n",
		"# a comment\ncurl https://example.com\n",
	} {
		if got := command(input, "run", "api_convert", "--target=openapi-3.1-yaml", "-q"); got.code != exitOK || !strings.HasPrefix(got.out, `openapi: "3.1.0"`) {
			t.Errorf("%q: %+v", input, got)
		}
	}
	if got := command("{", "run", "api_convert", "--target=curl"); got.code != exitRejected || !strings.Contains(got.err, "invalid_source") {
		t.Errorf("%+v", got)
	}
}

// TestArgumentsAreNotRepeated checks that no message repeats a token that was typed as an argument.
// Rule: CLI-5.
func TestArgumentsAreNotRepeated(t *testing.T) {
	const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJTZWNyZXQifQ.c2ln"
	for _, secret := range []string{token, "Bearer " + token, `{"password":"hunter2"}`, "[\"hunter2\",\n1]", "1700000000.25"} {
		for _, args := range [][]string{
			{"run", "jwt_decode", secret}, {"run", "jwt_decode", "-q", secret, secret}, {"run", "jwt_decode", "--lines", secret}, {"run", "json_format", "-i", secret},
			{"pipeline", secret}, {"pipeline", "jwt_decode", secret}, {"run", secret}, {secret}, {"run", "jwt_decode", "--out-dir=" + t.TempDir(), secret},
			{"run", "jwt_decode", "--" + secret},
		} {
			got := command("", args...)
			if got.code != exitBadUsage || got.out != "" || !strings.Contains(got.err, "standard input") || strings.Contains(got.err, "hunter2") || strings.Contains(got.err, token) || strings.Contains(got.err, "1700000000") && secret[0] == '1' && args[0] == "run" && len(args) > 2 {
				t.Errorf("%q: %+v", args, got)
			}
		}
	}
}

// TestHelpIsWritten checks that help that cannot be written is an error.
// Rule: CLI-2.
func TestHelpIsWritten(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"help", "run"}, {"run", "json_format", "-h"}, {}} {
		var messages strings.Builder
		broken, away := io.Pipe()
		broken.Close()
		code := run(t.Context(), args, streams{strings.NewReader(""), away, &messages})
		if want := exitFailed; code != want && len(args) > 0 || messages.Len() == 0 {
			t.Errorf("%q: exit code %d: %s", args, code, messages.String())
		}
	}
}

// TestColorFlag checks that --color colors JSON, and that a pipe gets no colors by default.
func TestColorFlag(t *testing.T) {
	for _, test := range []struct {
		args    []string
		colours bool
	}{
		{[]string{"run", "json_format"}, false},
		{[]string{"run", "json_format", "--color=never"}, false},
		{[]string{"run", "json_format", "--color=always"}, true},
		{[]string{"run", "json_format", "--color=always", "--lines"}, true},
		{[]string{"run", "json_format", "--color=always", "--json"}, true},
		{[]string{"run", "json_to_yaml", "--color=always"}, false},
		{[]string{"pipeline", "json_format", "json_format", "--color", "always"}, true},
	} {
		if got := command("[1]", test.args...); got.code != exitOK || strings.Contains(got.out, "\x1b[1;39m") != test.colours {
			t.Errorf("%q: %+v", test.args, got)
		}
	}
	if got := command("1", "run", "json_format", "--color=sometimes"); got.code != exitBadUsage || !strings.Contains(got.err, "--color") {
		t.Errorf("%+v", got)
	}
}

// TestHelp checks that each command has two examples or more, that help is
// --help, that -h is shorter, and that the examples that need no file run.
func TestHelp(t *testing.T) {
	ran := 0
	c := check.Value(contract.Load())(t)
	p := newCommandLine(c, streams{})
	for _, command := range append(leaves(p.root), p.root) {
		path := strings.TrimPrefix(strings.TrimPrefix(command.CommandPath(), "convertd"), " ")
		list := p.examplesOf(command)
		if len(list) < 2 {
			t.Errorf("%q has %d examples; see examples.go", path, len(list))
		}
		words := strings.Fields(path)
		help, flag, short := at(t, "", "", append([]string{"help"}, words...)...), at(t, "", "", append(words, "--help")...), at(t, "", "", append(words, "-h")...)
		if strings.Contains(path, "run") && len(short.out) > len(help.out)*3/4 || !strings.HasPrefix(short.out, "Usage: convertd") {
			t.Errorf("%q -h: %+v", path, short)
		}
		if help != flag || help.code != exitOK || !strings.Contains(help.out, "Examples:") {
			t.Errorf("help %s: %+v", path, help)
		}
		for _, example := range list {
			if !strings.Contains(strings.Join(strings.Fields(help.out), " "), strings.Join(strings.Fields(example), " ")) {
				t.Errorf("the help of %s does not show %s", path, example)
			}
			if strings.HasPrefix(example, "printf") {
				ran++
				if runtime.GOOS != "windows" { // whose shells have no printf
					shell(t, "", example)
				}
			}
		}
	}
	for _, page := range []string{"", "run", "pipeline", "run json_format"} {
		if text := command("", append(strings.Fields(page), "--help")...).out; !strings.Contains(text, "--in-place") && page != "" {
			t.Errorf("%q --help does not show --in-place", page)
		}
	}
	if ran < 5 {
		t.Errorf("%d examples were run", ran)
	}
	if got := command("", "help", "nonsense"); got.code != exitBadUsage {
		t.Errorf("%+v", got)
	}
	if got := command("", "version"); got.out != version+"\n" {
		t.Errorf("%+v", got)
	}
}

// TestMan checks that man reads a page for each command without a warning, and
// that the pages of one program are always the same.
func TestMan(t *testing.T) {
	folder, again := filepath.Join(t.TempDir(), "a", "b"), t.TempDir()
	for _, to := range []string{folder, again} {
		if got := command("", "man", to); got != (result{}) {
			t.Fatalf("%+v", got)
		}
	}
	pages := contents(t, folder)
	check.Equal(t, pages, contents(t, again))
	for _, want := range []string{
		".TH CONVERTD-RUN-JSON_FORMAT 1 ", ".SH SYNOPSIS\n.EX\nconvertd run json_format [FLAGS] [FILE ...]\n.EE\n.SH DESCRIPTION\n",
		`printf '[1]\en[ 2 ]\en' | convertd run json_format \-\-lines`, `  \-i, \-\-in\-place  `, ".SH SEE ALSO", ".SH COMMON FLAGS",
	} {
		if !strings.Contains(pages["convertd-run-json_format.1"], want) {
			t.Errorf("no %q in\n%s", want, pages["convertd-run-json_format.1"])
		}
	}
	program := converttest.Program(t, "man")
	for name := range pages {
		man := exec.Command(program, "-l", "--warnings", filepath.Join(folder, name))
		var problems bytes.Buffer
		man.Stderr = &problems
		man.Env = append(os.Environ(), "MANWIDTH=80", "LC_ALL=C.UTF-8")
		if _, err := man.Output(); err != nil || problems.Len() > 0 {
			t.Errorf("%s: %v: %s", name, err, problems.String())
		}
	}
}

// TestResponsesNameTheirInputs checks that each response of several inputs has the name of its input, and that of a
// single one has the service's bytes.
func TestResponsesNameTheirInputs(t *testing.T) {
	folder := folderOf(t, brokenFiles)
	for _, lines := range [][]string{nil, {"--lines"}} {
		args := append([]string{"run", "json_format", "--json", "--keep-going"}, lines...)
		got := at(t, folder, "", append(args, "a.json", "b.json", "c.json")...)
		reader, names := json.NewDecoder(strings.NewReader(got.out)), ""
		for reader.More() {
			var response struct{ File, Code string }
			check.OK(t, reader.Decode(&response))
			names += response.File + " " + response.Code + ","
		}
		if names != "a.json ,b.json invalid_json,c.json ," {
			t.Errorf("%v: %s", lines, names)
		}
		if got := at(t, folder, "", append(args, "a.json")...); !strings.HasPrefix(got.out, `{"output":`) {
			t.Errorf("%v: a single input: %s", lines, got.out)
		}
	}
}
