package shell

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// FuzzRead checks the package's guarantees on every input.
func FuzzRead(f *testing.F) {
	for _, c := range loadCases(f) {
		f.Add(c.Input)
	}
	for _, g := range slices.Concat(hostile, hostilePowerShell, hostileCmd) {
		f.Add(g[0] + g[1] + g[1])
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		script, err := Read(text, nil)
		again, errAgain := Read(text, nil)
		if diff := cmp.Diff(showScript(script), showScript(again)); diff != "" || (err == nil) != (errAgain == nil) {
			t.Fatalf("not deterministic: %s", diff)
		}
		if err != nil {
			checkFailure(t, err)
			return
		}
		for i, cmd := range script.Commands {
			checkCommand(t, text, i, cmd)
		}
		// Quoting the words and reading them again returns the same words.
		for _, cmd := range script.Commands {
			checkQuoted(t, cmd)
		}
	})
}

func showScript(s *script.Script) []testCommand {
	var commands []testCommand
	if s != nil {
		for _, cmd := range s.Commands {
			commands = append(commands, showCommand(cmd))
		}
	}
	return commands
}

func checkFailure(t *testing.T, err error) {
	t.Helper()
	var failure *convert.Failure
	if !errors.As(err, &failure) || failure.Line < 1 || failure.Column < 1 ||
		failure.Code != convert.InvalidSource && failure.Code != convert.TooComplex && failure.Code != convert.UnrecognizedSource {
		t.Fatalf("not a failure with a place: %v", err)
	}
}

func checkCommand(t *testing.T, text string, i int, cmd *script.Command) {
	t.Helper()
	if cmd.Offset < 0 || cmd.Offset > len(text) {
		t.Fatalf("command %d: offset %d of %d", i, cmd.Offset, len(text))
	}
	words := append([]script.Word{cmd.Stdin.Word}, cmd.Words...)
	for _, red := range cmd.Redirects {
		words = append(words, red.Target)
	}
	for _, w := range words {
		for _, p := range w {
			if !utf8.ValidString(p.Text+p.Default) || p.Text == "" && p.Kind != script.Literal {
				t.Fatalf("command %d: part %+v", i, p)
			}
		}
	}
}

// checkQuoted writes the literal words of a command in single quotes, which can hold any string in POSIX, and reads
// them back.
func checkQuoted(t *testing.T, cmd *script.Command) {
	t.Helper()
	line, want := "curl -x", []string{"curl", "-x"}
	for _, w := range cmd.Words {
		text, ok := w.Literal()
		if !ok || strings.Contains(text, "\r\n") {
			return // a CR LF is a line feed everywhere
		}
		line += " " + quote(text)
		want = append(want, text)
	}
	script, err := Read(line, nil)
	if err != nil || len(script.Commands) != 1 {
		t.Fatalf("%q: %v", line, err)
	}
	if diff := cmp.Diff(want, showCommand(script.Commands[0]).Words); diff != "" {
		t.Fatalf("quoted again (-want +got):\n%s", diff)
	}
}

func quote(text string) string {
	out := []byte{'\''}
	for i := 0; i < len(text); i++ {
		if text[i] == '\'' {
			out = append(out, `'\''`...)
		} else {
			out = append(out, text[i])
		}
	}
	return string(append(out, '\''))
}
