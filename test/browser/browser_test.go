// Package browser runs the tests of the pages in Chromium and Firefox, against
// the built program. Screenshots are in test/out.
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

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/places"
	"github.com/convertd/convertd/test/proxy"
)

// below starts servers whose base URL has a path behind each proxy of deploy/
// that keeps the path or strips it, and returns the base URLs.
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

// mainTasks are the tests that go test -short runs, in Chromium only: the main
// uses of the editor, and its modules. The modules need no browser.
var mainTasks = []string{"tasks.test.mjs", "editor.test.mjs", "modules.test.mjs"}

// alike are tests whose result does not depend on the browser: of the modules, of
// paths that proxies keep or strip, of the number of nodes in a page, and of the
// programs that a page offers. Only Chromium's driver records traffic.
var alike = []string{"modules.test.mjs", "below.test.mjs", "large.test.mjs", "har.test.mjs", "use.test.mjs"}

// longest are tests of what the pages say, where they lead and how they look. Firefox runs them only in make test-all.
var longest = []string{"pages.test.mjs", "problems.test.mjs", "reading.test.mjs", "look.test.mjs"}

func TestBrowser(t *testing.T) {
	needed := []string{"node_modules/playwright-core", "node_modules/axe-core", "/usr/bin/chromium"}
	if !testing.Short() {
		needed = append(needed, "/usr/bin/firefox-esr", "../lint/node_modules/.bin/spectral")
	}
	for _, path := range needed {
		check.Installed(t, path, "make setup-all")
	}
	check.Installed(t, "../../internal/web/engine/engine.wasm.br", "make engine")
	out := check.Value(filepath.Abs("../out"))(t)
	check.OK(t, os.MkdirAll(out, 0o755))
	binary := check.Value(daemon.Build(t.TempDir()))(t)
	env := append(os.Environ(),
		"CONVERTD_URL="+daemon.Start(t, binary, nil, daemon.Patient...).URL,
		"CONVERTD_LIMITED_URL="+daemon.Start(t, binary, nil, "--rate-limit=10").URL,
		"CONVERTD_BINARY="+binary,
		"CONVERTD_OUT="+out)
	t.Run("main tasks", func(t *testing.T) { run(t, env, mainTasks...) })
	if testing.Short() {
		return
	}
	calls := filepath.Join(t.TempDir(), "calls.json")
	places.Write(t, places.Calls(t, "../.."), calls)
	env = append(env, "CONVERTD_CALLS="+calls, "CONVERTD_BELOW="+strings.Join(below(t, binary), " "))
	files, err := filepath.Glob("*.test.mjs")
	if err != nil || len(files) <= len(mainTasks) {
		t.Fatalf("found the tests %v, %v", files, err)
	}
	t.Run("chromium", func(t *testing.T) { run(t, env, except(files, mainTasks)...) })
	files = except(files, alike)
	if !check.All() {
		files = except(files, longest)
	}
	t.Run("firefox", func(t *testing.T) { run(t, append(env, "CONVERTD_BROWSER=firefox"), files...) })
}

// except returns the files that are not in a list.
func except(files, list []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool { return slices.Contains(list, file) })
}

// run runs test files, as many at once as there are processors.
func run(t *testing.T, env []string, files ...string) {
	t.Helper()
	node := exec.Command("node", append([]string{"--test", fmt.Sprintf("--test-concurrency=%d", runtime.NumCPU()), "--test-reporter=spec"}, files...)...)
	node.Env = env
	text, err := node.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	t.Logf("%s", text)
}
