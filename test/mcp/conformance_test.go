package mcp

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// plan is the content of conformance.yaml.
type plan struct {
	Run           map[string][]string          `yaml:"run"`     // scenarios by revision
	Excused       map[string]map[string]string `yaml:"excused"` // reasons by scenario and check
	NotApplicable []struct {
		Reason    string   `yaml:"reason"`
		Revisions []string `yaml:"revisions"` // all if empty
		Scenarios []string `yaml:"scenarios"`
	} `yaml:"notApplicable"`
}

func readPlan(t *testing.T) plan {
	t.Helper()
	var p plan
	converttest.Data(t, "conformance.yaml", &p)
	return p
}

// passedOver reports whether the plan says why a scenario is not run.
func (p plan) passedOver(revision, scenario string) bool {
	for _, n := range p.NotApplicable {
		if n.Reason != "" && slices.Contains(n.Scenarios, scenario) && (len(n.Revisions) == 0 || slices.Contains(n.Revisions, revision)) {
			return true
		}
	}
	return false
}

// TestConformance runs the official suite against the real binary.
func TestConformance(t *testing.T) {
	p := readPlan(t)
	url := serve(t)
	for revision, scenarios := range p.Run {
		checkComplete(t, p, revision)
		for _, scenario := range scenarios {
			t.Run(revision+"/"+scenario, func(t *testing.T) { conform(t, url, revision, scenario, p.Excused[scenario]) })
		}
	}
}

// checkComplete compares the plan with the suite's own list for a revision.
func checkComplete(t *testing.T, p plan, revision string) {
	t.Helper()
	list := node(t, "conformance", "list", "--server", "--spec-version", revision)
	names := regexp.MustCompile(`(?m)^\s+- (\S+)`).FindAllStringSubmatch(list.stdout, -1)
	if len(names) < 20 {
		t.Fatalf("the suite lists only %d scenarios for %s:\n%s", len(names), revision, list.stdout)
	}
	for _, name := range names {
		if slices.Contains(p.Run[revision], name[1]) == p.passedOver(revision, name[1]) {
			t.Errorf("%s: conformance.yaml must say of %s either to run it or why not", revision, name[1])
		}
	}
}

// conform runs one scenario. The excused checks must fail, and no others.
func conform(t *testing.T, url, revision, scenario string, excused map[string]string) {
	folder := t.TempDir()
	out := node(t, "conformance", "server", "--url", url+"/mcp", "--scenario", scenario, "--spec-version", revision, "--output-dir", folder)
	var file string
	_ = filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, "checks.json") {
			file = path
		}
		return err
	})
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("the scenario was not run (exit %d):\n%s%s", out.code, out.stdout, out.stderr)
	}
	var checks []struct{ ID, Status, ErrorMessage string }
	check.JSON(t, text, &checks)
	passed := 0
	failed := map[string]bool{}
	for _, c := range checks {
		switch c.Status {
		case "SUCCESS":
			passed++
		case "FAILURE", "WARNING":
			failed[c.ID] = true
			if excused[c.ID] == "" {
				t.Errorf("%s %s: %s", c.Status, c.ID, c.ErrorMessage)
			}
		}
	}
	for id, reason := range excused {
		if !failed[id] {
			t.Errorf("%s passes and needs no excuse (%s)", id, reason)
		}
	}
	if passed == 0 && scenario != "server-sse-multiple-streams" {
		t.Error("no check passed")
	}
	t.Logf("%d of %d checks passed, %d excused", passed, len(checks), len(excused))
}
