package internal

import (
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestWhatIsSkippedIsRun: make check and make race run with -short, so each test
// that asks for that must be one of those that make costs runs without.
func TestWhatIsSkippedIsRun(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	costs := regexp.MustCompile(`(?m)^costs:.*\n\tgo test -run '(.*)\$\$' (.*)$`).FindStringSubmatch(string(makefile))
	if costs == nil {
		t.Fatal("the Makefile has no target costs that runs tests by name")
	}
	named, packages := regexp.MustCompile(costs[1]+"$"), strings.Fields(costs[2])
	out, err := exec.Command("git", "-C", "..", "ls-files", "*_test.go").Output()
	if err != nil {
		t.Skip("not a checkout of git's")
	}
	found := 0
	for _, file := range strings.Fields(string(out)) {
		if strings.HasPrefix(file, "test/") {
			continue // run whole
		}
		text, err := os.ReadFile("../" + file)
		if err != nil {
			t.Fatal(err)
		}
		folder := path.Dir("./" + file)
		listed := slices.ContainsFunc(packages, func(pattern string) bool {
			below, all := strings.CutSuffix(path.Clean(pattern), "/...")
			return folder == below || all && strings.HasPrefix(folder, below+"/")
		})
		for _, test := range strings.Split(string(text), "\nfunc ")[1:] {
			name, body, _ := strings.Cut(test, "(")
			if !strings.HasPrefix(name, "Test") || !strings.Contains(body, "testing.Short()") || folder == "internal" {
				continue
			}
			if found++; !listed || !named.MatchString(name) {
				t.Errorf("%s of %s is skipped with -short, and nothing runs it without", name, file)
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d such tests are found", found)
	}
}
