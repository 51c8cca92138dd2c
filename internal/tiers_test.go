package internal

import (
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// TestSkippedTestsRun checks that make unit-full names each test that takes a
// sample under -short, because make check and make race run with -short.
func TestSkippedTestsRun(t *testing.T) {
	makefile := check.File(t, "../Makefile")
	full := regexp.MustCompile(`(?m)^unit-full:.*\n\tgo test -run '(.*)\$\$' (.*)$`).FindStringSubmatch(makefile)
	if full == nil {
		t.Fatal("the Makefile has no target unit-full that runs tests by name")
	}
	named, packages := regexp.MustCompile(full[1]+"$"), strings.Fields(full[2])
	out, err := exec.Command("git", "-C", "..", "ls-files", "*_test.go").Output()
	if err != nil {
		t.Skip("not a Git working tree")
	}
	found := 0
	for file := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(file, "test/") {
			continue // runs completely
		}
		text := check.File(t, "../"+file)
		folder := path.Dir("./" + file)
		listed := slices.ContainsFunc(packages, func(pattern string) bool {
			below, all := strings.CutSuffix(path.Clean(pattern), "/...")
			return folder == below || all && strings.HasPrefix(folder, below+"/")
		})
		for _, test := range strings.Split(text, "\nfunc ")[1:] {
			name, body, _ := strings.Cut(test, "(")
			if !strings.HasPrefix(name, "Test") || !strings.Contains(body, "testing.Short()") && !strings.Contains(body, "check.Sample") || folder == "internal" {
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

// TestFewSkipsUnderWine limits the tests that make windows skips, each for a reason.
func TestFewSkipsUnderWine(t *testing.T) {
	out, err := exec.Command("git", "-C", "..", "grep", "-h", "^\t*check[.]SkipUnderWine(").Output()
	if err != nil {
		t.Skip("not a Git working tree")
	}
	skip := regexp.MustCompile(`^\t+check\.SkipUnderWine\(t, "[a-z][^"]+"\)$`)
	skips := 0
	for line := range strings.Lines(string(out)) {
		if skips++; !skip.MatchString(strings.TrimSuffix(line, "\n")) {
			t.Errorf("no reason: %s", line)
		}
	}
	if skips == 0 || skips > 10 {
		t.Errorf("%d tests are skipped under Wine", skips)
	}
}

// TestTiersAreDescribed compares the Makefile's first tier with the table of test/README.md and with the tests: those
// that -short skips call daemon.SecondTier or testing.Short.
func TestTiersAreDescribed(t *testing.T) {
	makefile := check.File(t, "../Makefile")
	list := func(name string) []string {
		line := regexp.MustCompile(`(?m)^` + name + ` := ([a-z ]+?) *(?:#.*)?$`).FindStringSubmatch(makefile)
		if line == nil {
			t.Fatalf("the Makefile has no list %s", name)
		}
		return strings.Fields(line[1])
	}
	first, whole := list("first"), list("whole")
	readme := check.File(t, "../test/README.md")
	rows := regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| ([12, –]+) \\|").FindAllStringSubmatch(readme, -1)
	if len(rows) < 20 {
		t.Fatalf("test/README.md has %d rows with a tier", len(rows))
	}
	for _, row := range rows {
		name, tier := row[1], row[2]
		if slices.Contains(first, name) != strings.Contains(tier, "1") || slices.Contains(whole, name) != (tier == "1") {
			t.Errorf("test/README.md puts %s into tier %s, the Makefile does not", name, tier)
		}
		if !slices.Contains(first, name) {
			continue
		}
		skips := exec.Command("git", "grep", "-qE", `daemon\.SecondTier\(|testing\.Short\(`, "--", "../test/"+name+"/*_test.go").Run() == nil
		if skips == slices.Contains(whole, name) {
			t.Errorf("test/%s: -short skips a test: %v; it must not be in the Makefile's list whole if it does", name, skips)
		}
	}
}

// TestTargetsAreDescribed checks that CONTRIBUTING.md or a page of docs/ names each target.
func TestTargetsAreDescribed(t *testing.T) {
	makefile := check.File(t, "../Makefile")
	var text strings.Builder
	for _, page := range documents(t) {
		text.WriteString(check.File(t, page))
	}
	for _, target := range regexp.MustCompile(`(?m)^([a-z-]+):.*## `).FindAllStringSubmatch(makefile, -1) {
		if !regexp.MustCompile(`make ` + target[1] + `(?:` + "`" + `|[^a-z-])`).MatchString(text.String()) {
			t.Errorf("no document names make %s", target[1])
		}
	}
}
