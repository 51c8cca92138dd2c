package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/convertd/convertd/internal/cli"
)

// fileInput is one input of a run without --lines.
type fileInput struct {
	name    string
	target  string // of --in-place and --out-dir, "" for the shared output
	text    string
	behind  bool // another one's output may stand before it
	turn    *cli.Turn
	answer  cli.Answer
	problem *cli.Problem
	err     error
}

// inputs returns the inputs, with their targets, and refuses what is wrong with
// them before anything is read.
func (c *call) inputs() ([]*fileInput, error) {
	names := c.files
	if len(names) == 0 {
		names = []string{cli.Stdin}
	}
	if len(names) == 1 && names[0] == cli.Stdin && c.given == nil && cli.Terminal(c.std.in) {
		fmt.Fprintln(c.std.err, "Reading the input from the terminal; end it with Ctrl-D.")
	}
	list := make([]*fileInput, len(names))
	read := 0
	for i, name := range names {
		list[i] = &fileInput{name: name, behind: i > 0}
		if name == cli.Stdin {
			read++
		}
	}
	switch {
	case read > 1:
		return nil, &usageError{errors.New("standard input can be read once")}
	case read > 0 && (c.InPlace || c.OutDir != ""):
		return nil, &usageError{errors.New("--in-place and --out-dir need the FILEs to be named; standard input has no name")}
	case c.InPlace:
		return list, c.replaceable(list)
	case c.OutDir != "":
		return list, c.intoFolder(list)
	}
	return list, nil
}

// replaceable sets each input's target to itself.
func (c *call) replaceable(list []*fileInput) error {
	if c.produces == "" {
		return nil // no recipe, which is told in its own words
	}
	taken := map[string]string{}
	for _, in := range list {
		was, err := cli.MediaType(c.first, c.MediaType, in.name, "", nil)
		if err != nil {
			return &usageError{err}
		}
		if was != c.produces {
			return &usageError{fmt.Errorf("--in-place: %s would keep its name and hold %s instead of %s: use --out-dir", in.name, c.produces, was)}
		}
		place, err := cli.CheckReplaceable(in.name)
		if err != nil {
			if !c.KeepGoing || errors.Is(err, cli.ErrNoFile) {
				return err
			}
			in.err = err
			continue
		}
		if other, is := taken[place]; is {
			return &usageError{fmt.Errorf("--in-place: %s and %s are the same file", other, in.name)}
		}
		taken[place] = in.name
		in.target = in.name
	}
	return nil
}

// intoFolder sets each input's target to a file in --out-dir.
func (c *call) intoFolder(list []*fileInput) error {
	if c.produces == "" {
		return nil
	}
	taken := map[string]string{}
	for _, in := range list {
		produces := c.produces
		if c.JSON {
			produces = "application/json"
		}
		in.target = filepath.Join(c.OutDir, cli.NameFor(in.name, produces, c.last))
		if other, is := taken[in.target]; is {
			return &usageError{fmt.Errorf("--out-dir: the outputs of %s and %s would both be %s", other, in.name, in.target)}
		}
		taken[in.target] = in.name
	}
	read := map[string]string{}
	for _, in := range list {
		if place, err := cli.Place(in.name); err == nil {
			read[place] = in.name
		}
	}
	for _, in := range list {
		place, err := cli.Place(in.target)
		if other, is := read[place]; err == nil && is {
			return &usageError{fmt.Errorf("--out-dir: the output of %s would replace the input %s: use --in-place, or another folder", in.name, other)}
		}
	}
	return os.MkdirAll(c.OutDir, 0o777)
}
