package cli

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Files are files that are replaced when all has gone well: each is written
// beside its target under another name, and takes the target's when Commit is
// called. It is safe for concurrent use.
type Files struct {
	mutex  sync.Mutex
	staged []*File
	ended  bool
}

// File is one of Files. Its methods are for one goroutine.
type File struct {
	target, temporary, backup string
	file                      *os.File
	buffer                    *bufio.Writer
	was                       string // what the target holds, of what is not yet written
	same                      bool   // so far what is written is what the target held
	complete                  bool   // it may take the target's name
	fresh                     bool   // there was no file of that name
}

var errEnded = errors.New("the work has ended")

// Create begins a file that will take the place of target, with the mode and
// the owner of what is there. A target that is a symbolic link stays one, and
// what it leads to is replaced. was is what the target holds, or "": the same
// text again leaves the target alone.
func (s *Files) Create(target, was string) (*File, error) {
	place, info, err := placeOf(target)
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.ended {
		return nil, errEnded
	}
	f := &File{target: place, was: was, same: was != "", temporary: siblingOf(place), fresh: info == nil}
	// Of a new file the system decides on the mode; one that is replaced is
	// nobody else's to read before it has its own.
	mode := fs.FileMode(0o666)
	if info != nil {
		mode = 0o600
	}
	f.file, err = os.OpenFile(f.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", target, err)
	}
	s.staged = append(s.staged, f)
	if info != nil {
		if err := errors.Join(keepOwner(f.file, info), f.file.Chmod(info.Mode().Perm())); err != nil {
			return nil, fmt.Errorf("%s cannot be replaced: %w", target, err)
		}
	}
	f.buffer = bufio.NewWriterSize(f.file, 32<<10)
	return f, nil
}

// placeOf returns where a target's file is, and what is there, nil for nothing.
func placeOf(target string) (string, fs.FileInfo, error) {
	place, err := filepath.EvalSymlinks(target)
	if errors.Is(err, fs.ErrNotExist) {
		if _, isLink := os.Readlink(target); isLink == nil {
			return "", nil, fmt.Errorf("%s is a link to nothing", target)
		}
		return target, nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	info, err := os.Stat(place)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", target)
	}
	return place, info, err
}

// siblingOf is an unused name in a file's folder.
func siblingOf(file string) string {
	return filepath.Join(filepath.Dir(file), ".convertd-"+rand.Text()+".tmp")
}

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) {
	if f.same {
		if f.same = strings.HasPrefix(f.was, string(p)); f.same {
			f.was = f.was[len(p):]
		}
	}
	return f.buffer.Write(p)
}

// Complete ends the file. Without it Commit forgets the file.
func (f *File) Complete() error {
	err := errors.Join(f.buffer.Flush(), f.file.Close())
	f.complete = err == nil
	return err
}

// Commit gives the complete files their names. When it fails, those that had
// theirs already get back what they held, where the system knows hard links,
// and no file is changed.
func (s *Files) Commit() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for i, f := range s.staged {
		if !f.complete || f.same && f.was == "" {
			continue
		}
		f.backup = siblingOf(f.target)
		if os.Link(f.target, f.backup) != nil {
			f.backup = "" // a new file, or no hard links here
		}
		if err := os.Rename(f.temporary, f.target); err != nil {
			s.restore(i)
			return err
		}
		f.temporary = ""
	}
	s.discard()
	return nil
}

// restore undoes what Commit did to the files before the one at i.
func (s *Files) restore(i int) {
	for _, f := range s.staged[:i] {
		switch {
		case f.temporary != "":
		case f.backup != "":
			_ = os.Rename(f.backup, f.target)
			f.backup = ""
		case f.fresh:
			_ = os.Remove(f.target)
		}
	}
	s.discard()
}

// Discard removes what has not been committed; no further file can be created.
func (s *Files) Discard() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.discard()
}

func (s *Files) discard() {
	s.ended = true
	for _, f := range s.staged {
		if f.temporary != "" {
			f.file.Close()
			_ = os.Remove(f.temporary)
		}
		if f.backup != "" {
			_ = os.Remove(f.backup)
		}
		f.temporary, f.backup = "", ""
	}
}

// CheckReplaceable says why a file cannot be replaced by what is made of it:
// it is no regular file, nobody may write it, or it has other names, which
// would go on to hold what it held.
// It returns the file's Place.
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
	case links(info) > 1:
		return "", fmt.Errorf("%s has other names (hard links), which would go on to hold what it holds now: use --out-dir", name)
	}
	return Place(name)
}

// Place is the one name of a file that has no symbolic links in it.
func Place(name string) (string, error) {
	place, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(place)
}
