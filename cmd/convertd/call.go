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
	"sync/atomic"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/printable"
	"github.com/convertd/convertd/internal/tools"
)

// call is what run and pipeline have in common: one request, for each of some
// inputs.
type call struct {
	callFlags
	contract    *contract.Contract
	std         streams
	request     cli.Request
	tool        string            // the tool's name, "" for a pipeline
	first, last *contract.Tool    // nil where the recipe names none that is known
	options     map[string]any    // the last step's, as they were given
	files       []string          // the inputs' names; none is standard input
	given       *convert.Artifact // the input that the recipe's file holds, instead of files

	converter cli.Converter
	produces  string     // the outputs' media type, "" when the recipe is none
	staged    cli.Files  // what is written when all has gone well
	shared    io.Writer  // where outputs go that have no file of their own
	single    *cli.File  // of --output
	color     *cli.Color // nil is without
	progress  *cli.Progress
	done      atomic.Int64 // inputs, or lines, that have been done
	code      int          // the exit code so far
}

// usageError is an error of the arguments.
type usageError struct{ error }

// outcome is the exit code of errors that the user has been told of.
type outcome struct{ code int }

func (o *outcome) Error() string { return fmt.Sprintf("exit code %d", o.code) }

// run does the request for all inputs.
func (c *call) run(ctx context.Context) error {
	if c.last != nil {
		options := convert.Options{}
		for name, value := range c.options {
			options[name] = value
		}
		c.produces = c.last.Output(c.last.Complete(options))
	}
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
	c.progress = cli.Wait(c.std.err, c.state)
	defer c.progress.Stop()
	c.std.err = c.progress.Beside(c.std.err)
	if c.Output == cli.Stdin && cli.Terminal(c.std.out) {
		c.shared = c.progress.Beside(c.shared)
	}
	if c.Lines {
		err = c.lines(ctx, inputs)
	} else {
		err = c.whole(ctx, inputs)
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	return c.finish(err, len(inputs))
}

// errInterrupted is the end by a signal: nothing has been replaced.
var errInterrupted = errors.New("interrupted")

// check refuses flags that do not go together.
func (c *call) check() error {
	if _, err := guard.BaseURL(strings.TrimSuffix(c.BaseURL, "/")); err != nil {
		return fmt.Errorf("--base-url: %w", err)
	}
	several := c.produces == "application/yaml" || c.produces == "text/plain" && len(c.last.Produces) > 1
	indent, indented := c.options["indent"].(json.Number)
	switch {
	case c.InPlace && (c.OutDir != "" || c.Output != "-"), c.OutDir != "" && c.Output != "-":
		return errors.New("only one of --output, --in-place and --out-dir says where the outputs go")
	case c.Check && (c.InPlace || c.OutDir != "" || c.Output != "-" || c.JSON || c.Lines):
		return errors.New("--check writes nothing, so no flag that says what or where to write goes with it")
	case (c.InPlace || c.OutDir != "") && c.given != nil:
		return errors.New("--in-place and --out-dir are for FILEs, and the recipe's file holds its input")
	case c.InPlace && c.JSON:
		return errors.New("--in-place is for outputs, and --json gives the whole answer: use --out-dir")
	case c.Lines && c.given != nil:
		return errors.New("--lines is for FILEs and standard input, and the recipe's file holds its input")
	case c.Lines && c.Exact:
		return errors.New("--lines ends each answer with a line feed, so --exact cannot be had")
	case c.Lines && several && !c.JSON:
		return fmt.Errorf("--lines: an answer is one line, and %s of this tool has several", c.produces)
	case c.Lines && c.produces == "application/json" && indented && indent != "0":
		return errors.New("--lines: an answer is one line, so --indent must be 0 or left out")
	}
	return nil
}

func (c *call) newConverter() (cli.Converter, error) {
	if c.Server != "" {
		return cli.NewRemote(c.request, c.Server, version, c.Timeout)
	}
	return cli.NewLocal(c.contract, tools.All(), c.request, strings.TrimSuffix(c.BaseURL, "/"), version)
}

// workers is how many inputs are done at once: one for each processor, and one
// at a server, which counts requests.
func (c *call) workers() int {
	if c.Server != "" {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// open opens where outputs go that have no file of their own.
func (c *call) open() error {
	c.shared = c.std.out
	if c.Output != "-" {
		if info, err := os.Stat(c.Output); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			file, err := os.OpenFile(c.Output, os.O_WRONLY, 0) // a device, a pipe
			c.shared = file
			return err
		}
		file, err := c.staged.Create(c.Output, "")
		c.single, c.shared = file, file
		return err
	}
	always := c.Color == "always"
	if !always && (c.Color == "never" || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" || !cli.Terminal(c.std.out)) {
		return nil
	}
	if c.JSON || c.produces == "application/json" {
		c.color = &cli.Color{Text: c.std.out, Codes: c.std.out}
		if shown, ok := c.std.out.(printable.Writer); ok {
			c.color.Codes = shown.To
		}
		c.shared = c.color
	}
	return nil
}

// state is what the terminal is told of work that takes long.
func (c *call) state() string {
	switch done := c.done.Load(); {
	case c.Lines:
		return fmt.Sprintf("converting, %d lines,", done)
	case len(c.files) > 1:
		return fmt.Sprintf("converting, %d of %d,", done, len(c.files))
	}
	return "converting"
}

// finish ends the outputs, or removes them, and returns what the exit code
// follows from. err is what ended the work early.
func (c *call) finish(err error, inputs int) error {
	if c.color != nil {
		err = errors.Join(err, c.color.End())
	}
	if err == nil && c.code != exitOK {
		err = &outcome{c.code}
	}
	// What was refused is told already, and its document stands in the output.
	refused := errors.As(err, new(*outcome)) && (c.KeepGoing || c.JSON && c.OutDir == "" && c.code != exitFailed)
	if err != nil && !refused {
		if (c.InPlace || c.OutDir != "") && inputs > 1 {
			fmt.Fprintln(c.std.err, "convertd: no file was written; --keep-going writes those that went well")
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

// collect makes the garbage collector keep the heap small beside a large input,
// whose bytes it need not look into; a small one ends before it runs.
func collect(size int) {
	if size > 4<<20 {
		collectAt(50)
	}
}
