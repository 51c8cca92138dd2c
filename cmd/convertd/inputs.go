package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/convertd/convertd/internal/cli"
)

// fileInput is one input of a run without --lines.
type fileInput struct {
	name   string
	target string // of --in-place and --out-dir, "" for the shared output
	text   string
	bom    bool // text began with a byte order mark
	later  bool // another input is before it
	turn   *cli.Turn

	result  cli.Result
	problem *cli.Problem
	err     error
}

// inputs returns the inputs with their targets. It rejects what is wrong with them before anything is read.
func (c *call) inputs() ([]*fileInput, error) {
	if runtime.GOOS == "windows" {
		var err error
		if c.files, err = cli.ExpandPatterns(c.files); err != nil {
			return nil, err
		}
	}
	for _, name := range append([]string{c.Output, c.OutDir}, c.files...) {
		if err := cli.CheckDevice(name); err != nil {
			return nil, err
		}
	}
	names := c.files
	if len(names) == 0 {
		names = []string{cli.Stdin}
	}
	list := make([]*fileInput, len(names))
	stdin := 0
	for i, name := range names {
		list[i] = &fileInput{name: name, later: i > 0}
		if name == cli.Stdin {
			stdin++
		}
	}
	switch {
	case stdin > 1:
		return nil, &usageError{errors.New("standard input (-) can be read only once")}
	case stdin > 0 && (c.InPlace || c.OutDir != ""):
		return nil, &usageError{errors.New("--in-place and --out-dir need FILEs; standard input has no name")}
	case c.InPlace:
		return list, c.replaceable(list)
	case c.OutDir != "":
		return list, c.intoFolder(list)
	}
	if stdin > 0 && c.given == nil && cli.Terminal(c.std.in) {
		end := "Ctrl-D"
		if runtime.GOOS == "windows" {
			end = "Ctrl-Z and Enter"
		}
		fmt.Fprintf(c.std.err, "convertd: reading from the terminal; end with %s\n", end)
	}
	return list, nil
}

// replaceable makes each input its own target.
func (c *call) replaceable(list []*fileInput) error {
	taken := map[string]string{}
	for _, in := range list {
		was, err := cli.MediaType(c.first, c.MediaType, in.name, "", nil)
		if err != nil {
			return &usageError{err}
		}
		if was != c.produces {
			return &usageError{fmt.Errorf("--in-place: %s would keep its name but contain %s instead of %s; use --out-dir", cli.Shown(in.name), c.produces, was)}
		}
		path, err := cli.CheckReplaceable(in.name)
		if err != nil {
			if !c.KeepGoing || errors.Is(err, cli.ErrNoFile) {
				return err
			}
			in.err = err
			continue
		}
		if other, is := taken[path]; is {
			return &usageError{fmt.Errorf("--in-place: %s and %s are the same file", cli.Shown(other), cli.Shown(in.name))}
		}
		taken[path] = in.name
		in.target = in.name
	}
	return nil
}

// intoFolder gives each input a target in --out-dir.
func (c *call) intoFolder(list []*fileInput) error {
	if err := checkFolder(c.OutDir); err != nil {
		return err
	}
	read, taken := map[string]string{}, map[string]string{}
	for _, in := range list {
		path, err := cli.Canonical(in.name)
		if err != nil && cli.LooksLikeInput(in.name) {
			return cli.ErrNoFile
		}
		if err == nil {
			read[path] = in.name
		}
	}
	for _, in := range list {
		produces := c.produces
		if c.JSON {
			produces = "application/json"
		}
		in.target = filepath.Join(c.OutDir, cli.NameFor(in.name, produces, c.last))
		if other, is := taken[in.target]; is {
			return &usageError{fmt.Errorf("--out-dir: the outputs of %s and %s would both be %s", cli.Shown(other), cli.Shown(in.name), cli.Shown(in.target))}
		}
		taken[in.target] = in.name
		if err := cli.CheckDevice(in.target); err != nil {
			return err
		}
		path, err := cli.Canonical(in.target)
		if other, is := read[path]; err == nil && is {
			return &usageError{fmt.Errorf("--out-dir: the output of %s would replace the input %s; use --in-place or another folder", cli.Shown(in.name), cli.Shown(other))}
		}
		if err := cli.CheckTarget(in.target); err != nil {
			return err
		}
		if _, err := os.Lstat(in.target); err == nil && c.NoClobber {
			return errExists(in.target)
		}
	}
	return os.MkdirAll(c.OutDir, 0o777)
}

// checkFolder rejects an --out-dir that is a symbolic link or, if the path is relative, that is below one. Another user
// may have created the link and chosen its target.
func checkFolder(folder string) error {
	for path := filepath.Clean(folder); path != "." && path != filepath.Dir(path); path = filepath.Dir(path) {
		if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return fmt.Errorf("--out-dir: %s is a symbolic link; name the folder that it leads to", path)
		}
		if filepath.IsAbs(path) {
			break
		}
	}
	return nil
}
