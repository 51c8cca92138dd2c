package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// at runs the real binary in a folder.
func at(t *testing.T, folder, input string, args ...string) result {
	t.Helper()
	command := exec.Command(binary, args...)
	command.Dir, command.Stdin = folder, strings.NewReader(input)
	return outcomeOf(t, command)
}

func outcomeOf(t *testing.T, command *exec.Cmd) result {
	t.Helper()
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{command.ProcessState.ExitCode(), out.String(), problems.String()}
}

// folderOf creates a folder with files, whose names may contain slashes.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		check.OK(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o640)))
	}
	return folder
}

// contents returns all regular files of a folder, temporary ones included.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	check.OK(t, err)
	return found
}

var goodFiles = map[string]string{"a.json": `{"a":1}`, "b.json": "[ 2 ]", "sub/a.json": "[3]", "-x.json": "[4]", "new\nline.json": "[5]", "--": "[6]"}
var brokenFiles = map[string]string{"a.json": "[1]", "b.json": "[", "c.json": "[ 3 ]"}

// manyFiles are the cases of TestManyFiles.
var manyFiles = []struct {
	name    string
	files   map[string]string
	args    []string
	want    result            // err is a part
	changed map[string]string // of the folder, "" for a file that does not exist
}{
	{"in order", goodFiles, []string{"run", "json_format", "--indent=0", "b.json", "a.json", "sub/a.json"}, result{0, "[2]\n{\"a\":1}\n[3]\n", ""}, nil},
	{"exactly", goodFiles, []string{"run", "json_format", "--indent=0", "--exact", "b.json", "a.json"}, result{0, `[2]{"a":1}`, ""}, nil},
	{"documents of YAML", goodFiles, []string{"run", "json_to_yaml", "b.json", "a.json"}, result{0, "- 2\n---\na: 1\n", ""}, nil},
	{"names that look like flags", goodFiles, []string{"run", "json_format", "--indent=0", "--", "-x.json", "--", "new\nline.json"}, result{0, "[4]\n[6]\n[5]\n", ""}, nil},
	{"flags between", goodFiles, []string{"run", "-q", "json_format", "a.json", "--indent", "0", "b.json", "--color", "never"}, result{0, "{\"a\":1}\n[2]\n", ""}, nil},
	{"flags before the command", goodFiles, []string{"-q", "--indent", "0", "--exact", "run", "json_format", "a.json"}, result{0, `{"a":1}`, ""}, nil},
	{"flags before the command, in place", goodFiles, []string{"-i", "run", "json_format", "--indent=0", "b.json"}, result{0, "", ""}, map[string]string{"b.json": "[2]\n"}},
	{"flags of a recipe between", goodFiles, []string{"pipeline", "json_format", "-q", "json_format,indent:0", "b.json", "--max-input", "1KiB", "a.json"}, result{0, "[2]\n{\"a\":1}\n", ""}, nil},
	{"in place", goodFiles, []string{"run", "json_format", "-i", "--indent=0", "a.json", "./b.json", "--", "-x.json"}, result{0, "", ""}, map[string]string{"a.json": "{\"a\":1}\n", "b.json": "[2]\n", "-x.json": "[4]\n"}},
	{"in place, exactly", goodFiles, []string{"run", "json_format", "-i", "--exact", "--indent=0", "b.json"}, result{0, "", ""}, map[string]string{"b.json": "[2]"}},
	{"a recipe in place", goodFiles, []string{"pipeline", "json_format,indent:0", "json_format,indent:1", "b.json", "-i"}, result{0, "", ""}, map[string]string{"b.json": "[\n 2\n]\n"}},
	{"into a folder", goodFiles, []string{"run", "json_to_yaml", "--out-dir", "out/deep", "a.json", "-q", "--", "--", "-x.json"}, result{0, "", ""}, map[string]string{"out/deep/a.yaml": "a: 1\n", "out/deep/--.yaml": "- 6\n", "out/deep/-x.yaml": "- 4\n"}},
	{"one output", goodFiles, []string{"run", "json_format", "--indent=0", "-o", "all.json", "a.json", "b.json"}, result{0, "", ""}, map[string]string{"all.json": "{\"a\":1}\n[2]\n"}},
	{"two of one name", goodFiles, []string{"run", "json_to_yaml", "--out-dir=out", "a.json", "sub/a.json"}, result{2, "", "would both be out/a.yaml"}, nil},
	{"over an input", goodFiles, []string{"run", "json_format", "--out-dir=.", "a.json", "b.json"}, result{2, "", "would replace the input a.json"}, nil},
	{"over another input", goodFiles, []string{"run", "json_format", "--out-dir=.", "sub/a.json", "a.json"}, result{2, "", "would replace the input a.json"}, nil},
	{"the same file twice", goodFiles, []string{"run", "json_format", "-i", "a.json", "./a.json"}, result{2, "", "are the same file"}, nil},
	{"of another type", goodFiles, []string{"run", "json_to_yaml", "-i", "a.json"}, result{2, "", "instead of application/json; use --out-dir"}, nil},
	{"of a type that its name does not say", goodFiles, []string{"run", "api_convert", "--target=curl", "-i", "--", "--"}, result{2, "", "add --media-type TYPE"}, nil},
	{"responses of some into a folder", brokenFiles, []string{"run", "json_format", "--json", "--out-dir=out", "a.json", "b.json"}, result{3, "", "b.json"}, nil},
	{"responses of some that are there", brokenFiles, []string{"run", "json_format", "--json", "-o", "out.json", "none.json"}, result{1, "", "none.json"}, nil},
	{"standard input in place", goodFiles, []string{"run", "json_format", "-i"}, result{2, "", "standard input has no name"}, nil},
	{"standard input twice", goodFiles, []string{"run", "json_format", "-", "-"}, result{2, "", "can be read only once"}, nil},
	{"two places", goodFiles, []string{"run", "json_format", "-i", "-o", "x", "a.json"}, result{2, "", "cannot be used together"}, nil},
	{"responses in place", goodFiles, []string{"run", "json_format", "-i", "--json", "a.json"}, result{2, "", "a whole response (--json)"}, nil},
	{"a folder", goodFiles, []string{"run", "json_format", "sub"}, result{1, "", "is a directory"}, nil},
	{"a folder in place", goodFiles, []string{"run", "json_format", "-i", "a.json", "sub", "--media-type=application/json"}, result{1, "", "sub is not a regular file"}, nil},
	{"stops at the first", brokenFiles, []string{"run", "json_format", "--indent=0", "a.json", "b.json", "c.json"}, result{3, "[1]\n", "b.json:1:2: Invalid JSON (invalid_json)"}, nil},
	{"goes on", brokenFiles, []string{"run", "json_format", "--indent=0", "--keep-going", "a.json", "b.json", "none.json", "c.json"}, result{1, "[1]\n[3]\n", "none.json: no such file"}, nil},
	{"in place, nothing", brokenFiles, []string{"run", "json_format", "-i", "a.json", "b.json", "c.json"}, result{3, "", "no file was written"}, nil},
	{"in place, the rest", brokenFiles, []string{"run", "json_format", "-i", "--keep-going", "--indent=0", "a.json", "b.json", "c.json"}, result{3, "", "b.json:1:2"}, map[string]string{"a.json": "[1]\n", "c.json": "[3]\n"}},
	{"an output of some", brokenFiles, []string{"run", "json_format", "-o", "all.json", "a.json", "b.json"}, result{3, "", "b.json"}, nil},
	{"a folder of some", brokenFiles, []string{"run", "json_to_yaml", "--out-dir=out", "a.json", "b.json"}, result{3, "", "b.json"}, nil},
	{"a file that is not there, in place", brokenFiles, []string{"run", "json_format", "-i", "a.json", "none.json"}, result{1, "", "none.json"}, nil},
	{"an option", goodFiles, []string{"run", "json_format", "-i", "--indent=9", "a.json", "b.json"}, result{2, "", "--indent: must be a whole number from 0 to 8"}, nil},
	{"larger than it may be", goodFiles, []string{"run", "json_format", "-i", "--max-input=6", "--indent=0", "a.json", "b.json"}, result{3, "", "a.json is larger than 6 bytes (--max-input)"}, nil},
	{"replaced", map[string]string{"a.json": "[1]", "out/a.yaml": "old"}, []string{"run", "json_to_yaml", "--out-dir=out", "a.json"}, result{0, "", ""}, map[string]string{"out/a.yaml": "- 1\n"}},
	{"not replaced", map[string]string{"a.json": "[1]", "out/a.yaml": "old"}, []string{"run", "json_to_yaml", "--out-dir=out", "--no-clobber", "a.json"}, result{1, "", "out/a.yaml exists, and --no-clobber is set"}, nil},
	{"an output not replaced", goodFiles, []string{"run", "json_format", "-o", "b.json", "--no-clobber", "a.json"}, result{1, "", "b.json exists, and --no-clobber is set"}, nil},
	{"a missing folder", goodFiles, []string{"run", "json_format", "-o", "none/x.json", "a.json"}, result{1, "", "convertd: none/x.json cannot be written: the folder none does not exist\n"}, nil},
	{"a byte order mark", map[string]string{"a.json": "\ufeff[1]\n"}, []string{"run", "json_format", "--indent=0", "-i", "a.json"}, result{0, "", "warning: byte_order_mark: The byte order mark at the beginning was removed.\n"}, map[string]string{"a.json": "[1]\n"}},
	{"UTF-16", map[string]string{"a.json": "\xff\xfe[\x00]\x00"}, []string{"run", "json_format", "a.json"}, result{3, "", "detail: The input is UTF-16.\n  hint:   Convert it to UTF-8: iconv -f UTF-16"}, nil},
	{"a newline in a name", map[string]string{"a\nb.json": "{", "c.json": "[1]"}, []string{"run", "json_format", "--check", "a\nb.json", "c.json"}, result{3, "", "a\\x0ab.json:1:2: Invalid JSON"}, nil},
	{"no size", goodFiles, []string{"run", "json_format", "--max-input=2GiB", "a.json"}, result{2, "", "--max-input: must be from 1 byte to 1GiB"}, nil},
	{"lines in place", map[string]string{"a.json": "[ 1 ]\r\n[ 2 ]"}, []string{"run", "json_format", "--lines", "-i", "a.json"}, result{0, "", ""}, map[string]string{"a.json": "[1]\n[2]\n"}},
	{"lines in place, one refused", map[string]string{"a.json": "[ 1 ]\n["}, []string{"run", "json_format", "--lines", "-i", "a.json"}, result{3, "", "a.json:2:2"}, nil},
	{"lines in place, the rest", map[string]string{"a.json": "[ 1 ]\n["}, []string{"run", "json_format", "--lines", "-i", "--keep-going", "a.json"}, result{3, "", "a.json:2:2"}, map[string]string{"a.json": "[1]\n"}},
	{"shell text has its own name", map[string]string{"api.json": `{"openapi":"3.0.3","info":{"title":"T","version":"1"},"paths":{}}`}, []string{"run", "api_convert", "--target=curl", "--out-dir=out", "api.json"}, result{0, "", "lost.operations"}, map[string]string{"out/api.sh": "# T 1\n"}},
}

