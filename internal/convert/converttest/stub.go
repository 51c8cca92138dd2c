package converttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// curlStub records its arguments, with its input if one of them names it, and prints a word that scripts can use.
const curlStub = `#!/bin/sh
{ for a; do printf '[%s]' "$a"; case $a in *@-) cat;; esac; done; printf '\036'; } >>"$RECORD"
echo stub
`

// CurlCalls runs a script in bash, with few other programs, and returns the arguments of each call of curl.
func CurlCalls(t *testing.T, script string, environment []string) []string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"bash", "sh", "cat", "make", "echo", "tr", "mkdir", "env"} {
		check.OK(t, os.Symlink(Program(t, name), filepath.Join(dir, name)))
	}
	for _, name := range []string{"jq", "apk", "sleep", "test-server"} {
		check.OK(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho other\n"), 0o755))
	}
	check.OK(t, os.WriteFile(filepath.Join(dir, "curl"), []byte(curlStub), 0o755))
	record := filepath.Join(dir, "record")
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + dir, "RECORD=" + record}, environment...)
	if out, err := cmd.CombinedOutput(); strings.Contains(string(out), "syntax error") {
		t.Fatalf("%s\n%s%v", script, out, err)
	}
	recorded, _ := os.ReadFile(record)
	return strings.Split(strings.TrimSuffix(string(recorded), "\x1e"), "\x1e")
}
