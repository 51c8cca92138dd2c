// Package browser runs the tests of the pages in a real browser, against the
// real program. What they look like is in test/out.
package browser

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
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
	binary := filepath.Join(t.TempDir(), "convertd")
	if text, err := exec.Command("go", "build", "-o", binary, "../../cmd/convertd").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	files, err := filepath.Glob("*.test.mjs")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests found: %v", err)
	}
	node := exec.Command("node", append([]string{"--test", "--test-concurrency=1", "--test-reporter=spec"}, files...)...)
	node.Env = append(os.Environ(),
		"CONVERTD_URL="+serve(t, binary, "--rate-limit=0"),
		"CONVERTD_LIMITED_URL="+serve(t, binary, "--rate-limit=10"),
		"CONVERTD_OUT="+out)
	text, err := node.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	t.Logf("%s", text)
}

// serve starts the program on a free port and returns its address.
func serve(t *testing.T, binary string, flags ...string) string {
	t.Helper()
	command := exec.Command(binary, append([]string{"serve", "--listen=127.0.0.1:0"}, flags...)...)
	log, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	for lines := bufio.NewScanner(log); lines.Scan(); {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
			go func() { _, _ = io.Copy(io.Discard, log) }()
			return "http://" + line.Address
		}
	}
	t.Fatal("the program did not start")
	return ""
}
