package channels

import (
	"path/filepath"
	"testing"
)

// hooks runs a hook by pre-commit on files of a repository.
func hooks(t *testing.T, hook string, files map[string]string) (out string, code int, folder string) {
	t.Helper()
	source := filepath.Join(t.TempDir(), "convertd")
	snapshot(t, source)
	repository(t, source)
	folder = t.TempDir()
	for name, text := range files {
		write(t, text, folder, name)
	}
	repository(t, folder)
	runner := program{folder, []string{"PRE_COMMIT_HOME=" + filepath.Join(t.TempDir(), "store")}}
	out, code = runner.run(t, filepath.Join(root, "test", "channels", ".venv", "bin", "pre-commit"), "try-repo", source, hook, "--all-files")
	return out, code, folder
}

func TestHookFormats(t *testing.T) {
	out, code, folder := hooks(t, "json-format", map[string]string{"a.json": loose, "b c.json": neat, "readme.txt": broken})
	if code == 0 {
		t.Errorf("a file was changed, and pre-commit was content:\n%s", out)
	}
	contains(t, out, "files were modified by this hook")
	if got := read(t, folder, "a.json"); got != neat {
		t.Errorf("got %q", got)
	}
	out, code, folder = hooks(t, "json-format", map[string]string{"a.json": broken, "b.json": loose})
	if code == 0 {
		t.Errorf("a broken file passed:\n%s", out)
	}
	contains(t, out, "duplicate_key")
	if got := read(t, folder, "a.json"); got != broken {
		t.Errorf("got %q", got)
	}
}

func TestHookChecks(t *testing.T) {
	good := "openapi: 3.1.0\ninfo: {title: Shop, version: 1.0.0}\npaths: {/orders: {get: {}}}\n"
	if out, code, _ := hooks(t, "api-convert", map[string]string{"api/openapi.yaml": good, "other.yaml": "a: [\n"}); code != 0 {
		t.Errorf("exit %d\n%s", code, out)
	}
	if out, code, _ := hooks(t, "api-convert", map[string]string{"openapi.yaml": good + "paths: {}\n"}); code == 0 {
		t.Errorf("a description with a member twice passed:\n%s", out)
	}
}
