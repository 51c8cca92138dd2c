//go:build linux

package shells

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// show runs the binary in a terminal and returns what it writes to the terminal,
// with normalized line ends.
func show(t *testing.T, args ...string) string {
	t.Helper()
	term := startTerminal(t, exec.Command(binary, args...))
	limit := time.After(daemon.Hang)
	for {
		select {
		case part, open := <-term.output:
			if !open {
				return strings.ReplaceAll(term.seen.String(), "\r\n", "\n")
			}
			term.seen.Write(part)
		case <-limit:
			t.Fatalf("%q does not end:\n%q", args, term.seen.String())
		}
	}
}

// TestOutputOnATerminal checks that an output is shown on a terminal with control
// characters as text, and is exact in a pipe and in a file.
func TestOutputOnATerminal(t *testing.T) {
	const value, shown = "\x7f \u009b2J \u202eright", `\x7f \u009b2J \u202eright`
	folder := t.TempDir()
	input, output := filepath.Join(folder, "input.json"), filepath.Join(folder, "output.json")
	check.OK(t, os.WriteFile(input, []byte(`["`+value+`"]`), 0o600))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"output":{"mediaType":"text/plain","value":"a\tb\u001b[2J\u001b]0;owned\u0007\r\n"},"warnings":["w\u001b[2J"],"provenance":{"tool":"json_format"}}`))
	}))
	defer server.Close()
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"a result", []string{"run", "json_format", "--color=never", "--indent=0", input}, `["` + shown + `"]` + "\n"},
		{"the whole answer", []string{"run", "json_format", "--color=never", "--json", input}, shown},
		{"a server's", []string{"run", "json_format", "--color=never", "--server", server.URL, input}, "warning: w\\x1b[2J\na       b\\x1b[2J\\x1b]0;owned\\x07\\x0d\n"},
		{"a name", []string{"run", "json_format", "--no\x1b[2J"}, `--no\x1b[2J`},
		{"the tools", []string{"tools"}, "--unit"},
	} {
		got := show(t, test.args...)
		if !strings.Contains(strings.ReplaceAll(got, "a\tb", "a       b"), test.want) || strings.ContainsAny(got, "\x1b\x7f\a\r\u009b\u202e") {
			t.Errorf("%s: want %q, got %q", test.name, test.want, got)
		}
	}
	if out, err := exec.Command(binary, "run", "json_format", "--exact", "--indent=0", input).Output(); err != nil || string(out) != `["`+value+`"]` {
		t.Errorf("in a pipe: %v %q", err, out)
	}
	if got := show(t, "run", "json_format", "--exact", "--indent=0", "-o", output, input); got != "" {
		t.Errorf("on the terminal: %q", got)
	}
	if out, err := os.ReadFile(output); err != nil || string(out) != `["`+value+`"]` {
		t.Errorf("in a file: %v %q", err, out)
	}
}

// TestTypedInput checks that a person who types the input is prompted once.
func TestTypedInput(t *testing.T) {
	term := startTerminal(t, exec.Command(binary, "run", "json_format", "--color=never", "--indent=0"))
	term.until("convertd: reading from the terminal; end with Ctrl-D\r\n")
	term.send("[ 1 ]\r\x04")
	if shown := term.until("[1]\r\n"); strings.Contains(shown, "\x1b") {
		t.Errorf("%q", shown)
	}
}

// TestColorOnATerminal checks that JSON is colored on a terminal, unless the environment or a flag disables it, and
// that control characters in it are shown as text.
func TestColorOnATerminal(t *testing.T) {
	input := filepath.Join(t.TempDir(), "input.json")
	check.OK(t, os.WriteFile(input, []byte("{\"a\":[1,\"\u009b\"]}"), 0o600))
	const want = "\x1b[1;39m{\n  \x1b[34;1m\"a\"\x1b[1;39m: [\n    \x1b[0;39m1\x1b[1;39m,\n    \x1b[0;32m\"\\u009b\"\n  \x1b[1;39m]\n}\x1b[0m\n"
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if got := show(t, "run", "json_format", input); got != want {
		t.Errorf("want %q\ngot  %q", want, got)
	}
	for _, args := range [][]string{{"run", "json_format", "--color=never", input}, {"run", "json_to_yaml", input}} {
		if got := show(t, args...); strings.Contains(got, "\x1b") {
			t.Errorf("%q: %q", args, got)
		}
	}
	t.Setenv("NO_COLOR", "1")
	if got := show(t, "run", "json_format", input); strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
	if got := show(t, "run", "json_format", "--color=always", input); got != want {
		t.Errorf("%q", got)
	}
}
