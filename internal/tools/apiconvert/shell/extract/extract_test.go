package extract

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// found returns the script in text.
func found(t *testing.T, text string) string {
	t.Helper()
	s := Find(text, budget.NewMeter())
	if !s.Found {
		t.Fatal("no format recognizes the file")
	}
	return s.Text
}

func compare(t *testing.T, script string, want, got []string) {
	t.Helper()
	if diff := gocmp.Diff(want, got); diff != "" || want[0] == "" {
		t.Errorf("the script\n%s\ncalls curl with (-the file's own program +script):\n%s", script, diff)
	}
}

type makefileCase struct {
	Name        string   `yaml:"name"`
	Text        string   `yaml:"text"`
	Targets     []string `yaml:"targets"` // that call curl, in the order of the file
	Environment []string `yaml:"environment"`
}

// TestMakefiles compares the calls of curl in each Makefile's script with those that make runs.
func TestMakefiles(t *testing.T) {
	var cases []makefileCase
	converttest.Data(t, "testdata/makefiles.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "Makefile")
			check.OK(t, os.WriteFile(path, []byte(c.Text), 0o600))
			var commands strings.Builder
			for _, target := range c.Targets {
				commands.WriteString("make -i -f '" + path + "' " + target)
				for _, other := range c.Targets {
					if other != target {
						commands.WriteString(" -o " + other) // what it depends on has commands of its own
					}
				}
				commands.WriteString("\n")
			}
			script := found(t, c.Text)
			check.SkipUnderWine(t, "has no bash")
			compare(t, script, converttest.CurlCalls(t, commands.String(), c.Environment), converttest.CurlCalls(t, script, c.Environment))
		})
	}
}

type workflowCase struct {
	Name        string `yaml:"name"`
	Text        string `yaml:"text"`
	Expressions []struct {
		Expression, Variable, Value string
	} `yaml:"expressions"`
	Unread []int `yaml:"unread"`
}

// workflow is a workflow or a composite action as the YAML library reads it.
type workflow struct {
	Env      yaml.MapSlice `yaml:"env"`
	Defaults struct{ Run struct{ Shell string } }
	Jobs     yaml.MapSlice
	Runs     workflowJob
}

// UnmarshalYAML reads steps without their job, too.
func (w *workflow) UnmarshalYAML(text []byte) error {
	type plain workflow
	if yaml.Unmarshal(text, &w.Runs.Steps) == nil {
		return nil
	}
	return yaml.Unmarshal(text, (*plain)(w))
}

type workflowJob struct {
	Env      yaml.MapSlice `yaml:"env"`
	Defaults struct{ Run struct{ Shell string } }
	Steps    []struct {
		Env        yaml.MapSlice `yaml:"env"`
		Run, Shell string
	}
}

// script returns the commands that run the steps of a workflow, with its expressions replaced by values.
func (w workflow) script(t *testing.T, replace *strings.Replacer) string {
	t.Helper()
	quote := func(text string) string {
		return "'" + strings.ReplaceAll(replace.Replace(text), "'", `'\''`) + "'"
	}
	var out strings.Builder
	jobs := []workflowJob{w.Runs}
	for _, item := range w.Jobs {
		var job workflowJob
		check.OK(t, yaml.Unmarshal(check.Value(yaml.Marshal(item.Value))(t), &job))
		jobs = append(jobs, job)
	}
	for _, job := range jobs {
		for _, step := range job.Steps {
			shell := cmp.Or(step.Shell, job.Defaults.Run.Shell, w.Defaults.Run.Shell, "bash")
			if name, _, _ := strings.Cut(shell, " "); name != "bash" && name != "sh" {
				continue
			}
			out.WriteString("env ")
			for _, env := range []yaml.MapSlice{w.Env, job.Env, step.Env} {
				for _, pair := range env {
					out.WriteString(quote(fmt.Sprintf("%v=%v", pair.Key, pair.Value)) + " ")
				}
			}
			out.WriteString("bash -c " + quote(step.Run) + "\n")
		}
	}
	return out.String()
}

// TestWorkflows compares the calls of curl in the script of each workflow with those of its steps, as the YAML library
// reads them and with the values that GitHub inserts.
func TestWorkflows(t *testing.T) {
	var cases []workflowCase
	converttest.Data(t, "testdata/workflows.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			var w workflow
			check.OK(t, yaml.Unmarshal([]byte(c.Text), &w))
			var values, environment []string
			for _, e := range c.Expressions {
				values = append(values, "${{ "+e.Expression+" }}", e.Value, "${{"+e.Expression+"}}", e.Value)
				if owner, repo, ok := strings.Cut(e.Variable, "/"); ok { // a value with a slash
					first, second, _ := strings.Cut(e.Value, "/")
					environment = append(environment, owner+"="+first, repo+"="+second)
				} else {
					environment = append(environment, e.Variable+"="+e.Value)
				}
			}
			s := Find(c.Text, budget.NewMeter())
			check.Equal(t, c.Unread, s.Unread)
			check.SkipUnderWine(t, "has no bash")
			compare(t, s.Text, converttest.CurlCalls(t, w.script(t, strings.NewReplacer(values...)), nil), converttest.CurlCalls(t, s.Text, environment))
		})
	}
}

