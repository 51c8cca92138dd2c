package shell

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/shelltest"
)

// TestDevtoolsQuoting reads back what developer tools copied, for any string.
func TestDevtoolsQuoting(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		body, header := shelltest.Text(random.IntN, 12), strings.ReplaceAll(shelltest.Text(random.IntN, 6), "\n", "")
		for _, form := range shelltest.Forms {
			want := []string{"https://a.test/", "sec-ch-ua: \"Chromium\"", "x: " + header, body}
			text := "curl " + form.Quote(want[0])
			for i, option := range []string{"-H ", "-H ", "--data-raw "} {
				text += form.Join + option + form.Quote(want[i+1])
			}
			script, err := Read(Normalize(text), nil)
			if err != nil || len(script.Commands) != 1 || len(script.Commands[0].Words) != 8 {
				t.Fatalf("%s: %q: %v", form.Name, text, err)
			}
			for i, n := range []int{1, 3, 5, 7} {
				if got, ok := script.Commands[0].Words[n].Literal(); !ok || got != want[i] {
					t.Fatalf("%s: %q: want %q, got %q", form.Name, text, want[i], got)
				}
			}
		}
	}
}

// TestPowerShellQuoting does the same for PowerShell's quoting, including characters beyond the Basic Multilingual Plane.
func TestPowerShellQuoting(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 4000 {
		want := shelltest.Text(random.IntN, 20)
		script, err := Read("irm https://a.test/ -Method 'POST' -Body "+shelltest.QuotePowerShell(want), nil)
		if err != nil || len(script.Commands) != 1 {
			t.Fatalf("%q: %v", want, err)
		}
		words := script.Commands[0].Words
		if got, ok := words[len(words)-1].Literal(); !ok || got != want {
			t.Fatalf("want %q, got %q", want, got)
		}
	}
}
