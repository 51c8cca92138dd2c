package channels

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestHooks makes pre-commit install the hooks once, from a copy of this repository.
func TestHooks(t *testing.T) {
	source := filepath.Join(t.TempDir(), "convertd")
	snapshot(t, source)
	repository(t, source)
	runner := program{t.TempDir(), []string{"PRE_COMMIT_HOME=" + t.TempDir()}}
	// pre-commit makes Go use new cache folders; reusing the existing caches saves minutes. With -trimpath, a copy in another folder is not compiled again.
	caches := strings.Fields(runner.must(t, "go", "env", "GOCACHE", "GOMODCACHE"))
	runner.env = append(runner.env, "GOCACHE="+caches[0], "GOMODCACHE="+caches[1], "GOFLAGS=-modcacherw -trimpath")
	t.Run("format", func(t *testing.T) { checkFormatHook(t, runner, source) })
	t.Run("check", func(t *testing.T) { checkCheckHook(t, runner, source) })
}

// hooks runs a hook with pre-commit on the files of a repository.
func hooks(t *testing.T, runner program, source, hook string, files map[string]string) (out string, code int, folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range files {
		write(t, text, folder, name)
	}
	repository(t, folder)
	runner.folder = folder
	out, code = runner.run(t, filepath.Join(root, "test", "channels", ".venv", "bin", "pre-commit"), "try-repo", source, hook, "--all-files")
	return out, code, folder
}

func checkFormatHook(t *testing.T, runner program, source string) {
	out, code, folder := hooks(t, runner, source, "json-format", map[string]string{"a.json": loose, "b c.json": neat, "-i.json": neat, "readme.txt": broken})
	if code == 0 {
		t.Errorf("a file was changed, and pre-commit was content:\n%s", out)
	}
	contains(t, out, "files were modified by this hook")
	if got := read(t, folder, "a.json"); got != neat {
		t.Errorf("got %q", got)
	}
	out, code, folder = hooks(t, runner, source, "json-format", map[string]string{"a.json": broken, "b.json": loose})
	if code == 0 {
		t.Errorf("a broken file passed:\n%s", out)
	}
	contains(t, out, "duplicate_key")
	if got := read(t, folder, "a.json"); got != broken {
		t.Errorf("got %q", got)
	}
}

func checkCheckHook(t *testing.T, runner program, source string) {
	good := "openapi: 3.1.0\ninfo: {title: Shop, version: 1.0.0}\npaths: {/orders: {get: {}}}\n"
	if out, code, _ := hooks(t, runner, source, "api-convert", map[string]string{"api/openapi.yaml": good, "other.yaml": "a: [\n"}); code != 0 {
		t.Errorf("exit %d\n%s", code, out)
	}
	if out, code, _ := hooks(t, runner, source, "api-convert", map[string]string{"openapi.yaml": good + "paths: {}\n"}); code == 0 {
		t.Errorf("a description with a member twice passed:\n%s", out)
	}
}
