//go:build linux

// Package shells runs the completion scripts in their shells, each in a separate terminal.
package shells

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	list "github.com/convertd/convertd/internal/tools"
	"github.com/convertd/convertd/test/daemon"
)

var binary string // the real binary, built once

func TestMain(m *testing.M) { daemon.Main(m, func(path string) { binary = path }) }

const prompt = "READY> "

// allMatches is the key that makes the shells below insert all completions into the line: escape, star, as in bash.
const allMatches = "\x1b*"

// shells are the shells, the commands that start them without the user's own files, and their setup commands.
var shells = []struct {
	name  string
	start []string
	setup []string
}{
	{"bash", []string{"--noprofile", "--norc", "-i"}, []string{"source <(convertd completion bash)"}},
	{"zsh", []string{"-f", "-i"}, []string{
		"source <(convertd completion zsh)",
		"bindkey -e",
		"zle -C all-matches complete-word _generic",
		`bindkey '\e*' all-matches`,
		`zstyle ':completion:all-matches::::' completer _all_matches _complete`,
		`zstyle ':completion:all-matches:*' insert yes`,
	}},
}

// completions are lines and the words that may complete the last one.
var completions = []struct {
	line string
	want []string
}{
	{"convertd run ", tools("")},
	{"convertd run json_", tools("json_")},
	{"convertd run json_t", []string{"json_to_yaml"}},
	{"convertd run -q json_t", []string{"json_to_yaml"}},
	{"convertd run --server http://127.0.0.1:1 json_t", []string{"json_to_yaml"}},
	{"convertd run json_format --", []string{"--base-url", "--check", "--color", "--exact", "--help", "--in-place", "--indent", "--json", "--keep-going", "--lines", "--max-input", "--media-type", "--no-clobber", "--out-dir", "--output", "--quiet", "--server", "--timeout", "--version"}},
	{"convertd run timestamp_to_iso --u", []string{"--unit"}},
	{"convertd run timestamp_to_iso --unit ", []string{"microseconds", "milliseconds", "nanoseconds", "seconds"}},
	{"convertd run timestamp_to_iso --unit=mi", []string{"--unit=microseconds", "--unit=milliseconds"}},
	{"convertd run json_to_yaml --indent ", []string{"1", "2", "3", "4", "5", "6", "7", "8"}},
	{"convertd run api_convert --target=openapi-3.0-", []string{"--target=openapi-3.0-json", "--target=openapi-3.0-yaml"}},
	{"convertd run json_format in", []string{"input.json"}},
	{"convertd run -o in", []string{"input.json"}},
	{"convertd run --output=in", []string{"--output=input.json"}},
	{"convertd run json_format --out-dir ou", []string{"outer"}},
	{"convertd run json_format --out-dir=ou", []string{"--out-dir=outer"}},
	{"convertd pipeline jwt_decode json_", tools("json_")},
	{"convertd run json_format --color=a", []string{"--color=always", "--color=auto"}},
	{"convertd run json_format --lines in", []string{"input.json"}},
	{"convertd run json_format input.json --in", []string{"--in-place", "--indent"}},
	{"convertd help run json_", tools("json_")},
	{"convertd help ver", []string{"verify", "version"}},
	{"convertd serve --log-format ", []string{"json", "text"}},
	{"convertd completion ", []string{"bash", "fish", "powershell", "zsh"}},
	{"convertd ver", []string{"verify", "version"}},
	{"convertd run nonsense x", nil},
	{"convertd nonsense --x", nil},
	{"convertd run json_format --nonsense=x", nil},
	{"convertd run json_format --indent=9", nil},
}

// tools returns the sorted names of the tools that begin with prefix.
func tools(prefix string) (names []string) {
	for _, tool := range list.All() {
		if strings.HasPrefix(tool.Name, prefix) {
			names = append(names, tool.Name)
		}
	}
	slices.Sort(names)
	return names
}

// home returns a folder that has the binary in the PATH, files to complete and a folder.
func home(t *testing.T) (folder string, env []string) {
	t.Helper()
	folder = t.TempDir()
	for _, name := range []string{"input.json", "out.json"} {
		check.OK(t, os.WriteFile(filepath.Join(folder, name), []byte("{}"), 0o600))
	}
	check.OK(t, os.Mkdir(filepath.Join(folder, "outer"), 0o700))
	return folder, append(os.Environ(), "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"), "PS1="+prompt, "TERM=dumb", "HOME="+folder, "XDG_CONFIG_HOME="+folder)
}

func program(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.Command(converttest.Program(t, name), args...)
	command.Dir, command.Env = home(t)
	return command
}

