package syntax

import (
	"os"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// TestOptions compares the table with curl's own list of options.
func TestOptions(t *testing.T) {
	for _, o := range byName {
		if o.Short != 0 && Letter(rune(o.Short)) != o && o.Name != "show-headers" {
			t.Errorf("-%c is not only --%s", o.Short, o.Name)
		}
	}
	text := check.Value(os.ReadFile("testdata/options.txt"))(t)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		want := strings.Fields(line)
		checkOption(t, want[0], want[1], want[2])
	}
}

func checkOption(t *testing.T, name, short, kind string) {
	t.Helper()
	o := Long(name)
	if o == nil {
		// no-name of a flag that is on by default
		if o = Long(strings.TrimPrefix(name, "no-")); o == nil {
			t.Errorf("--%s is missing", name)
			return
		}
	}
	if o.HasArgument != (kind == "value") {
		t.Errorf("--%s: has an argument: %v, want %s", name, o.HasArgument, kind)
	}
	if letter := strings.Trim(string(o.Short), "\x00"); letter != strings.Trim(short, "-") {
		t.Errorf("--%s: -%s, want -%s", name, letter, short)
	}
}
