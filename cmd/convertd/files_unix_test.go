//go:build unix

// These tests need signals, named pipes, modes, user IDs or sh. Windows has none of them; package test/windows checks Ctrl-C,
// read-only files and files that another program has open.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
)

// TestInPlaceKeeps checks that --in-place keeps modes and symbolic links, and does
// not touch a file that would not change.
func TestInPlaceKeeps(t *testing.T) {
	folder := folderOf(t, map[string]string{"a.json": "[ 1 ]", "same.json": "[1]\n", "real/b.json": "[ 2 ]"})
	path := func(name string) string { return filepath.Join(folder, name) }
	before, err := os.Stat(path("same.json"))
	if err := errors.Join(err, os.Chmod(path("a.json"), 0o604), os.Symlink("real/b.json", path("link.json")), os.Symlink("none.json", path("dangling.json")),
		os.Chtimes(path("same.json"), time.Unix(0, 0), time.Unix(0, 0))); err != nil {
		t.Fatal(err)
	}
	if got := at(t, folder, "", "run", "json_format", "-i", "--indent=0", "a.json", "same.json", "link.json"); got != (result{}) {
		t.Fatalf("%+v", got)
	}
	if info, err := os.Stat(path("a.json")); err != nil || info.Mode().Perm() != 0o604 {
		t.Errorf("%v %v", info, err)
	}
	if to, err := os.Readlink(path("link.json")); err != nil || to != "real/b.json" {
		t.Errorf("%v %v", to, err)
	}
	after, err := os.Stat(path("same.json"))
	if err != nil || !os.SameFile(before, after) || after.ModTime().Unix() != 0 {
		t.Errorf("a file that does not change was replaced: %v", err)
	}
	want := map[string]string{"a.json": "[1]\n", "same.json": "[1]\n", "real/b.json": "[2]\n"}
	check.Equal(t, want, contents(t, folder))
	if got := at(t, folder, "", "run", "json_format", "-i", "dangling.json"); got.code != exitFailed {
		t.Errorf("%+v", got)
	}
	if got := at(t, folder, "", "run", "json_format", "-i", "link.json", "real/b.json"); got.code != exitBadUsage || !strings.Contains(got.err, "the same file") {
		t.Errorf("%+v", got)
	}
}

// TestInPlaceRejects checks that a file that cannot be replaced safely is refused, and that no other file is replaced.
func TestInPlaceRejects(t *testing.T) {
	for name, prepare := range map[string]struct {
		make    func(folder string) error
		message string
	}{
		"read-only": {func(folder string) error { return os.Chmod(filepath.Join(folder, "b.json"), 0o444) }, "b.json is read-only"},
		"a hard link": {func(folder string) error {
			return os.Link(filepath.Join(folder, "b.json"), filepath.Join(folder, "c.json"))
		}, "b.json has other names"},
		"a pipe": {func(folder string) error {
			return errors.Join(os.Remove(filepath.Join(folder, "b.json")), syscall.Mkfifo(filepath.Join(folder, "b.json"), 0o600))
		}, "b.json is not a regular file"},
	} {
		folder := folderOf(t, map[string]string{"a.json": "[ 1 ]", "b.json": "[ 2 ]"})
		check.OK(t, prepare.make(folder))
		before := contents(t, folder)
		if got := at(t, folder, "", "run", "json_format", "-i", "a.json", "b.json"); got.code != exitFailed || !strings.Contains(got.err, prepare.message) {
			t.Errorf("%s: %+v", name, got)
		}
		check.Equal(t, before, contents(t, folder), name)
	}
}

// TestUnwritable checks a read-only folder and a full disk. Root, who may write everywhere, runs it as another user.
func TestUnwritable(t *testing.T) {
	folder := folderOf(t, map[string]string{"a.json": "[ 1 ]", "no/b.json": "[ 2 ]"})
	command := exec.Command(binary, "run", "json_format", "-i", "a.json", "no/b.json")
	command.Dir = folder
	if os.Geteuid() == 0 {
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		for _, path := range []string{filepath.Dir(binary), filepath.Dir(filepath.Dir(folder)), filepath.Dir(folder), folder} {
			check.OK(t, os.Chmod(path, 0o755))
		}
		for _, path := range []string{"", "a.json", "no/b.json"} {
			check.OK(t, os.Chown(filepath.Join(folder, path), 65534, 65534))
		}
	}
	check.OK(t, os.Chmod(filepath.Join(folder, "no"), 0o555))
	before := contents(t, folder)
	if got := outcomeOf(t, command); got.code != exitFailed || !strings.Contains(got.err, "no/b.json cannot be written") {
		t.Errorf("%+v", got)
	}
	check.Equal(t, before, contents(t, folder))
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full on this system")
	}
	long := "[" + strings.Repeat("1,", 1<<20) + "1]"
	for _, input := range []string{"[1]", long} {
		if got := at(t, folder, input, "run", "json_format", "-o", "/dev/full"); got.code != exitFailed || !strings.Contains(got.err, "no space left") {
			t.Errorf("%d bytes to a full disk: %+v", len(input), got)
		}
		full := check.Value(os.OpenFile("/dev/full", os.O_WRONLY, 0))(t)
		command := exec.Command(binary, "run", "json_format")
		command.Stdin, command.Stdout = strings.NewReader(input), full
		if err := command.Run(); err == nil || command.ProcessState.ExitCode() != exitFailed {
			t.Errorf("%d bytes to a full disk as standard output: %v", len(input), err)
		}
		full.Close()
	}
}

