package channels

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// actions runs a workflow with these steps in a runner on this machine, in a repository that contains the action in
// action/ and the files in files/. It returns the log and whether the job succeeded. The last step prints the files.
func actions(t *testing.T, steps string, files map[string]string, env ...string) (string, bool) {
	t.Helper()
	folder := t.TempDir()
	snapshot(t, filepath.Join(folder, "action"))
	write(t, `on: push
jobs:
  convert:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
`+steps+`
      - run: for f in files/* out/*; do [ ! -f "$f" ] || { echo "=== $f"; cat "$f"; }; done
`, folder, ".github", "workflows", "convert.yml")
	for name, text := range files {
		write(t, text, folder, "files", name)
	}
	repository(t, folder)
	// The runner keeps its copies below HOME. Go's own caches keep their location.
	home := t.TempDir()
	cache := program{folder, nil}.must(t, "go", "env", "GOCACHE", "GOMODCACHE")
	lines := strings.Fields(cache)
	runner := program{folder, append(env, "HOME="+home, "XDG_CACHE_HOME="+home)}
	args := []string{"push", "--platform=ubuntu-latest=-self-hosted", "--env=GOCACHE=" + lines[0], "--env=GOMODCACHE=" + lines[1]}
	for _, variable := range env {
		args = append(args, "--env="+variable)
	}
	out, code := runner.run(t, filepath.Join(root, "test", "channels", "bin", "act"), args...)
	return out, code == 0
}

// logged returns a file's content as it appears in the runner's log.
func logged(name, text string) string {
	lines := []string{"| === " + name}
	for line := range strings.Lines(text) {
		lines = append(lines, "| "+strings.TrimSuffix(line, "\n"))
	}
	return strings.Join(lines, "\n[convert.yml/convert]   ")
}

func TestAction(t *testing.T) {
	out, ok := actions(t, `
      - uses: ./action
        with:
          tool: json_format
          files: files/*.json
          write: in-place
      - uses: ./action
        with:
          recipe: json_format json_to_yaml,indent:4
          files: |
            files/a b.json
            files/c.json
          write: out
      - uses: ./action
        with:
          tool: json_format
          options: indent=2
          files: files/**
`, map[string]string{"a b.json": loose, "c.json": neat, "-d.json": loose})
	if !ok {
		t.Fatal(out)
	}
	contains(t, out, logged("files/a b.json", neat), logged("files/-d.json", neat), logged("out/a b.yaml", "b:\n    - 1.50\n    - {}\na: null\n"))
}

// An error fails the step, and a file name is never run as a command.
func TestActionFails(t *testing.T) {
	wrong := map[string]string{
		"refused":       "{tool: json_format, files: files/broken.json, write: in-place}",
		"not-formatted": "{tool: json_format, files: files/loose.json}",
		"no-file":       "{tool: json_format, files: files/nothing*.json}",
		"no-files":      "{tool: json_format}",
		"command":       "{tool: '$(touch files/owned)', files: files/loose.json}",
		"option":        "{tool: json_format, options: 'indent=$(touch files/owned)', files: files/loose.json}",
		"version":       "{tool: json_format, files: files/loose.json, version: '../../x'}",
		"dead":          "{verify: 'http://127.0.0.1:1'}",
	}
	steps := ""
	for id, with := range wrong {
		steps += "\n      - id: " + id + "\n        uses: ./action\n        continue-on-error: true\n        with: " + with +
			"\n      - run: echo " + id + " was a ${{ steps." + id + ".outcome }}"
	}
	out, ok := actions(t, steps, map[string]string{"broken.json": broken, "loose.json": loose})
	if !ok {
		t.Errorf("the job failed:\n%s", out)
	}
	for id := range wrong {
		contains(t, out, id+" was a failure")
	}
	contains(t, out, "| "+broken, loose)
	if strings.Contains(out, "=== files/owned") {
		t.Error("a part of an input was run")
	}
}

// A release is downloaded, verified against its checksum, and used. One that differs is not used.
func TestActionRelease(t *testing.T) {
	folder := t.TempDir()
	check.Value(daemon.Build(folder))(t)
	name := "convertd_9.8.7_linux_" + runtime.GOARCH + ".tar.gz"
	program{folder, nil}.must(t, "tar", "-czf", name, "convertd")
	sum := sha256.Sum256([]byte(read(t, folder, name)))
	sums := fmt.Sprintf("%x  other.tar.gz\n%x  %s\n", sha256.Sum256(nil), sum, name)
	releases := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/good/v9.8.7/" + name, "/bad/v9.8.7/" + name:
			http.ServeFile(w, r, filepath.Join(folder, name))
		case "/good/v9.8.7/checksums.txt":
			fmt.Fprint(w, sums)
		case "/bad/v9.8.7/checksums.txt":
			fmt.Fprint(w, strings.ReplaceAll(sums, fmt.Sprintf("%x", sum), fmt.Sprintf("%x", sha256.Sum256([]byte("other")))))
		default:
			http.NotFound(w, r)
		}
	}))
	defer releases.Close()
	steps := `
      - uses: ./action
        with: {tool: json_format, version: 9.8.7, files: files/a.json, write: in-place}
`
	files := map[string]string{"a.json": loose}
	if out, ok := actions(t, steps, files, "CONVERTD_RELEASES="+releases.URL+"/good"); !ok {
		t.Error(out)
	} else {
		contains(t, out, logged("files/a.json", neat))
	}
	for _, wrong := range []string{"/bad", "/none"} {
		if out, ok := actions(t, steps, files, "CONVERTD_RELEASES="+releases.URL+wrong); ok {
			t.Errorf("%s: used all the same:\n%s", wrong, out)
		}
	}
}

func TestActionVerify(t *testing.T) {
	folder := t.TempDir()
	binary := check.Value(daemon.Build(folder))(t)
	service := daemon.Start(t, binary, nil, daemon.Patient...)
	out, ok := actions(t, "\n      - uses: ./action\n        with: {verify: '"+service.URL+"', junit: files/report.xml}\n", map[string]string{"x": ""})
	if !ok {
		t.Fatal(out)
	}
	contains(t, out, "<testsuite ", "<testcase")
}
