package channels

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestReadme compares how docs/releases.md and docs/ci.md install, use and verify a release with the files that the
// release builds, because the test cannot publish one.
func TestReadme(t *testing.T) {
	readme := read(t, root, "docs", "releases.md") + read(t, root, "docs", "ci.md")
	release := read(t, root, ".goreleaser.yaml")
	if got := regexp.MustCompile(`go install github.com/convertd/convertd/(\S+)@latest`).FindStringSubmatch(readme); got == nil {
		t.Error("no go install")
	} else if _, err := os.Stat(filepath.Join(root, got[1], "main.go")); err != nil {
		t.Error(err)
	}
	// What the pages name, and what builds it in the release.
	for said, made := range map[string][]string{
		"brew install --cask convertd/tap/convertd":               {"homebrew_casks:", "owner: convertd", "name: homebrew-tap"},
		"winget install convertd.convertd":                        {"package_identifier: convertd.convertd"},
		"github.com/convertd/scoop-bucket":                        {"scoops:", "name: scoop-bucket"},
		"./convertd_1.0.0_linux_amd64.deb":                        {"package_name: convertd", "formats: [deb, rpm, apk]", "goos: [linux,", "goarch: [amd64,"},
		"ghcr.io/convertd/convertd serve":                         {"repositories: [ghcr.io/convertd/convertd]"},
		"--bundle checksums.txt.sigstore.json":                    {"name_template: checksums.txt", "signature: '${artifact}.sigstore.json'"},
		"gh attestation verify convertd_1.0.0_linux_amd64.tar.gz": {"formats: [tar.gz]"},
		"`sbom.cdx.json`":                                         {"-output bin/sbom.cdx.json", "glob: bin/sbom.cdx.json"},
		"`.mcpb`":                                                 {"glob: bin/*.mcpb"},
	} {
		contains(t, readme, said)
		contains(t, release, made...)
	}
	contains(t, read(t, root, ".github", "workflows", "release.yml"), "cosign", "subject-checksums: dist/checksums.txt", "id-token: write")

	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(readme, -1)
	action, hooks := false, false
	for _, block := range blocks {
		switch {
		case strings.HasPrefix(block[1], "- uses: convertd/convertd@"):
			action = true
			var steps []struct{ With map[string]string }
			var file struct{ Inputs map[string]any }
			parse(t, block[1], &steps)
			parse(t, read(t, root, "action.yml"), &file)
			for name := range steps[0].With {
				if file.Inputs[name] == nil {
					t.Errorf("action.yml has no input %s", name)
				}
			}
		case strings.HasPrefix(block[1], "repos:"):
			hooks = true
			var used struct {
				Repos []struct{ Hooks []struct{ ID string } }
			}
			var made []struct{ ID string }
			parse(t, block[1], &used)
			parse(t, read(t, root, ".pre-commit-hooks.yaml"), &made)
			ids := map[string]bool{}
			for _, hook := range made {
				ids[hook.ID] = true
			}
			for _, hook := range used.Repos[0].Hooks {
				delete(ids, hook.ID)
			}
			if len(ids) > 0 || len(used.Repos[0].Hooks) != len(made) {
				t.Errorf("docs/ci.md has %v, not %v", used, slices.Sorted(maps.Keys(ids)))
			}
		}
	}
	if !action || !hooks {
		t.Error("docs/ci.md shows no use of the action, or none of the hooks")
	}
}
