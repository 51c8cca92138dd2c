package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

func write(t *testing.T, files *Files, target, current, text string) {
	t.Helper()
	create := func() (*File, error) { return files.Create(target, true) }
	if current != "" {
		create = func() (*File, error) { return files.Replace(target, current) }
	}
	file := check.Value(create())(t)
	for part := range strings.SplitAfterSeq(text, "b") {
		check.Value(io.WriteString(file, part))(t)
	}
	check.OK(t, file.Complete())
}

// names returns the names of a folder's files.
func names(t *testing.T, folder string) (list []string) {
	t.Helper()
	entries := check.Value(os.ReadDir(folder))(t)
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return list
}

// TestCommitChecksFirst checks that no file is replaced if one of them may not be, and that new and temporary files are removed.
func TestCommitChecksFirst(t *testing.T) {
	folder := t.TempDir()
	old, changed := filepath.Join(folder, "old"), filepath.Join(folder, "changed")
	check.OK(t, errors.Join(os.WriteFile(old, []byte("before"), 0o600), os.WriteFile(changed, []byte("before"), 0o600)))
	var files Files
	write(t, &files, old, "before", "after")
	write(t, &files, filepath.Join(folder, "new"), "", "new")
	file := check.Value(files.Replace(changed, "before"))(t)
	check.OK(t, errors.Join(file.Complete(), os.WriteFile(changed, []byte("by another"), 0o600)))
	if err := files.Commit(); err == nil {
		t.Error("a changed file was replaced")
	}
	if text, _ := os.ReadFile(old); string(text) != "before" {
		t.Errorf("%q", text)
	}
	if got := names(t, folder); !slices.Equal(got, []string{"changed", "old"}) {
		t.Errorf("%q", got)
	}
}

// TestSame checks that writing the same text leaves a file alone.
func TestSame(t *testing.T) {
	for text, replaced := range map[string]bool{"abc": false, "ab": true, "abcd": true, "abd": true, "": true} {
		path := filepath.Join(t.TempDir(), "file")
		check.OK(t, os.WriteFile(path, []byte("abc"), 0o600))
		before, _ := os.Stat(path)
		os.SameFile(before, before) // On Windows, this reads the file's identity, before another file has its name.
		var files Files
		write(t, &files, path, "abc", text)
		check.OK(t, files.Commit())
		after, _ := os.Stat(path)
		now, _ := os.ReadFile(path)
		if os.SameFile(before, after) == replaced || string(now) != text {
			t.Errorf("%q: replaced %v, holds %q", text, !os.SameFile(before, after), now)
		}
	}
}

// TestDiscard checks that incomplete files are removed, and that no file can be created after Discard.
func TestDiscard(t *testing.T) {
	folder := t.TempDir()
	var files Files
	write(t, &files, filepath.Join(folder, "a"), "", "a")
	check.Value(files.Create(filepath.Join(folder, "b"), true))(t)
	files.Discard()
	if _, err := files.Create(filepath.Join(folder, "c"), true); !errors.Is(err, errEnded) {
		t.Error(err)
	}
	if got := names(t, folder); got != nil {
		t.Errorf("%q", got)
	}
	if _, err := new(Files).Create(filepath.Join(folder, "none", "c"), true); err == nil || !strings.HasSuffix(err.Error(), "cannot be written: the folder "+filepath.Join(folder, "none")+" does not exist") {
		t.Error(err)
	}
	if _, err := new(Files).Create(folder, true); err == nil {
		t.Error("a folder would be replaced")
	}
}

// TestLinks checks that a link is followed only if the caller says so.
func TestLinks(t *testing.T) {
	check.SkipUnderWine(t, "reports a symbolic link as a file")
	folder := t.TempDir()
	target, link := filepath.Join(folder, "target"), filepath.Join(folder, "link")
	check.OK(t, errors.Join(os.WriteFile(target, []byte("before"), 0o755), os.Symlink(target, link)))
	var files Files
	if _, err := files.Create(link, false); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Error(err)
	}
	write(t, &files, link, "", "after")
	check.OK(t, files.Commit())
	if text, _ := os.ReadFile(target); string(text) != "after" {
		t.Errorf("%q", text)
	}
}

// TestLateLink checks that a link that takes a target's place in the meantime is replaced, not followed.
func TestLateLink(t *testing.T) {
	folder := t.TempDir()
	script, out := filepath.Join(folder, "script"), filepath.Join(folder, "out")
	check.OK(t, os.WriteFile(script, []byte("before"), 0o755))
	var files Files
	file := check.Value(files.Create(out, false))(t)
	check.OK(t, errors.Join(os.Symlink(script, out), file.Complete(), files.Commit()))
	if text, _ := os.ReadFile(script); string(text) != "before" {
		t.Errorf("the link was followed: %q", text)
	}
}

// TestKeepsChanges checks that a target that another program changes after it was read is left alone.
// Rule: CLI-4.
func TestKeepsChanges(t *testing.T) {
	for name, change := range map[string]func(target string) error{
		"appended": func(target string) error {
			file, err := os.OpenFile(target, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = file.WriteString("more")
			return errors.Join(err, file.Close())
		},
		"replaced": func(target string) error {
			return errors.Join(os.WriteFile(target+".new", []byte("text"), 0o600), os.Rename(target+".new", target))
		},
		"removed": os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			target := filepath.Join(t.TempDir(), "a")
			check.OK(t, os.WriteFile(target, []byte("text"), 0o600))
			var files Files
			file := check.Value(files.Replace(target, "text"))(t)
			check.Value(io.WriteString(file, "other"))(t)
			check.OK(t, file.Complete())
			check.OK(t, change(target))
			changed, _ := os.ReadFile(target)
			if err := files.Commit(); err == nil || !strings.Contains(err.Error(), "was changed by another program") {
				t.Error(err)
			}
			kept, _ := os.ReadFile(target)
			check.Equal(t, string(changed), string(kept))
			if left := names(t, filepath.Dir(target)); len(left) > 1 {
				t.Error(left)
			}
		})
	}
	target := filepath.Join(t.TempDir(), "a")
	check.OK(t, os.WriteFile(target, []byte("longer than what was read"), 0o600))
	var files Files
	defer files.Discard()
	if _, err := files.Replace(target, "text"); err == nil {
		t.Error("a file that grew before Replace is replaced")
	}
	check.OK(t, os.Remove(target))
	if _, err := files.Replace(target, "text"); err == nil || !strings.Contains(err.Error(), "was changed by another program") {
		t.Errorf("a file that was removed before Replace: %v", err)
	}
}
