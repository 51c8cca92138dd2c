package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/printable"
	"github.com/convertd/convertd/internal/tools"
)

// call is one request for each of some inputs: what run and pipeline share.
type call struct {
	callFlags
	contract    *contract.Contract
	std         streams
	request     cli.Request
	first, last *contract.Tool    // of the steps
	options     map[string]any    // the tool's, from the command line; nil for a pipeline
	files       []string          // the inputs' names; none means standard input
	given       *convert.Artifact // the input in the recipe's file, instead of files

	converter cli.Converter
	produces  string     // the outputs' media type
	staged    cli.Files  // the output files
	shared    io.Writer  // for outputs that have no separate file
	single    *cli.File  // of --output
	color     *cli.Color // nil disables color
	excerpts  bool       // show the line of an input where a problem is
	code      int        // exit code so far

	warned   map[string]bool // the warnings about lines that were printed
	unwarned int             // how many were not
}

// usageError is an error of the arguments.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// exitError is the exit code of errors that have been printed.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// run runs the request on all inputs.
func (c *call) run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return &usageError{err}
	}
	inputs, err := c.inputs()
	if err != nil {
		return err
	}
	if c.converter, err = c.newConverter(); err != nil {
		return &usageError{err}
	}
	defer c.staged.Discard()
	if err := c.open(); err != nil {
		return err
	}
	c.excerpts = c.Color == "always" || cli.Terminal(c.std.err) // a log must not keep what may be secret
	if c.Lines {
		err = c.lines(ctx, inputs)
	} else {
		err = c.convertEach(ctx, inputs)
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	return c.finish(err, len(inputs))
}

// errInterrupted is the error of a command that a signal has ended. convertd run has then replaced no file.
var errInterrupted = errors.New("interrupted")

// check rejects flags that cannot be used together.
func (c *call) check() error {
	if c.BaseURL != "" {
		if _, err := guard.BaseURL(strings.TrimSuffix(c.BaseURL, "/")); err != nil {
			return fmt.Errorf("--base-url: %w", err)
		}
	}
	indent, indented := c.options["indent"].(json.Number)
	toFile := c.Output != cli.Stdin || c.OutDir != ""
	switch {
	case c.Output == "":
		return errors.New("--output: must be the name of a file, or - for standard output")
	case c.InPlace && toFile, c.OutDir != "" && c.Output != cli.Stdin:
		return errors.New("--output, --in-place and --out-dir cannot be used together")
	case c.NoClobber && !toFile:
		return errors.New("--no-clobber needs --output or --out-dir")
	case c.Check && (c.InPlace || toFile || c.JSON):
		return errors.New("--check writes nothing, so it cannot be used with --output, --in-place, --out-dir or --json")
	case (c.InPlace || c.OutDir != "") && c.given != nil:
		return errors.New("--in-place and --out-dir need FILEs, but the recipe's file contains its input")
	case c.InPlace && c.JSON:
		return errors.New("--in-place would replace a file with a whole response (--json); use --out-dir")
	case c.Lines && c.given != nil:
		return errors.New("--lines needs FILEs or standard input, but the recipe's file contains its input")
	case c.Lines && c.Exact:
		return errors.New("--lines ends each output with a line feed, so it cannot be used with --exact")
	case c.Lines && c.produces == "application/json" && indented && indent != "0":
		return errors.New("--lines writes each output on one line, so --indent must be 0 or absent")
	}
	return nil
}

func (c *call) newConverter() (cli.Converter, error) {
	if c.Server != "" {
		return cli.NewRemote(c.request, c.Server, version, c.Timeout)
	}
	return cli.NewLocal(c.contract, tools.All(), c.request, strings.TrimSuffix(c.BaseURL, "/"), version)
}

// workers returns how many inputs to convert at once: one for each processor, but
// one on a server, because a server counts requests.
func (c *call) workers() int {
	if c.Server != "" {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// open opens what outputs without a file of their own go to.
func (c *call) open() error {
	c.shared = c.std.out
	if c.Output != cli.Stdin {
		return c.openFile()
	}
	if (c.JSON || c.produces == "application/json") && c.colors() {
		c.color = &cli.Color{Text: c.std.out, Codes: c.std.out}
		if shown, ok := c.std.out.(printable.Writer); ok {
			c.color.Codes = shown.To
		}
		c.shared = c.color
	}
	return nil
}

// colors reports whether to color JSON on standard output.
func (c *call) colors() bool {
	switch {
	case c.Color == "never":
		return false
	case c.Color == "auto" && (os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"):
		return false
	}
	return cli.ColorTerminal(c.std.out) || c.Color == "always"
}

// openFile opens the file of --output: a device or a pipe as it is, any other file under a temporary name.
func (c *call) openFile() error {
	info, err := os.Stat(c.Output)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		file, err := os.OpenFile(c.Output, os.O_WRONLY, 0)
		c.shared = file
		return err
	}
	if err == nil && c.NoClobber {
		return errExists(c.Output)
	}
	file, err := c.staged.Create(c.Output, true)
	c.single, c.shared = file, file
	return err
}

// errExists is the error of an output file that --no-clobber protects.
func errExists(name string) error { return fmt.Errorf("%s exists, and --no-clobber is set", name) }

// finish completes the outputs or removes them, and returns the error that decides
// the exit code. err is what ended the work early.
func (c *call) finish(err error, inputs int) error {
	if c.color != nil {
		err = errors.Join(err, c.color.End())
	}
	if err == nil && c.code != exitOK {
		err = &exitError{c.code}
	}
	// With these flags, outputs are kept although inputs were rejected.
	kept := errors.As(err, new(*exitError)) && (c.KeepGoing || c.JSON && c.OutDir == "" && c.code != exitFailed)
	if err != nil && !kept {
		if (c.InPlace || c.OutDir != "") && inputs > 1 {
			fmt.Fprintln(c.std.err, "convertd: no file was written; --keep-going writes those that succeed")
		}
		return err
	}
	if c.single != nil {
		if failed := c.single.Complete(); failed != nil {
			return failed
		}
	}
	if failed := c.staged.Commit(); failed != nil {
		return failed
	}
	return err
}

// collect makes the garbage collector keep the heap small next to a large input. A
// small one has been converted before it runs.
func collect(size int) {
	if size > 4<<20 {
		collectAt(100)
	}
}
