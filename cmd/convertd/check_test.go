package main

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// TestCheck checks that --check writes nothing, reports every file, and distinguishes by its exit code files that would
// change from files that cannot be converted.
func TestCheck(t *testing.T) {
	files := map[string]string{
		"loose.json": `{"a":1}`, "neat.json": "{\n  \"a\": 1\n}\n", "unended.json": "{\n  \"a\": 1\n}", "twice.json": `{"a":1,"a":2}`, "bom.json": "\ufeff{\n  \"a\": 1\n}\n",
		"openapi.json": `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{}}`,
		"neat.jsonl":   "[1]\n[2]\n", "loose.jsonl": "[1]\n[ 2 ]\n", "broken.jsonl": "[1]\n[\n",
	}
	for _, c := range []struct {
		args string
		code int
		want []string // in standard error, each once, in this order
	}{
		{"run json_format --check neat.json", exitOK, nil},
		{"run json_format --check loose.json twice.json unended.json neat.json", exitRejected, []string{"loose.json would change", "twice.json:1:8: Duplicate key", "unended.json would change"}},
		{"run json_format --check --exact neat.json unended.json", exitDiffers, []string{"neat.json would change"}},
		{"run json_format --check --indent=0 neat.json", exitDiffers, []string{"neat.json would change"}},
		{"run json_format --check bom.json", exitDiffers, []string{"bom.json would change"}},
		{"run json_format --check loose.json none.json", exitFailed, []string{"loose.json would change", "none.json"}},
		{"run json_to_yaml --check loose.json neat.json", exitOK, nil},
		{"run api_convert --target=openapi-3.1-json --check openapi.json", exitOK, nil},
		{"run api_convert --target=curl --check neat.json", exitRejected, []string{"Unrecognized source"}},
		{"pipeline json_format,indent:0 json_format --check neat.json", exitOK, nil},
		{"run json_format --check none.json", exitFailed, []string{"none.json"}},
		{"run json_format --check --in-place neat.json", exitBadUsage, []string{"--check writes nothing"}},
		{"run json_format --check --lines neat.jsonl", exitOK, nil},
		{"run json_format --check --lines loose.jsonl neat.jsonl", exitDiffers, []string{"convertd: loose.jsonl would change\n"}},
		{"run json_format --check --lines broken.jsonl loose.jsonl", exitRejected, []string{"broken.jsonl:2:", "convertd: loose.jsonl would change\n"}},
		{"run json_format --check --lines loose.jsonl broken.jsonl", exitRejected, []string{"loose.jsonl would change\n", "broken.jsonl:2:"}},
	} {
		folder := folderOf(t, files)
		got := at(t, folder, "", strings.Fields(c.args)...)
		if got.code != c.code || got.out != "" {
			t.Errorf("%s: %+v", c.args, got)
		}
		rest := got.err
		for _, want := range c.want {
			before, after, found := strings.Cut(rest, want)
			if !found || strings.Contains(before, "would change") {
				t.Errorf("%s: no %q in\n%s", c.args, want, got.err)
			}
			rest = after
		}
		if strings.Contains(rest, "would change") {
			t.Errorf("%s: too much is reported:\n%s", c.args, got.err)
		}
		check.Equal(t, files, contents(t, folder), c.args, "changed files")
	}
}
