package channels

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// TestReleaseWorkflow checks that the job that can write and sign runs no test,
// no npm and nothing from a cache, and starts after the tests.
func TestReleaseWorkflow(t *testing.T) {
	var workflow struct {
		Permissions map[string]string
		Jobs        map[string]struct {
			Needs       []string
			Permissions map[string]string
			Steps       []struct {
				Uses, Run string
				With, Env map[string]string
			}
		}
	}
	parse(t, read(t, root, ".github", "workflows", "release.yml"), &workflow)
	if len(workflow.Permissions) != 1 || workflow.Permissions["contents"] != "read" {
		t.Errorf("every job has %v", workflow.Permissions)
	}
	tested := false
	for name, job := range workflow.Jobs {
		for _, step := range job.Steps {
			if strings.HasPrefix(step.Uses, "actions/setup-go@") && step.With["cache"] != "false" || strings.HasPrefix(step.Uses, "actions/cache@") {
				t.Errorf("%s uses a cache", name)
			}
			if name == "release" && (strings.Contains(step.Uses, "setup-node") || regexp.MustCompile(`make .*(test|bundles|manifests)|npm`).MatchString(step.Run)) {
				t.Errorf("the release job runs %s%s", step.Uses, step.Run)
			}
			if name != "release" && len(step.Env) > 0 {
				t.Errorf("%s passes %v", name, step.Env)
			}
			tested = tested || name == "test" && strings.Contains(step.Run, "make test-all")
		}
		if name != "release" && job.Permissions != nil {
			t.Errorf("%s has permissions of its own", name)
		}
	}
	if needs := workflow.Jobs["release"].Needs; !tested || len(needs) != 2 || needs[0] != "test" || workflow.Jobs["release"].Permissions["id-token"] != "write" {
		t.Errorf("the release needs %v", needs)
	}
	contains(t, read(t, root, ".goreleaser.yaml"), "glob: bin/*.mcpb")
}

// TestNoInstallScripts checks that npm packages are installed without running their scripts.
func TestNoInstallScripts(t *testing.T) {
	out := program{root, nil}.must(t, "git", "grep", "-nE", `npm (ci|install)`, "--", ":!docs", ":!*.md", ":!*/testdata/*", ":!test/channels/*.go")
	if out == "" {
		t.Error("nothing is installed")
	}
	for line := range strings.Lines(out) {
		if !strings.Contains(line, "--ignore-scripts") {
			t.Errorf("install scripts run: %s", line)
		}
	}
}

// TestInstallSignature checks that if cosign is installed, the checksums of a
// release are used only with a signature of its own workflow.
func TestInstallSignature(t *testing.T) {
	for name, test := range map[string]struct {
		signed bool
		cosign string // its exit code; "" if it is not installed
		want   bool
	}{
		"no cosign":           {true, "", true},
		"signature":           {true, "0", true},
		"foreign signature":   {true, "1", false},
		"signature not there": {false, "0", false},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			write(t, "", folder, "convertd")
			files := program{folder, nil}
			files.must(t, "tar", "-czf", "convertd_9.8.7_linux_amd64.tar.gz", "convertd")
			files.must(t, "sh", "-c", "sha256sum *.tar.gz >checksums.txt")
			if test.signed {
				write(t, "{}", folder, "checksums.txt.sigstore.json")
			}
			releases := httptest.NewServer(http.StripPrefix("/v9.8.7/", http.FileServer(http.Dir(folder))))
			defer releases.Close()
			bin := t.TempDir()
			if test.cosign != "" {
				write(t, "#!/bin/sh\necho \"$@\" >\"$0.asked\"\nexit "+test.cosign+"\n", bin, "cosign")
				check.OK(t, os.Chmod(filepath.Join(bin, "cosign"), 0o755))
			}
			runner := program{folder, []string{
				"PATH=" + bin + ":/usr/bin:/bin", "RUNNER_TEMP=" + t.TempDir(), "RUNNER_OS=Linux", "RUNNER_ARCH=X64",
				"GITHUB_PATH=" + filepath.Join(folder, "path"), "VERSION=9.8.7", "CONVERTD_RELEASES=" + releases.URL,
			}}
			out, code := runner.run(t, "bash", filepath.Join(root, "deploy", "action", "install.sh"))
			if code == 0 != test.want {
				t.Errorf("exit %d\n%s", code, out)
			}
			if test.signed && test.cosign != "" {
				contains(t, read(t, bin, "cosign.asked"), "--certificate-identity https://github.com/convertd/convertd/.github/workflows/release.yml@refs/tags/v9.8.7 ")
			}
		})
	}
}