// TestCompletion types each line, makes the shell insert all completions, and prints the shell's words.
func TestCompletion(t *testing.T) {
	for _, shell := range shells {
		t.Run(shell.name, func(t *testing.T) {
			term := startTerminal(t, program(t, shell.name, shell.start...))
			term.until(prompt)
			for _, line := range shell.setup {
				term.send(line + "\r")
				term.until(prompt)
			}
			for _, test := range completions {
				// A mark follows the words; Ctrl-A moves to the beginning of the line.
				term.send(test.line + allMatches + "\x05 END\x01printf '<%s>' \r")
				shown := term.until("<END>")
				term.until(prompt)
				before, last := test.line[:strings.LastIndex(test.line, " ")], test.line[strings.LastIndex(test.line, " ")+1:]
				_, printed, _ := strings.Cut(shown, "<convertd>")
				var got []string
				for _, word := range regexp.MustCompile(`<([^>\n]*)>`).FindAllStringSubmatch(printed, -1)[len(strings.Fields(before))-1:] {
					got = append(got, word[1])
				}
				if flag, _, isValue := strings.Cut(last, "="); isValue && shell.name == "bash" {
					for i := 1; i < len(got); i++ { // for bash the word begins after the =
						got[i] = flag + "=" + got[i]
					}
				}
				compare(t, test.line, test.want, got)
			}
		})
	}
}

// TestCompletionFish runs fish's own command for completions.
func TestCompletionFish(t *testing.T) {
	for _, test := range completions {
		out, err := program(t, "fish", "--no-config", "-c", `convertd completion fish | source; complete -C "$argv[1]"`, test.line).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v: %s", test.line, err, out)
		}
		var got []string
		for line := range strings.Lines(string(out)) {
			word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			got = append(got, strings.TrimSuffix(word, "/")) // of a folder
		}
		compare(t, test.line, test.want, got)
	}
}

// TestPowerShellParses checks the syntax of the script for PowerShell, which does not run here.
func TestPowerShellParses(t *testing.T) {
	const python = ".venv/bin/python"
	check.Installed(t, python, "make setup-all")
	script := string(check.Value(exec.Command(binary, "completion", "powershell").Output())(t))
	for text, valid := range map[string]bool{script: true, strings.Replace(script, "{", "", 1): false} {
		command := exec.Command(python, "powershell.py")
		command.Stdin = strings.NewReader(text)
		if out, err := command.CombinedOutput(); (err == nil) != valid {
			t.Errorf("%v: %s\n%s", err, out, text)
		}
	}
}

// TestDescriptions checks that zsh and fish show what a completion means.
func TestDescriptions(t *testing.T) {
	out, err := program(t, "fish", "--no-config", "-c", `convertd completion fish | source; complete -C "convertd run json_t"`).CombinedOutput()
	if want := "json_to_yaml\tConvert JSON to YAML\n"; err != nil || string(out) != want {
		t.Errorf("fish: %v: got %q, want %q", err, out, want)
	}
	term := startTerminal(t, program(t, "zsh", "-f", "-i"))
	term.until(prompt)
	term.send("source <(convertd completion zsh)\r")
	term.until(prompt)
	term.send("convertd run json_\t\t")
	if shown := term.until("YAML"); !regexp.MustCompile(`json_to_yaml +-- Convert JSON to $`).MatchString(shown) {
		t.Errorf("zsh: %q", shown)
	}
}

// compare compares completions with those wanted. Without completions the line does not change.
func compare(t *testing.T, line string, want, got []string) {
	t.Helper()
	if want == nil && len(got) == 1 && strings.HasSuffix(line, " "+got[0]) {
		return
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%q (-want +got):\n%s", line, diff)
	}
}

// TestCompletionFromFpath checks that zsh also finds the script as a completion file.
func TestCompletionFromFpath(t *testing.T) {
	script := check.Value(exec.Command(binary, "completion", "zsh").Output())(t)
	shell := program(t, "zsh", "-f", "-i")
	check.OK(t, os.WriteFile(filepath.Join(shell.Dir, "_convertd"), script, 0o600))
	term := startTerminal(t, shell)
	term.until(prompt)
	for _, line := range []string{"fpath=($PWD $fpath); autoload -Uz compinit; compinit -u", "bindkey -e"} {
		term.send(line + "\r")
		term.until(prompt)
	}
	for range 2 { // the first use loads the file
		term.send("convertd run json_t\t\x01printf '<%s>' \r")
		if shown := term.until(prompt); !strings.Contains(shown, "<convertd><run><json_to_yaml>") {
			t.Errorf("%q", shown)
		}
	}
}