// localized returns a name of manyFiles: on Windows, it has no line feed.
func localized(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ReplaceAll(name, "\n", "_")
	}
	return name
}

// localizedError returns an error of manyFiles as Windows words it.
func localizedError(text string) string {
	if runtime.GOOS != "windows" {
		return text
	}
	text, _, _ = strings.Cut(text, "no such file")
	return strings.NewReplacer(`\x0a`, "_", "out/a.yaml", `out\a.yaml`, "is a directory", "sub").Replace(text)
}

// TestManyFiles checks the outputs of several inputs, and what is written when one of them is refused.
// Rules: CLI-4, CLI-6.
func TestManyFiles(t *testing.T) {
	for _, test := range manyFiles {
		t.Run(test.name, func(t *testing.T) {
			inputs, args := map[string]string{}, make([]string, len(test.args))
			for name, text := range test.files {
				inputs[localized(name)] = text
			}
			for i, arg := range test.args {
				args[i] = localized(arg)
			}
			folder := folderOf(t, inputs)
			got := at(t, folder, "", args...)
			if got.code != test.want.code || got.out != test.want.out || !strings.Contains(got.err, localizedError(test.want.err)) || test.want.err == "" && got.err != "" {
				t.Errorf("want %+v\ngot  %+v", test.want, got)
			}
			want := map[string]string{}
			for _, files := range []map[string]string{inputs, test.changed} {
				maps.Copy(want, files)
			}
			check.Equal(t, want, contents(t, folder))
		})
	}
}

