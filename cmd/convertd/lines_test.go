package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// TestLines checks what each line becomes, and how a refused line is reported.
// Rule: CLI-6.
func TestLines(t *testing.T) {
	const token = "eyJhbGciOiJub25lIn0.eyJyb2xlcyI6WyJhIiwiYiJdfQ."
	const claims = `{"header":{"alg":"none"},"payload":{"roles":["a","b"]}}` + "\n"
	folder := t.TempDir()
	for name, text := range map[string]string{"a.jsonl": "[ 1 ]\n[ 2 ]", "b.jsonl": "{\n[ 3 ]\n", "collection.sh": "curl https://example.com\n"} {
		check.OK(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	file := func(name string) string { return filepath.Join(folder, name) }
	for _, test := range []struct {
		name  string
		args  []string
		input string
		want  result // err is a part
	}{
		{"values", []string{"run", "json_format"}, "{\"a\": 1.50}\n[ ]\n", result{0, "{\"a\":1.50}\n[]\n", ""}},
		{"no final line feed", []string{"run", "json_format"}, "[ 1 ]\n[ 2 ]", result{0, "[1]\n[2]\n", ""}},
		{"CR LF and empty lines", []string{"run", "timestamp_to_iso", "--unit=seconds"}, "\r\n0\r\n \r\n\n1\r\n", result{0, "1970-01-01T00:00:00Z\n1970-01-01T00:00:01Z\n", ""}},
		{"nothing", []string{"run", "json_format"}, "", result{0, "", ""}},
		{"tokens", []string{"run", "jwt_decode", "-q"}, token + "\n" + token + "\n", result{0, claims + claims, ""}},
		{"warnings once", []string{"run", "jwt_decode"}, token + "\n" + token + "\n", result{0, claims + claims, "warning: standard input:1: alg_none: The header's alg is none: the token is not signed, so anyone could have written it.\nwarning: 2 more warnings"}},
		{"refused lines", []string{"run", "json_format"}, "[1\n[ 2 ]\n{\"a\":1,\"a\":2}\n", result{3, "[2]\n", "convertd: standard input:3:8: Duplicate key (duplicate_key): "}},
		{"not UTF-8", []string{"run", "json_format"}, "[1]\n\"a\xff\"\n[2]\n", result{3, "[1]\n[2]\n", "convertd: standard input:2:3: Input is not UTF-8 (malformed_json): The input is not UTF-8."}},
		{"a byte order mark", []string{"run", "json_format"}, "\ufeff[1]\n[2]\n", result{0, "[1]\n[2]\n", "warning: standard input:1: byte_order_mark: The byte order mark at the beginning was removed.\n"}},
		{"whole responses", []string{"run", "json_to_yaml", "--json"}, "[1]\n[\n", result{3, `{"output":{"mediaType":"application/yaml","value":"- 1\n"}`, ""}},
		{"files", []string{"run", "json_format", file("a.jsonl"), file("b.jsonl")}, "", result{3, "[1]\n[2]\n[3]\n", "b.jsonl:1:2"}},
		{"a file that is not there", []string{"run", "json_format", file("none"), file("a.jsonl")}, "", result{1, "[1]\n[2]\n", "none"}},
		{"a recipe", []string{"pipeline", "jwt_decode", "json_format", "-q"}, token, result{0, claims, ""}},
		{"kinds of text", []string{"run", "api_convert", "--target=postman-2.1", "-q"}, "curl https://example.com/a\n" + `{"openapi":"3.0.3","info":{"title":"T","version":"1"},"paths":{}}`, result{0, `{"info":{"name":"T"`, ""}},
		{"YAML", []string{"run", "json_to_yaml"}, "[1]\n{\"a\":1,\"b\":2}\n3\n", result{3, "- 1\n3\n", "convertd: standard input:2: The output has several lines, and --lines writes one for each input. Leave --lines out, or add --json.\n"}},
		{"a shell script", []string{"run", "api_convert", "--target=curl", "-q"}, `{"openapi":"3.0.3","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{}}},"servers":[{"url":"https://example.com"}]}`, result{3, "", "standard input:1: The output has several lines"}},
		{"a terminal's words", []string{"run", "timestamp_to_iso"}, "1700000000\n", result{3, "", "Set --unit to seconds"}},
		{"an indent", []string{"run", "json_format", "--indent=2"}, "[1]", result{2, "", "--indent must be 0 or absent"}},
		{"an indent of none", []string{"run", "json_format", "--indent=0"}, "[1]", result{0, "[1]\n", ""}},
		{"an indent of a recipe", []string{"pipeline", "json_format,indent:3"}, "[1]", result{0, "[1]\n", ""}},
		{"exactly", []string{"run", "json_format", "--exact"}, "[1]", result{2, "", "it cannot be used with --exact"}},
		{"an option", []string{"run", "timestamp_to_iso", "--unit=weeks"}, "1\n2\n", result{2, "", "--unit"}},
		{"a small line that is too large", []string{"run", "json_format", "--max-input=4"}, "[ 1]\n[  2]\n[3]\n", result{3, "[1]\n", "line 2 of standard input is larger than 4 bytes (--max-input)"}},
		{"a last line that is too large", []string{"run", "json_format", "--max-input=4"}, "[ 1]\n[  2]", result{3, "[1]\n", "line 2 of standard input is larger than 4 bytes (--max-input)"}},
		{"a line that is too large", []string{"run", "json_format", "--max-input=300KiB"}, "[1]\n" + strings.Repeat(" ", 1<<20) + "[2]", result{3, "[1]\n", "line 2 of standard input is larger than 300 KiB (--max-input)"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := command(test.input, append(test.args, "--lines")...)
			same := got.out == test.want.out
			if test.name == "whole responses" || test.name == "kinds of text" {
				same = strings.Contains(got.out, test.want.out) && strings.Count(got.out, "\n") == 2
			}
			if got.code != test.want.code || !same || !strings.Contains(got.err, test.want.err) {
				t.Errorf("want %+v\ngot  %+v", test.want, got)
			}
		})
	}
}

// TestLinesInOrder checks that batches are written in order.
func TestLinesInOrder(t *testing.T) {
	var in, want strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&in, "[ %d ]\n", i)
		fmt.Fprintf(&want, "[%d]\n", i)
		if i%1000 == 0 {
			in.WriteString(strings.Repeat(" ", i) + "\n") // batches of all lengths
		}
	}
	got := command(in.String(), "run", "json_format", "--lines")
	if got.code != exitOK || got.out != want.String() {
		t.Errorf("exit %d, %d bytes of %d: %.300s", got.code, len(got.out), want.Len(), got.err)
	}
}

// TestLinesOfAServer checks that each line is a request, and that a temporary problem ends the work.
func TestLinesOfAServer(t *testing.T) {
	service := daemon.Start(t, binary, nil, "--rate-limit=4")
	got := command("[ 1 ]\n[\n[ 3 ]\n", "run", "json_format", "--lines", "--server", service.URL)
	if got.code != exitRejected || got.out != "[1]\n[3]\n" || !strings.Contains(got.err, "standard input:2:2: Invalid JSON") {
		t.Errorf("%+v", got)
	}
	got = command(strings.Repeat("[ 1 ]\n", 20), "run", "json_format", "--lines", "--server", service.URL)
	if got.code != exitUnavailable || !strings.Contains(got.err, "rate_limited") || strings.Count(got.err, "\n") != 1 {
		t.Errorf("%+v", got)
	}
	if got := command("1\n", "run", "json_format", "--lines", "--server=http://127.0.0.1:1"); got.code != exitUnavailable {
		t.Errorf("%+v", got)
	}
}
