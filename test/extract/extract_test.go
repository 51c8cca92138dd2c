// Package extract compares the commands that package extract finds in a file with those that the file's own programs or
// libraries run: BuildKit's parser for Dockerfiles, Compose's loader, the types of Kubernetes, gitlab-ci-local, and the
// readers of Markdown, AsciiDoc and reStructuredText. Both run in bash with a stub for curl that records its arguments.
package extract

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/extract"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
)

type fileCase struct {
	Name        string   `yaml:"name"`
	Kind        string   `yaml:"kind"`
	Text        string   `yaml:"text"`
	Environment []string `yaml:"environment"`
}

// cases returns the cases in a file of testdata.
func cases(t *testing.T, name string) (all []fileCase) {
	converttest.Data(t, "testdata/"+name+".yaml", &all)
	return all
}

// compare compares the calls of curl in a script with those of the commands that package extract finds in a file.
func compare(t *testing.T, c fileCase, script string, transform func(string) string) {
	t.Helper()
	want := converttest.CurlCalls(t, transform(script), c.Environment)
	s := extract.Find(c.Text, budget.NewMeter())
	found := s.Text
	if !s.Found {
		found = ""
		blocks, _ := paste.Blocks(c.Text)
		for _, b := range blocks {
			found += c.Text[b.Start:b.End]
		}
	}
	got := converttest.CurlCalls(t, transform(found), c.Environment)
	if c.Kind == "unordered" {
		slices.Sort(want)
		slices.Sort(got)
	}
	if diff := cmp.Diff(want, got); diff != "" || want[0] == "" {
		t.Errorf("from\n%s\nthe commands\n%s\nare found (-want +got):\n%s", script, found, diff)
	}
}

func same(script string) string { return script }

// run runs a program with the text of a case as its input and returns its output.
func run(t *testing.T, c fileCase, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stdin = strings.NewReader(c.Text)
	cmd.Env = append(os.Environ(), c.Environment...)
	cmd.Stderr = os.Stderr
	return string(check.Value(cmd.Output())(t))
}

func TestContainers(t *testing.T) {
	for _, kind := range []struct{ kind, file string }{
		{"dockerfile", "dockerfiles"}, {"compose", "compose"}, {"kubernetes", "kubernetes"},
	} {
		for _, c := range cases(t, kind.file) {
			t.Run(c.Name, func(t *testing.T) {
				if kind.kind == "compose" {
					c.Kind = "unordered" // the library sorts services by name
				}
				compare(t, c, run(t, c, "bin/oracle", kind.kind), same)
			})
		}
	}
}

func TestDocuments(t *testing.T) {
	for _, c := range cases(t, "documents") {
		t.Run(c.Name, func(t *testing.T) {
			out := ""
			if c.Kind == "rst" {
				out = run(t, c, ".venv/bin/python", "blocks.py")
			} else {
				out = run(t, c, converttest.Program(t, "node"), "blocks.mjs", c.Kind)
			}
			var blocks []string
			check.OK(t, json.Unmarshal([]byte(out), &blocks))
			compare(t, c, strings.Join(blocks, "\n\n"), session)
		})
	}
}

// session returns the commands in a script and in sessions with the prompt $.
func session(script string) string {
	var commands []string
	prompted, continued := false, false
	for line := range strings.Lines(script) {
		command, isPrompt := strings.CutPrefix(line, "$ ")
		switch {
		case isPrompt:
			prompted = true
		case prompted && !continued:
			prompted = !strings.HasPrefix(line, "[") && strings.TrimSpace(line) != ""
			continue
		}
		continued = strings.HasSuffix(strings.TrimRight(line, "\n"), `\`)
		commands = append(commands, command)
	}
	return strings.Join(commands, "")
}

// TestGitLab runs each pipeline with gitlab-ci-local, in the shell.
func TestGitLab(t *testing.T) {
	for _, c := range cases(t, "gitlab") {
		t.Run(c.Name, func(t *testing.T) {
			program := check.Value(filepath.Abs("node_modules/.bin/gitlab-ci-local"))(t)
			dir := t.TempDir()
			check.OK(t, os.WriteFile(filepath.Join(dir, ".gitlab-ci.yml"), []byte(c.Text), 0o600))
			check.OK(t, exec.Command("git", "init", "-q", dir).Run())
			c.Kind = "unordered" // jobs of a stage run in any order
			for _, variable := range c.Environment {
				program += " --variable '" + variable + "'"
			}
			compare(t, c, "cd '"+dir+"' && PATH=$PATH:/usr/local/bin:/usr/bin:/bin HOME='"+dir+"' "+program+" --force-shell-executor --concurrency 1", same)
		})
	}
}
