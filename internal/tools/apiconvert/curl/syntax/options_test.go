package syntax

import (
	"os"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// TestOptions compares the table with curl's own list of options.
func TestOptions(t *testing.T) {
	letters := map[byte]string{}
	for _, o := range options {
		if other := letters[o.Short]; o.Short != 0 && other != "" {
			t.Errorf("-%c is both --%s and --%s", o.Short, other, o.Name)
		}
		letters[o.Short] = o.Name
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
	if o == nil || o.Name != name {
		// no-name of a flag that is on by default
		if o = Long(strings.TrimPrefix(name, "no-")); o == nil || "no-"+o.Name != name {
			t.Errorf("--%s is missing", name)
			return
		}
	}
	if (o.Kind == Value) != (kind == "value") {
		t.Errorf("--%s: kind %d, want %s", name, o.Kind, kind)
	}
	if letter := strings.Trim(string(o.Short), "\x00"); letter != strings.Trim(short, "-") {
		t.Errorf("--%s: -%s, want -%s", name, letter, short)
	}
}
