package cli

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Files stages output files: each is written under a temporary name in its
// target's folder, and Commit renames them all. It is safe for concurrent use.
type Files struct {
	mutex  sync.Mutex
	staged []*File
	ended  bool
}

// File is one of Files. Its methods are for one goroutine.
type File struct {
	target, temporary string
	file              *os.File
	buffer            *bufio.Writer
	current           Comparison // with what the target holds
	complete          bool       // ready to be renamed
	info              fs.FileInfo
	input             bool // the target is also the input
}

var errEnded = errors.New("the work has ended")

// Replace is Create for a file that is also the input and holds text, or "" if that is not known. Writing the same text again
// leaves the file alone. Commit fails if another program changes it in the meantime.
func (s *Files) Replace(name, text string) (*File, error) {
	f, err := s.Create(name, true)
	if err != nil {
		return nil, err
	}
	f.input, f.current = true, Comparison{text, text == ""}
	if f.info == nil || text != "" && f.info.Size() != int64(len(text)) {
		return nil, f.changed()
	}
	return f, nil
}

// Create begins a file that will replace target, with the mode and owner of the file that it replaces. If follow is set
// and target is a symbolic link, the file that it leads to is replaced; otherwise Create rejects a link.
func (s *Files) Create(target string, follow bool) (*File, error) {
	path, info, err := resolve(target, follow)
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.ended {
		return nil, errEnded
	}
	temporary := filepath.Join(filepath.Dir(path), ".convertd-"+rand.Text()+".tmp")
	f := &File{target: path, current: Comparison{Differs: true}, temporary: temporary, info: info}
	// The umask decides the mode of a new file. A replacement is private until it
	// has the mode of the file that it replaces.
	mode := fs.FileMode(0o666)
	if info != nil {
		mode = 0o600
	}
	f.file, err = os.OpenFile(f.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, notWritten(target, err)
	}
	s.staged = append(s.staged, f)
	if info != nil {
		if err := errors.Join(keepOwner(f.file, info), f.file.Chmod(info.Mode().Perm())); err != nil {
			return nil, notWritten(target, err)
		}
	}
	f.buffer = bufio.NewWriterSize(f.file, 32<<10)
	return f, nil
}

// notWritten is the error of a target. It leaves out the temporary name.
func notWritten(target string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	if folder := filepath.Dir(target); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be written: the folder %s does not exist", target, folder)
	}
	return fmt.Errorf("%s cannot be written: %w", target, err)
}

// resolve returns the path of the file to replace and what is there, nil for nothing.
func resolve(target string, follow bool) (path string, info fs.FileInfo, err error) {
	info, err = os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return target, nil, nil
	case err != nil:
		return "", nil, notWritten(target, err)
	case info.Mode()&fs.ModeSymlink != 0 && !follow:
		return "", nil, fmt.Errorf("%s is a symbolic link, and --out-dir does not write through links: remove it", target)
	}
	path, err = filepath.EvalSymlinks(target)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("%s is a symbolic link to a file that does not exist", target)
	}
	if err != nil {
		return "", nil, err
	}
	if !follow {
		path = target // a link that appears in the meantime is replaced, not followed
	}
	info, err = os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", target)
	}
	return path, info, err
}

// CheckTarget reports why an output of --out-dir cannot be written to target.
func CheckTarget(target string) error {
	_, _, err := resolve(target, false)
	return err
}

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) {
	_, _ = f.current.Write(p)
	return f.buffer.Write(p)
}

// Comparison is a writer that compares what is written with a text.
type Comparison struct {
	Rest    string // the part of the text that has not been written
	Differs bool
}

// Write implements io.Writer.
func (c *Comparison) Write(p []byte) (int, error) {
	if !c.Differs {
		rest, found := strings.CutPrefix(c.Rest, string(p))
		c.Rest, c.Differs = rest, !found
	}
	return len(p), nil
}

// Same reports whether the text was written.
func (c *Comparison) Same() bool { return !c.Differs && c.Rest == "" }

func (f *File) changed() error {
	return fmt.Errorf("%s was changed by another program in the meantime and is left alone: run the command again", f.target)
}

// check reports why the target must not be replaced: it is no longer the file that Create saw, or it is in use.
func (f *File) check() error {
	if f.input {
		now, err := os.Stat(f.target)
		if err != nil || !os.SameFile(f.info, now) || now.Size() != f.info.Size() || !now.ModTime().Equal(f.info.ModTime()) {
			return f.changed()
		}
	}
	return irreplaceable(f.target)
}

// Complete ends the file. Commit drops files that are not complete.
func (f *File) Complete() error {
	err := errors.Join(f.buffer.Flush(), f.file.Close())
	f.complete = err == nil
	return err
}

// Commit renames the complete files to their targets. It first checks that each may be replaced, so that either all are or,
// as far as that can be known, none.
func (s *Files) Commit() error {
	defer s.Discard()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	changed := slices.DeleteFunc(slices.Clone(s.staged), func(f *File) bool { return !f.complete || f.current.Same() })
	for _, f := range changed {
		if err := f.check(); err != nil {
			return err
		}
	}
	for _, f := range changed {
		if err := f.check(); err != nil {
			return err
		}
		if err := os.Rename(f.temporary, f.target); err != nil {
			return notWritten(f.target, err)
		}
		f.temporary = ""
	}
	return nil
}

// Discard removes what has not been committed. No file can be created after it.
func (s *Files) Discard() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.ended = true
	for _, f := range s.staged {
		if f.temporary != "" {
			f.file.Close()
			_ = os.Remove(f.temporary)
			f.temporary = ""
		}
	}
}

// CheckReplaceable reports why --in-place cannot replace a file: it is not a regular file, it is read-only, it has other
// names, which would keep the old content, or another program does not let it. It returns the file's Canonical path.
func CheckReplaceable(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil && LooksLikeInput(name):
		return "", ErrNoFile
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is not a regular file", name)
	case info.Mode().Perm()&0o222 == 0:
		return "", fmt.Errorf("%s is read-only", name)
	case links(name, info) > 1:
		return "", fmt.Errorf("%s has other names (hard links), which would keep the old content: use --out-dir", name)
	}
	if err := irreplaceable(name); err != nil {
		return "", err
	}
	return Canonical(name)
}

// Canonical returns the absolute path of a file, without symbolic links.
func Canonical(name string) (string, error) {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