// TestInterrupted checks that SIGINT ends a command that waits for its input,
// and leaves the files as they were with no other file next to them.
// Rules: CLI-2, CLI-4.
func TestInterrupted(t *testing.T) {
	folder := folderOf(t, map[string]string{"a.json": "[ 1 ]", "b.json": "[ 2 ]"})
	fifo := filepath.Join(folder, "pipe.json")
	check.OK(t, syscall.Mkfifo(fifo, 0o600))
	before := contents(t, folder)
	for _, args := range []string{
		"run json_format -o out a.json pipe.json", "run json_format -o out a.json -",
		"run json_format -o out --lines a.json -", "run json_format",
	} {
		command, in, problems := start(t, folder, strings.Fields(args)...)
		if strings.HasSuffix(args, "pipe.json") {
			pipe, err := os.OpenFile(fifo, os.O_WRONLY, 0) // waits for the reader
			check.OK(t, err)
			defer pipe.Close()
		} else {
			_, _ = io.WriteString(in, pipeful)
		}
		_ = command.Process.Signal(syscall.SIGINT)
		_ = command.Wait()
		if code := command.ProcessState.ExitCode(); code != exitInterrupted {
			t.Errorf("%s: exit %d: %s", args, code, problems)
		}
		check.Equal(t, before, contents(t, folder), args)
	}
}

// TestInterruptedInPlace checks that each file is whole, and that no other file
// is left, when a signal arrives while many files are converted in place.
// Rules: CLI-2, CLI-4.
func TestInterruptedInPlace(t *testing.T) {
	text := "[" + strings.Repeat(`{"name": "somebody"},`, 50_000) + "0]"
	files := map[string]string{}
	args := []string{"run", "json_format", "-i"}
	for i := range 12 {
		name := fmt.Sprintf("%d.json", i)
		files[name] = text
		args = append(args, name)
	}
	for _, by := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		folder := folderOf(t, files)
		command, _, problems := start(t, folder, args...)
		for { // until there is a temporary file, or the command is done already
			entries, _ := os.ReadDir(folder)
			if info, err := os.Stat(filepath.Join(folder, "0.json")); len(entries) > len(files) || err == nil && info.Size() != int64(len(text)) {
				break
			}
			time.Sleep(time.Millisecond)
		}
		_ = command.Process.Signal(by)
		_ = command.Wait()
		found := contents(t, folder)
		if len(found) != len(files) {
			t.Errorf("%v: %d files became %d", by, len(files), len(found))
		}
		changed := 0
		for name, now := range found {
			if now != files[name] {
				changed++
			}
		}
		if changed != 0 && changed != len(files) {
			t.Errorf("%v: %d of %d files were replaced (exit %d): %s", by, changed, len(files), command.ProcessState.ExitCode(), problems)
		}
	}
}

// TestNohup checks that a command that was started with SIGHUP ignored, as nohup does, keeps ignoring it.
func TestNohup(t *testing.T) {
	command := exec.Command("sh", "-c", `trap "" HUP; exec "$0" run json_format --indent=0`, binary)
	var out bytes.Buffer
	command.Stdout = &out
	in, err := command.StdinPipe()
	if err == nil {
		err = command.Start()
	}
	check.OK(t, err)
	_, _ = io.WriteString(in, pipeful)
	_ = command.Process.Signal(syscall.SIGHUP)
	_, _ = io.WriteString(in, pipeful+"[ 1 ]")
	in.Close()
	if err := command.Wait(); err != nil || out.String() != "[1]\n" {
		t.Errorf("%v: %q", err, &out)
	}
}

// TestPipeAsInput checks that a named pipe is read to its end.
func TestPipeAsInput(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	check.OK(t, syscall.Mkfifo(pipe, 0o600))
	text := "[" + strings.Repeat("1,", 200_000) + "1]"
	go func() {
		if file, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil {
			_, _ = io.WriteString(file, text)
			file.Close()
		}
	}()
	if got := at(t, folder, "", "run", "json_format", "--indent=0", "--exact", "pipe"); got.code != exitOK || got.out != text {
		t.Errorf("exit %d, %d bytes: %s", got.code, len(got.out), got.err)
	}
}
