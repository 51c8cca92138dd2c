// Package browser runs the tests of the pages in real browsers, against the
// real program. What they look like is in test/out.
package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/places"
	"github.com/convertd/convertd/test/proxy"
)

// below starts services below a path, behind each proxy of deploy/, which keeps
// it or strips it, and returns their base URLs.
func below(t *testing.T, binary string) (urls []string) {
	for _, p := range proxy.All {
		for _, strips := range []bool{false, true} {
			address := proxy.Free(t)
			url := "http://" + address + "/tools"
			replica := daemon.Start(t, binary, nil, "--rate-limit=0", "--trusted-proxies=127.0.0.1/32", "--base-url="+url).Address()
			p.Start(t, address, [3]string{replica, replica, replica}, p.Below(strips), proxy.Public(url))
			urls = append(urls, url)
		}
	}
	return urls
}

func TestPagesInABrowser(t *testing.T) {
	browsers := []string{"chromium", "firefox"}
	needs := []string{"node_modules/playwright-core", "node_modules/axe-core", "/usr/bin/chromium"}
	if testing.Short() { // the editor's main tasks
		browsers = browsers[:1]
	} else {
		needs = append(needs, "/usr/bin/firefox-esr")
	}
	for _, needed := range needs {
		if _, err := os.Stat(needed); err != nil {
			t.Fatalf("%s is missing; run make setup-all", needed)
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
	if testing.Short() {
		files = []string{"tasks.test.mjs", "speed.test.mjs"}
	}
	measured := slices.Index(files, "speed.test.mjs")
	files = slices.Delete(files, measured, measured+1)
	var underPaths []string
	if !testing.Short() {
		underPaths = below(t, binary)
	}
	env := append(os.Environ(),
		"CONVERTD_URL="+daemon.Start(t, binary, nil, "--rate-limit=0").URL,
		"CONVERTD_BINARY="+binary,
		"CONVERTD_CALLS="+calls,
		"CONVERTD_BELOW="+strings.Join(underPaths, " "),
		"CONVERTD_OUT="+out)
	for _, browser := range browsers {
		t.Run(browser, func(t *testing.T) {
			env := append(env, "CONVERTD_BROWSER="+browser, "CONVERTD_LIMITED_URL="+daemon.Start(t, binary, nil, "--rate-limit=10").URL)
			run(t, env, runtime.NumCPU(), files...)
			if !testing.Short() {
				run(t, env, 1, "speed.test.mjs")
			}
		})
	}
}

// run runs files of tests, so many at a time.
func run(t *testing.T, env []string, atOnce int, files ...string) {
	t.Helper()
	node := exec.Command("node", append([]string{"--test", fmt.Sprintf("--test-concurrency=%d", atOnce), "--test-reporter=spec"}, files...)...)
	node.Env = env
	text, err := node.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	t.Logf("%s", text)
}