// TestFind checks what the programs of the files do not show: the lines and names of commands, what is not read, and
// which texts are scripts.
func TestFind(t *testing.T) {
	var cases []struct {
		Name   string `yaml:"name"`
		Text   string `yaml:"text"`
		Want   string `yaml:"want"` // each line after its number; "" for a script
		Unread []int  `yaml:"unread"`
	}
	converttest.Data(t, "testdata/find.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			s := Find(c.Text, budget.NewMeter())
			var got strings.Builder
			for i, line := range strings.Split(strings.TrimSuffix(s.Text, "\n"), "\n") {
				if s.Found && line != "(" && line != ")" && line != "" {
					fmt.Fprintf(&got, "%d %s\n", s.Line(i+1), line)
				}
			}
			check.Equal(t, c.Want, got.String())
			check.Equal(t, c.Unread, s.Unread, "unread")
			if !s.Found && s.Text != c.Text {
				t.Errorf("the script became %q", s.Text)
			}
		})
	}
}

// TestRelocate checks that a failure in the found script names the line of the file.
func TestRelocate(t *testing.T) {
	const text = "\n\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: |\n          curl 'h\n"
	s := Find(text, budget.NewMeter())
	at := convert.Reject(convert.InvalidSource, "A quote is open.", "Close it.").At(s.Text, strings.Index(s.Text, "'"))
	check.Equal(t, "invalid_source: A quote is open. (line 8, column 1)", s.Relocate(at).Error())
}

// TestScriptsStay checks that no script of the corpus is mistaken for another format.
func TestScriptsStay(t *testing.T) {
	for name, text := range converttest.CorpusTexts(t, "apiconvert/curl/*") {
		if s := Find(text, budget.NewMeter()); s.Found {
			t.Errorf("%s became\n%v", name, s)
		}
	}
}

func TestHostile(t *testing.T) {
	const job = "jobs:\n a:\n  runs-on: x\n  steps:\n"
	converttest.Linear(t, []converttest.Growing{
		{"a:\n", "\tcurl $(A) '$(A)'\n"}, {"A = 'b'\na:\n", "\tcurl $(A)\n"}, {"A = ''\na:\n\tcurl $(A)\n", "A += $(A)$(A)\n"}, {"a:\n\tcurl\n", "A += 'b'\n"},
		{"A := a\na:\n\tcurl $(A)\n", "A := $(A)$(A)\n"}, {"a:\n\tcurl\nA = b", "\\\n"}, {"a:\n", "\tcurl \\\n"}, {"a:\n\tcurl ", "$(a"}, {"a:\n\tcurl ", "$("}, {"a:\n\tcurl $(shell ", "$(shell b"},
		{"", "a:\n\tcurl\n"}, {"a:\n\tcurl $@\n", "a"}, {"ifdef a\n", "ifdef a\n"}, {"a:\n\tcurl\ndefine b\n", "c\n"}, {"a:\n\tcurl\n.ONESHELL:\na:\n", "\tcurl\n"}, {"A=$(B)\nB=$(A)\na:\n", "\tcurl $(A)\n"}, {"a:\n\tcurl $(A)\n", "A=$(shell b)\n"}, {"A=$(shell b)\na:\n\tcurl ", "$(A) $$B"},
		{"FROM a\n", "RUN curl \\\n"}, {"FROM a\n", "RUN [\"curl\", \n"}, {"FROM a\nRUN curl <<A\n", "a\n"}, {"FROM a\nRUN curl ", "<<A "}, {"", "FROM a AS a\nENV A=b\nRUN curl $A\n"}, {"FROM a\nENV ", "A=b "}, {"", "FROM a\nRUN curl\n"},
		{job, "   - run: curl\n"}, {job + "   - run: |\n", "      curl ${{ a }}\n"}, {job + "   - run: curl ", "${{ a }}'"}, {job + "   - run: |\n      curl <<'A'\n", "      ${{ a }}\n"}, {job + "   - run: |\n", "      curl <<A\n"},
		{"env:\n", " a: b\n"}, {"a:\n script:\n", "  - curl\n"}, {"", "a:\n script: curl\n---\n"}, {"a:\n script: curl\n", ".b:\n extends: .b\n"}, {"a:\n script: [!reference [a, script]", ", !reference [a, script]"},
		{"services:\n a:\n  image: curl\n  command: a ", "\\' "}, {"services:\n a:\n  image: curl\n  command: -", "$$"}, {"kind: a\napiVersion: a\ncontainers:\n", "- {args: [curl]}\n"}, {"kind: a\napiVersion: a\ncontainers: ", "["},
		{"= a\n", "----\ncurl \n"}, {"= a\n", "== b\n\n"}, {"= a\n", "----\ncurl \n----\n"}, {"a::\n\n", "  curl a\n"}, {"", "a::\n\n  curl\n"}, {"A:\n\n", "    curl \n\n"}, {"A:\n", "\ncurl"}, {"", "[source]\ncurl \n\n"},
		{":a: b\n[subs=a]\n----\ncurl ", "{a}"}, {":a: b", " \\\nb"}, {":a: b\n", ":a: {a}{a}\n"},
	}, func(text string) int {
		b := budget.NewMeter()
		Find(text, b)
		return b.Spent()
	})
}

func FuzzFind(f *testing.F) {
	for _, file := range []string{"makefiles", "workflows", "find"} {
		var cases []map[string]any
		converttest.Data(f, "testdata/"+file+".yaml", &cases)
		for _, c := range cases {
			f.Add(c["text"].(string))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := Find(text, budget.New(t.Context(), len(text), convert.MaxOutputCharacters))
		if s.Found && strings.Count(s.Text, "\n") != len(s.lines) {
			t.Errorf("%d lines of the script are from %d lines", strings.Count(s.Text, "\n"), len(s.lines))
		}
	})
}
