package curlcmd

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestFeatures holds the features that the cases leave and that the options
// tell against the list in Note's comment, both ways.
func TestFeatures(t *testing.T) {
	source, err := os.ReadFile("request.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(source), "one of those below.")
	list, _, _ = strings.Cut(list, "Feature string")
	list = strings.Join(strings.Fields(strings.ReplaceAll(list, "//", " ")), " ")
	listed := map[string]bool{}
	for _, part := range []struct{ kind, text string }{
		{"lost.", list[:strings.Index(list, "Changed, from")]},
		{"changed.", list[strings.Index(list, "Changed, from"):]},
	} {
		text := regexp.MustCompile(`\([^)]*\)|from the [\w ]+:|Lost,|Changed,`).ReplaceAllString(part.text, " ")
		for _, name := range regexp.MustCompile(`[a-z0-9_]+`).FindAllString(text, -1) {
			listed[part.kind+name] = true
		}
	}
	seen := map[string]bool{}
	for _, o := range options() {
		if o.told != "" {
			seen["lost."+o.told] = true
		}
	}
	for _, c := range loadCases(t) {
		for _, n := range c.Notes {
			seen[n] = true
		}
		for _, r := range c.Requests {
			for _, n := range r.Notes {
				code, _, _ := strings.Cut(n, " ")
				seen[code] = true
			}
		}
	}
	delete(seen, "unknown_option")
	for code := range seen {
		if !listed[code] {
			t.Errorf("%s is not listed", code)
		}
	}
	for code := range listed {
		if !seen[code] {
			t.Errorf("%s is listed and in no case", code)
		}
	}
}
