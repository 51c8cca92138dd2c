package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// inBrowsers measures the editor in both browsers with test/browser/bench.mjs,
// which prints a name, a tab and milliseconds for each figure.
func inBrowsers(run harness) []row {
	s := startConvertd(run)
	defer s.stop()
	var rows []row
	for _, browser := range []string{"chromium", "firefox"} {
		node := exec.Command("node", "test/browser/bench.mjs", strconv.Itoa(run.rounds))
		node.Env = append(os.Environ(), "CONVERTD_URL="+s.url, "CONVERTD_LIMITED_URL="+s.url, "CONVERTD_BROWSER="+browser)
		text, err := node.CombinedOutput()
		if err != nil {
			panic(fmt.Errorf("%s: %w\n%s", browser, err, text))
		}
		for line := range strings.Lines(string(text)) {
			name, figure, found := strings.Cut(strings.TrimSpace(line), "\t")
			if !found {
				continue
			}
			took := must(strconv.ParseFloat(figure, 64))
			rows = append(rows, atMost(name+" (ms)", took, 0))
		}
	}
	return rows
}
