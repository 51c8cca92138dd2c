package extract

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert"
)

// lossy are the cases whose requests the script doesn't have, which a warning says: those of a loop, and those that send
// the standard input.
var lossy = []string{"commands as strings", "here-documents and shells", "probes, hooks and several documents"}

// TestRequests compares the requests that curl sends for the commands of containers with those of the script that
// api_convert writes.
func TestRequests(t *testing.T) {
	proxy := converttest.StartProxy(t, `(?i)^content-length: [0-9]+$`)
	for _, kind := range []struct{ kind, file string }{
		{"dockerfile", "dockerfiles"}, {"compose", "compose"}, {"kubernetes", "kubernetes"},
	} {
		for _, c := range cases(t, kind.file) {
			if slices.Contains(lossy, c.Name) {
				continue
			}
			t.Run(c.Name, func(t *testing.T) {
				// A proxy sees requests only without TLS, and curl sends no address with a blank.
				c.Text = strings.NewReplacer("https://", "http://", "/a b", "/a%20b").Replace(c.Text)
				result, err := apiconvert.Tool.Convert(context.Background(), convert.Input{
					Artifact: convert.Artifact{MediaType: "text/plain", Value: c.Text}, Options: convert.Options{"target": "curl"},
					Limit: convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters),
				})
				check.OK(t, err)
				want := requests(t, proxy, c, run(t, c, "bin/oracle", kind.kind))
				got := requests(t, proxy, c, result.Value)
				if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
					t.Errorf("the script\n%s\nsends (-the file's program +script):\n%s", result.Value, diff)
				}
			})
		}
	}
}

// requests returns the requests that a script sends with curl, in any order.
func requests(t *testing.T, proxy *converttest.Proxy, c fileCase, script string) []string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"curl", "bash", "sh", "env", "cat"} {
		check.OK(t, os.Symlink(converttest.Program(t, name), filepath.Join(dir, name)))
	}
	check.OK(t, os.WriteFile(filepath.Join(dir, "apk"), []byte("#!/bin/sh\n"), 0o755))
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + dir, "HOME=" + dir, "http_proxy=" + proxy.URL, "no_proxy="}, c.Environment...)
	_ = cmd.Run()
	sent := proxy.Requests()
	slices.Sort(sent)
	return sent
}
