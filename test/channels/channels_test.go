// Package channels runs the distribution channels of convertd as their hosts would: it installs and removes the Debian
// package, runs the GitHub Action in a runner and the hooks with pre-commit, packs, validates and starts the bundle for
// desktop clients, and runs the agent skill's commands.
package channels

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/convertd/convertd/internal/check"
)

// root is the root of the repository.
var root string

func TestMain(m *testing.M) {
	folder, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	root = filepath.Join(folder, "..", "..")
	os.Exit(m.Run())
}

// program is how a test runs a program: its folder, and variables added to the environment.
type program struct {
	folder string
	env    []string
}

// run returns a program's output, on both streams, and its exit code.
func (p program) run(t *testing.T, name string, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 10*time.Minute) // cleanups run programs, too
	defer cancel()
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = p.folder
	command.Env = append(os.Environ(), p.env...)
	out, err := command.CombinedOutput()
	if err != nil && command.ProcessState == nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(out), command.ProcessState.ExitCode()
}

// must runs a program that has to exit with 0.
func (p program) must(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, code := p.run(t, name, args...)
	if code != 0 {
		t.Fatalf("%s %q: exit %d\n%s", name, args, code, out)
	}
	return out
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	return check.File(t, filepath.Join(path...))
}

func write(t *testing.T, text string, path ...string) {
	t.Helper()
	name := filepath.Join(path...)
	check.OK(t, os.MkdirAll(filepath.Dir(name), 0o755))
	check.OK(t, os.WriteFile(name, []byte(text), 0o644))
}

// parse strictly parses a YAML document into v.
func parse(t *testing.T, text string, v any) {
	t.Helper()
	decoder := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	check.OK(t, decoder.Decode(v))
}

// repository makes a folder a Git repository with all its files.
func repository(t *testing.T, folder string) {
	t.Helper()
	git := program{folder, nil}
	git.must(t, "git", "init", "--quiet")
	git.must(t, "git", "add", "--all")
	git.must(t, "git", "-c", "user.name=n", "-c", "user.email=n@example.com", "commit", "--quiet", "--message=files")
}

// snapshot copies the repository's tracked files in their current state into a new repository.
func snapshot(t *testing.T, folder string) {
	t.Helper()
	files := program{root, nil}.must(t, "git", "ls-files", "-z", "--", ":!test/*", ":!docs/*")
	archive := filepath.Join(t.TempDir(), "files")
	check.OK(t, os.WriteFile(archive, []byte(files), 0o644))
	check.OK(t, os.MkdirAll(folder, 0o755))
	program{root, nil}.must(t, "sh", "-c", `tar -c --null -T "$1" | tar -x -C "$2"`, "sh", archive, folder)
}

const (
	loose  = "{\"b\":[1.50,{}],\"a\":null}"
	neat   = "{\n  \"b\": [\n    1.50,\n    {}\n  ],\n  \"a\": null\n}\n"
	broken = "{\"a\":1,\"a\":2}"
)

// contains fails the test if text lacks one of the parts.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}
