package internal

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// documents returns the pages for people.
func documents(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../test/*.md", "verify/cases/*.md"} {
		all = append(all, check.Glob(t, pattern)...)
	}
	return all
}

// anchors returns the fragments that GitHub gives the headings of a page.
func anchors(t *testing.T, page string) []string {
	t.Helper()
	var all []string
	code := regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	dropped := regexp.MustCompile(`[^\p{L}\p{N}\p{M}_ -]`)
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(code.ReplaceAllString(check.File(t, page), ""), -1) {
		all = append(all, strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(heading[1]), ""), " ", "-"))
	}
	return all
}

// TestLinksBetweenDocuments checks that the files and headings that a page links to and the make targets that it names exist.
func TestLinksBetweenDocuments(t *testing.T) {
	makefile := check.File(t, "../Makefile")
	var targets []string
	for _, match := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(makefile, -1) {
		targets = append(targets, match[1])
	}
	link := regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	command := regexp.MustCompile("(?:`|\n)make ([a-z-]+)")
	for _, page := range documents(t) {
		text := check.File(t, page)
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			target := page
			if match[1] != "" {
				target = filepath.Join(filepath.Dir(page), match[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, match[1], err)
			} else if match[2] != "" && filepath.Ext(target) == ".md" && !slices.Contains(anchors(t, target), match[2]) {
				t.Errorf("%s links to %s#%s, which is not a heading", page, match[1], match[2])
			}
		}
		for _, match := range command.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(targets, match[1]) {
				t.Errorf("%s names make %s, which is not a target", page, match[1])
			}
		}
	}
}

// TestFoldersOfTestsAreDescribed checks that test/README.md has a line for each
// of the repository's own folders.
func TestFoldersOfTestsAreDescribed(t *testing.T) {
	text := check.File(t, "../test/README.md")
	folders := check.Value(os.ReadDir("../test"))(t)
	for _, folder := range folders {
		name := folder.Name()
		if folder.IsDir() && name != "out" && name[0] != '.' && !strings.Contains(text, "| `"+name+"` |") {
			t.Errorf("test/README.md does not describe %s", name)
		}
	}
}