// start starts the real binary in a folder. Its standard input stays open until the caller closes it.
func start(t *testing.T, folder string, args ...string) (command *exec.Cmd, in io.WriteCloser, problems *bytes.Buffer) {
	t.Helper()
	command, problems = exec.Command(binary, args...), &bytes.Buffer{}
	command.Dir, command.Stderr = folder, problems
	in, err := command.StdinPipe()
	if err == nil {
		err = command.Start()
	}
	check.OK(t, err)
	t.Cleanup(func() { _ = command.Process.Kill() })
	return command, in, problems
}

// pipeful is more than a pipe holds: once it is written, the command is reading.
var pipeful = strings.Repeat(" ", 1<<20)

// TestPlantedLinks checks that --out-dir refuses a link in the place of an output
// or of the folder, and that nothing is written anywhere.
// Rule: CLI-4.
func TestPlantedLinks(t *testing.T) {
	check.SkipUnderWine(t, "reports a symbolic link as a file")
	files := map[string]string{"a.json": "[1]", "script": "echo", "elsewhere/a.yaml": "old"}
	for link, to := range map[string]string{"out/a.yaml": "../script", "out": "elsewhere", "deep": "elsewhere"} {
		folder := folderOf(t, files)
		path := filepath.Join(folder, link)
		check.OK(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(to, path)))
		dir := "out"
		if link == "deep" {
			dir = "deep/new"
		}
		got := at(t, folder, "", "run", "json_to_yaml", "--out-dir", dir, "a.json")
		if got.code != exitFailed || !strings.Contains(got.err, link+" is a symbolic link") {
			t.Errorf("%s: %+v", link, got)
		}
		check.Equal(t, files, contents(t, folder), link)
	}
}

// TestNobodyReadsTheMessages checks that no temporary file is left when the reader of standard error is gone, as after
// 2>&1 | head -1.
// Rule: CLI-4.
func TestNobodyReadsTheMessages(t *testing.T) {
	files := map[string]string{}
	args := []string{"run", "api_convert", "--target", "postman-2.1", "--out-dir", "."}
	for i := range 4 {
		name := fmt.Sprintf("%d.sh", i)
		files[name] = "curl -u bob:hunter2 http://h.test/ | jq .\n" // it warns
		args = append(args, name)
	}
	for range 10 {
		folder := folderOf(t, files)
		reader, writer, err := os.Pipe()
		check.OK(t, err)
		check.OK(t, reader.Close())
		command := exec.Command(binary, args...)
		command.Dir, command.Stderr = folder, writer
		_ = command.Run()
		check.OK(t, writer.Close())
		for name := range contents(t, folder) {
			if strings.HasSuffix(name, ".tmp") {
				t.Errorf("%s is left", name)
			}
		}
	}
}
