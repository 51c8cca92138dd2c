// Package browser runs the tests of the pages in a real browser, against the
// real program. What they look like is in test/out.
package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/places"
)

func TestPagesInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes a minute")
	}
	for _, needed := range []string{"node_modules/playwright-core", "node_modules/axe-core", "/usr/bin/chromium"} {
		if _, err := os.Stat(needed); err != nil {
			t.Fatalf("%s is missing; run make setup", needed)
		}
	}
	out, err := filepath.Abs("../out")
	if err == nil {
		err = os.MkdirAll(out, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	binary, err := daemon.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	calls := filepath.Join(t.TempDir(), "calls.json")
	places.Write(t, places.Calls(t, "../.."), calls)
	files, err := filepath.Glob("*.test.mjs")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests found: %v", err)
	}
	node := exec.Command("node", append([]string{"--test", "--test-concurrency=1", "--test-reporter=spec"}, files...)...)
	node.Env = append(os.Environ(),
		"CONVERTD_URL="+daemon.Start(t, binary, nil, "--rate-limit=0").URL,
		"CONVERTD_LIMITED_URL="+daemon.Start(t, binary, nil, "--rate-limit=10").URL,
		"CONVERTD_BINARY="+binary,
		"CONVERTD_CALLS="+calls,
		"CONVERTD_OUT="+out)
	text, err := node.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	t.Logf("%s", text)
}
