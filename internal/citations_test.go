package internal

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// defined matches a rule of docs/contract.md: its topic and number.
var defined = regexp.MustCompile(`(?m)^- \*\*([A-Z]+)-([0-9]+)\*\* `)

// citing are the extensions of files that may cite a rule.
var citing = []string{".go", ".md", ".yaml", ".mjs", ".js", ".ts", ".py", ".sh", ".html"}

// foreign are folders that contain third-party or generated files.
var foreign = []string{".git", ".venv", "node_modules", "target", "testdata", "gen", "out", "swaggerui", "bin"}

// rules returns the numbers of docs/contract.md, and a regular expression that matches citations of its topics.
func rules(t *testing.T) (numbers map[string]bool, citation *regexp.Regexp) {
	t.Helper()
	text := check.File(t, "../docs/contract.md")
	numbers = map[string]bool{}
	var topics []string
	last := 0
	for _, match := range defined.FindAllStringSubmatch(text, -1) {
		topic, id := match[1], match[1]+"-"+match[2]
		n, _ := strconv.Atoi(match[2])
		if len(topics) == 0 || topics[len(topics)-1] != topic {
			if slices.Contains(topics, topic) {
				t.Errorf("%s: the rules of a topic stand together", id)
			}
			topics, last = append(topics, topic), 0
		}
		if n <= last {
			t.Errorf("%s comes after %s-%d", id, topic, last)
		}
		last = n
		numbers[id] = true
	}
	if len(numbers) < 50 {
		t.Fatalf("%d rules", len(numbers))
	}
	return numbers, regexp.MustCompile(`\b(?:` + strings.Join(topics, "|") + `)-[0-9]+\b`)
}

// TestCitations checks that every cited rule exists. With -v, it lists the rules
// that are never cited, so no test names them.
func TestCitations(t *testing.T) {
	numbers, citation := rules(t)
	cited := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(foreign, entry.Name()):
			return filepath.SkipDir
		case entry.IsDir() || !slices.Contains(citing, filepath.Ext(path)):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		own := filepath.ToSlash(path) == "../docs/contract.md"
		for _, id := range citation.FindAllString(string(text), -1) {
			if !numbers[id] {
				t.Errorf("%s cites %s, which docs/contract.md does not have", path, id)
			}
			cited[id] = cited[id] || !own
		}
		return nil
	})
	check.OK(t, err)
	uncited := slices.DeleteFunc(slices.Sorted(maps.Keys(numbers)), func(id string) bool { return cited[id] })
	t.Logf("%d rules, of which nobody cites %s", len(numbers), strings.Join(uncited, ", "))
}

// TestEveryCaseCitesItsRule checks that what convertd verify prints about a case refers to docs/contract.md.
func TestEveryCaseCitesItsRule(t *testing.T) {
	_, citation := rules(t)
	rule := regexp.MustCompile(`(?m)^ +rule: *"?(.*)$`)
	for _, file := range check.Glob(t, "verify/cases/*.yaml") {
		lines := rule.FindAllStringSubmatch(check.File(t, file), -1)
		if len(lines) == 0 {
			t.Errorf("%s: no rules", file)
		}
		for _, line := range lines {
			if at := citation.FindStringIndex(line[1]); at == nil || at[0] != 0 {
				t.Errorf("%s: %q does not begin with a rule's number", file, line[1])
			}
		}
	}
}
