package extract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/convert/converttest"
)

// TestCommands checks that the commands of each format stay on their lines.
func TestCommands(t *testing.T) {
	var cases []struct {
		Name string `yaml:"name"`
		Text string `yaml:"text"`
		Want string `yaml:"want"` // without empty lines; "" if no format matches
	}
	converttest.Data(t, "testdata/cases.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			script, ok := Commands(c.Text)
			if ok != (c.Want != "") {
				t.Fatalf("recognized: %v", ok)
			}
			var kept []string
			for line := range strings.Lines(script) {
				if strings.TrimSpace(line) != "" {
					kept = append(kept, strings.TrimRight(line, "\n"))
				}
			}
			if diff := cmp.Diff(strings.TrimRight(c.Want, "\n"), strings.Join(kept, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if ok && strings.Count(script, "\n") != strings.Count(c.Text, "\n") {
				t.Errorf("%d lines became %d", strings.Count(c.Text, "\n"), strings.Count(script, "\n"))
			}
		})
	}
}

// TestScriptsStay checks that no script of the corpus is mistaken for another format.
func TestScriptsStay(t *testing.T) {
	for name, text := range converttest.CorpusTexts(t, "apiconvert/curl/*") {
		if script, ok := Commands(text); ok {
			t.Errorf("%s became\n%s", name, script)
		}
	}
}

func TestHostile(t *testing.T) {
	converttest.Linear(t, []converttest.Growing{
		{"a:\n", "\tcurl $(A) '$(A)'\n"}, {"A = 'b'\na:\n", "\tcurl $(A)\n"}, {"a:\n\tcurl\nA = ''\n", "A = $(A)$(A)\n"}, {"a:\n\tcurl\n", "A += 'b'\n"}, {"a:\n\tcurl\nA = b", "\\\n"}, {"a:\n", "\tcurl \\\n"}, {"FROM a\n", "RUN curl \\\n"}, {"FROM a\n", "RUN [\"curl\", \n"},
		{"FROM a\nENV ", "A=b "}, {"run: curl\n", "- run: |\n"}, {"run: |\n", "  curl ${{ a }}\n"}, {"run: >\n", " curl\n"}, {"script:\n", "- curl\n"},
		{"run: [", "\"curl\",\n "}, {"> a\n\n", "`curl {{[-a|--b]}} {{c}}`\n"}, {"a::\n\n", "  curl a\n"}, {"", "a::\n\n  curl\n"},
		{"args:\n", "- curl\n"}, {"command: [\"sh\", \"-c\"]\nargs:\n", "- curl\n"}, {"", "args:\n- curl\n"}, {"", "args: [a]\n"}, {"env:\n", "- name: a\n  value: b\n"}, {"run: curl\n", "name: A b\n"},
		{"pipeline {\n", "sh 'curl'\n"}, {"pipeline {\nsh '''\n", "curl \n"}, {"node {\n", "sh(a: true, "}, {"= a\n", "----\ncurl \n"}, {"= a\n", "== b\n\n"}, {"", "1 curl -k\n"}, {"", ": 1:1;curl -k\n"},
	}, func(text string) int { Commands(text); return 0 })
}
