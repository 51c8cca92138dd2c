package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func write(t *testing.T, files *Files, target, was, text string) {
	t.Helper()
	file, err := files.Create(target, was)
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitAfterSeq(text, "b") {
		if _, err := io.WriteString(file, part); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Complete(); err != nil {
		t.Fatal(err)
	}
}

// names are what a folder holds.
func names(t *testing.T, folder string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return list
}

// TestCommitUndoes: when a file cannot have its name, those before it get back
// what they held, new ones go, and nothing is left behind.
func TestCommitUndoes(t *testing.T) {
	folder := t.TempDir()
	old := filepath.Join(folder, "old")
	if err := os.WriteFile(old, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	var files Files
	write(t, &files, old, "before", "after")
	write(t, &files, filepath.Join(folder, "new"), "", "new")
	blocked := filepath.Join(folder, "blocked")
	write(t, &files, blocked, "", "x")
	if err := os.MkdirAll(filepath.Join(blocked, "full"), 0o700); err != nil { // a folder took the name meanwhile
		t.Fatal(err)
	}
	if err := files.Commit(); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if text, _ := os.ReadFile(old); string(text) != "before" {
		t.Errorf("%q", text)
	}
	if got := names(t, folder); !slices.Equal(got, []string{"blocked", "old"}) {
		t.Errorf("%q", got)
	}
}

// TestSame: a text that is the same leaves its file alone, one that only begins
// the same does not.
func TestSame(t *testing.T) {
	for text, replaced := range map[string]bool{"abc": false, "ab": true, "abcd": true, "abd": true, "": true} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte("abc"), 0o600); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Stat(path)
		var files Files
		write(t, &files, path, "abc", text)
		if err := files.Commit(); err != nil {
			t.Fatal(err)
		}
		after, _ := os.Stat(path)
		now, _ := os.ReadFile(path)
		if os.SameFile(before, after) == replaced || string(now) != text {
			t.Errorf("%q: replaced %v, holds %q", text, !os.SameFile(before, after), now)
		}
	}
}

// TestDiscard: behind the end nothing begins, and what is not complete goes.
func TestDiscard(t *testing.T) {
	folder := t.TempDir()
	var files Files
	write(t, &files, filepath.Join(folder, "a"), "", "a")
	if _, err := files.Create(filepath.Join(folder, "b"), ""); err != nil {
		t.Fatal(err)
	}
	files.Discard()
	if _, err := files.Create(filepath.Join(folder, "c"), ""); !errors.Is(err, errEnded) {
		t.Error(err)
	}
	if got := names(t, folder); got != nil {
		t.Errorf("%q", got)
	}
	if _, err := new(Files).Create(filepath.Join(folder, "none", "c"), ""); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := new(Files).Create(folder, ""); err == nil {
		t.Error("a folder would be replaced")
	}
}
