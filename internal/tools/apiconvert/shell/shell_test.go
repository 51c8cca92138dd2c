package shell

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// testCase is a script and either the commands that Read returns for it or the failure.
type testCase struct {
	Name     string        `yaml:"name"`
	Input    string        `yaml:"input"`
	Commands []testCommand `yaml:"commands"`
	Notes    []string      `yaml:"notes"`

	Code   convert.Code `yaml:"code"`
	Line   int          `yaml:"line"`
	Column int          `yaml:"column"`
}

// testCommand is a command in a form that is easy to write: words and values with {{name}} for a part that isn't a
// literal, or {{name:-default}} for one with a default.
type testCommand struct {
	Words   []string `yaml:"words"`
	Assigns []string `yaml:"assigns"`
	Stdin   string   `yaml:"stdin"` // "text: …", "file: …", "unknown"
	Comment string   `yaml:"comment"`
	Pipes   string   `yaml:"pipes"`
	Within  string   `yaml:"within"`
	Notes   []string `yaml:"notes"`
}

func show(w script.Word) string {
	var text strings.Builder
	for _, p := range w {
		switch {
		case p.Kind == script.Literal:
			text.WriteString(p.Text)
		case p.HasDefault:
			text.WriteString("{{" + p.Text + ":-" + p.Default + "}}")
		default:
			text.WriteString("{{" + p.Text + "}}")
		}
	}
	return text.String()
}

func showCommand(cmd *script.Command) testCommand {
	var c testCommand
	for _, w := range cmd.Words {
		c.Words = append(c.Words, show(w))
	}
	for _, a := range cmd.Assignments {
		c.Assigns = append(c.Assigns, a.Name+"="+show(a.Value))
	}
	switch cmd.Stdin.Kind {
	case script.Text:
		c.Stdin = "text: " + show(cmd.Stdin.Word)
	case script.File:
		c.Stdin = "file: " + show(cmd.Stdin.Word)
	case script.Unknown:
		c.Stdin = "unknown"
	}
	var within []string
	for bit, name := range map[script.Within]string{
		script.Conditional: "conditional", script.Loop: "loop", script.Function: "function", script.Substitution: "substitution",
	} {
		if cmd.Within&bit != 0 {
			within = append(within, name)
		}
	}
	if len(within) > 1 {
		within = []string{"several"}
	}
	c.Comment, c.Pipes, c.Within = cmd.Comment, cmd.PipesInto, strings.Join(within, " ")
	for _, n := range cmd.Notes {
		c.Notes = append(c.Notes, string(n))
	}
	return c
}

func loadCases(tb testing.TB) []testCase {
	tb.Helper()
	var cases []testCase
	converttest.Data(tb, "testdata/cases.yaml", &cases)
	return cases
}

func TestCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range loadCases(t) {
		if c.Name == "" || seen[c.Name] {
			t.Fatalf("name %q is empty or duplicate", c.Name)
		}
		seen[c.Name] = true
		t.Run(c.Name, func(t *testing.T) {
			script, err := Read(Normalize(c.Input), nil)
			if c.Code != "" {
				var failure *convert.Failure
				if !errors.As(err, &failure) {
					t.Fatalf("want %s, got %v", c.Code, err)
				}
				if failure.Code != c.Code || failure.Line != c.Line || failure.Column != c.Column {
					t.Fatalf("want %s at line %d, column %d, got %v", c.Code, c.Line, c.Column, failure)
				}
				return
			}
			check.OK(t, err)
			var got []testCommand
			for _, cmd := range script.Commands {
				got = append(got, showCommand(cmd))
			}
			var notes []string
			for _, n := range script.Notes {
				notes = append(notes, string(n))
			}
			if diff := cmp.Diff(c.Commands, got); diff != "" {
				t.Errorf("commands (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.Notes, notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}
