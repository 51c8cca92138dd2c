// Package goinstall installs the command, and builds a program with the Go
// package, from a module proxy, as users of a release do.
package goinstall

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
)

const (
	module = "github.com/convertd/convertd"
)

// release is a new version in each run: Go assumes that the content of a released version never changes.
var release = fmt.Sprintf("v1.97.%d", time.Now().Unix())

// publish creates a module proxy (GOPROXY protocol) with the files that Git tracks and returns its URL.
func publish(t *testing.T) string {
	t.Helper()
	list, err := exec.CommandContext(t.Context(), "git", "-C", "../..", "ls-files", "--cached", "--others", "--exclude-standard", "-z").Output()
	if err != nil {
		t.Fatal("not a Git working tree:", err)
	}
	files := strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00")
	var nested []string // folders of other modules
	for _, name := range files {
		if folder, is := strings.CutSuffix(name, "/go.mod"); is {
			nested = append(nested, folder+"/")
		}
	}
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	for _, name := range files {
		if underAny(name, nested) || strings.HasPrefix(path.Base(name), ".") {
			continue
		}
		info, err := os.Lstat(filepath.Join("../..", name))
		if os.IsNotExist(err) || err == nil && !info.Mode().IsRegular() {
			continue // deleted but not committed; or a link, which modules cannot contain
		}
		body := check.Value(os.ReadFile(filepath.Join("../..", name)))(t)
		w, err := archive.Create(module + "@" + release + "/" + name)
		if err == nil {
			_, err = w.Write(body)
		}
		check.OK(t, err)
	}
	check.OK(t, archive.Close())
	mod := check.Value(os.ReadFile("../../go.mod"))(t)
	root := t.TempDir()
	folder := filepath.Join(root, module, "@v")
	check.OK(t, os.MkdirAll(folder, 0o755))
	for name, body := range map[string][]byte{
		"list":            []byte(release + "\n"),
		release + ".info": []byte(`{"Version":"` + release + `","Time":"2026-01-02T03:04:05Z"}`),
		release + ".mod":  mod,
		release + ".zip":  packed.Bytes(),
	} {
		check.OK(t, os.WriteFile(filepath.Join(folder, name), body, 0o644))
	}
	return "file://" + filepath.ToSlash(root)
}

func underAny(name string, folders []string) bool {
	for _, folder := range folders {
		if strings.HasPrefix(name, folder) {
			return true
		}
	}
	return false
}

// outside runs the go command in a folder outside any checkout, with the proxy and with the existing module and build
// caches. The test removes the release from the module cache when it ends.
func outside(t *testing.T, proxy, folder string, args ...string) string {
	t.Helper()
	cache := check.Value(exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE").Output())(t)
	modules := strings.TrimSpace(string(cache))
	t.Cleanup(func() {
		os.RemoveAll(filepath.Join(modules, module+"@"+release))
		kept, _ := filepath.Glob(filepath.Join(modules, "cache/download", module, "@v", release+".*"))
		for _, file := range append(kept, filepath.Join(modules, "cache/download", module, "@v", "list")) {
			os.Remove(file)
		}
	})
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Dir = folder
	command.Env = append(os.Environ(), "GOBIN="+folder, "GOFLAGS=-modcacherw", "GOWORK=off", "CGO_ENABLED=0", "GOSUMDB=off",
		"GOPROXY="+proxy+",file://"+filepath.ToSlash(filepath.Join(modules, "cache/download")))
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestInstalled checks that a binary from go install reports the release's version, and that its responses do too.
func TestInstalled(t *testing.T) {
	proxy, folder := publish(t), t.TempDir()
	outside(t, proxy, folder, "install", module+"/cmd/convertd@latest")
	run := func(args ...string) string {
		command := exec.CommandContext(t.Context(), filepath.Join(folder, "convertd"), args...)
		command.Stdin = strings.NewReader("[1]")
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	want := strings.TrimPrefix(release, "v")
	if got := run("--version"); got != want+"\n" {
		t.Errorf("--version says %q", got)
	}
	if got := run("run", "json_format", "--json"); !strings.Contains(got, `"engineVersion":"`+want+`"`) {
		t.Errorf("a response says %s", got)
	}
}

// TestImported checks that a program that requires only the release builds without other modules and gets its version.
func TestImported(t *testing.T) {
	proxy, folder := publish(t), t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/program\n\ngo 1.26.0\n\nrequire " + module + " " + release + "\n",
		"main.go": `package main

import (
	"context"
	"fmt"

	"` + module + `"
)

func main() {
	result, err := convertd.JSONToYAML(context.Background(), "[1.50]", convertd.JSONToYAMLOptions{})
	if err != nil {
		panic(err)
	}
	fmt.Print(result.Output.Value, result.Provenance.EngineVersion)
}
`} {
		check.OK(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	if got := outside(t, proxy, folder, "run", "-mod=mod", "."); !strings.HasSuffix(got, "- 1.50\n"+strings.TrimPrefix(release, "v")) {
		t.Errorf("the program says %q", got)
	}
	sums := check.Value(os.ReadFile(filepath.Join(folder, "go.sum")))(t)
	if n := strings.Count(string(sums), "h1:") - strings.Count(string(sums), "/go.mod h1:"); n > 1 {
		t.Errorf("the program requires %d modules, want only the release:\n%s", n, sums)
	}
}
