package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/printable"
	"github.com/convertd/convertd/internal/tools"
)

// errStop ends the work after an error that the user has been told of.
var errStop = errors.New("stopped")

// whole does each input as one text.
func (c *call) whole(ctx context.Context, inputs []*fileInput) error {
	do := func(ctx context.Context, in *fileInput, turn *cli.Turn) {
		in.turn = turn
		if in.err == nil {
			in.err = c.convert(ctx, in, turn)
		}
		if errors.As(in.err, &in.problem) && c.JSON && in.target == "" {
			in.err = (&ending{to: turn}).end(string(in.problem.JSON), !c.Exact)
			return
		}
		if in.err != nil {
			turn.Drop()
		}
	}
	err := cli.InOrder(ctx, c.workers(), c.shared, slices.Values(inputs), do, func(in *fileInput) error {
		c.done.Add(1)
		err := c.tell(in, len(inputs) == 1)
		if failed := in.turn.End(); failed != nil { // what is held comes behind the warnings
			err = &convert.WriteError{Err: failed}
		}
		in.text, in.answer = "", cli.Answer{}
		return err
	})
	if errors.Is(err, errStop) {
		return &outcome{c.code}
	}
	return err
}

// convert does one input.
func (c *call) convert(ctx context.Context, in *fileInput, turn *cli.Turn) (err error) {
	mediaType := ""
	if c.given != nil {
		in.text, mediaType = c.given.Value, c.given.MediaType
	} else {
		if in.text, err = c.read(ctx, in.name); err != nil {
			return err
		}
		if mediaType, err = c.mediaType(in.name, in.text); err != nil {
			return &usageError{err}
		}
	}
	artifact := convert.Artifact{MediaType: mediaType, Value: in.text}
	if c.Check {
		return c.checkOne(ctx, in, artifact)
	}
	if in.target == "" {
		return c.convertTo(ctx, in, artifact, turn)
	}
	was := ""
	if c.InPlace {
		was = in.text
	}
	file, err := c.staged.Create(in.target, was)
	if err != nil {
		return err
	}
	if err := c.convertTo(ctx, in, artifact, file); err != nil {
		return err
	}
	return file.Complete()
}

// convertTo runs the request and writes its output, or its whole answer.
func (c *call) convertTo(ctx context.Context, in *fileInput, artifact convert.Artifact, to io.Writer) (err error) {
	out := &ending{to: to, before: c.separator(in)}
	var stream io.Writer = out
	if c.JSON {
		stream = nil // the whole answer is one text
	}
	if in.answer, err = c.converter.Convert(ctx, artifact, stream); err != nil {
		return err
	}
	rest := in.answer.Output.Value
	if c.JSON {
		rest = string(in.answer.JSON())
	}
	return out.end(rest, !c.Exact)
}

// separator stands before a YAML document that follows another one.
func (c *call) separator(in *fileInput) string {
	if in.behind && in.target == "" && c.produces == "application/yaml" && !c.Exact && !c.JSON {
		return "---\n"
	}
	return ""
}

// ending is an output that may get a line feed at its end.
type ending struct {
	to     io.Writer
	before string // stands in front, "" for nothing
	last   byte   // that was written, 0 for none
}

func (e *ending) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if before := e.before; before != "" {
		e.before = ""
		if _, err := io.WriteString(e.to, before); err != nil {
			return 0, err
		}
	}
	e.last = p[len(p)-1]
	return e.to.Write(p)
}

// end writes the rest, and a line feed if one is asked for and missing.
func (e *ending) end(rest string, feed bool) error {
	for len(rest) > 0 {
		part := rest[:min(len(rest), convert.Chunk)]
		for len(part) < len(rest) && rest[len(part)]&0xC0 == 0x80 {
			part = part[:len(part)-1] // not inside a character
		}
		if _, err := io.WriteString(e, part); err != nil {
			return &convert.WriteError{Err: err}
		}
		rest = rest[len(part):]
	}
	if !feed || e.last == '\n' || e.last == 0 {
		return nil
	}
	if _, err := io.WriteString(e, "\n"); err != nil {
		return &convert.WriteError{Err: err}
	}
	return nil
}

// read returns an input's text.
func (c *call) read(ctx context.Context, name string) (text string, err error) {
	if c.Server != "" {
		text, err = cli.ReadFor(ctx, c.contract, name, c.std.in)
	} else {
		text, err = cli.Read(ctx, name, c.std.in, c.MaxInput)
		collect(len(text))
	}
	if err == nil && (c.Server == "" || len(text) <= 4*c.contract.Limits().RequestBytes) {
		err = cli.CheckUTF8(c.contract, text)
	}
	return text, err
}

// mediaType says what an input is.
func (c *call) mediaType(name, text string) (string, error) {
	if c.first == nil {
		return c.MediaType, nil // which is there, see pipelineCommand
	}
	var recognise func(string) string
	for _, tool := range tools.All() {
		if tool.Name == c.first.Name {
			recognise = tool.Recognise
		}
	}
	return cli.MediaType(c.first, c.MediaType, name, text, recognise)
}

// tell tells of what became of an input, and returns an error when the work
// ends with it.
func (c *call) tell(in *fileInput, one bool) error {
	var usage *usageError
	name := cli.Shown(in.name)
	switch {
	case in.problem != nil:
		if c.code == exitOK {
			c.code = problemExit(in.problem)
		}
		c.refused(in.problem, name, in.text, one)
		if in.err == nil || errors.As(in.err, new(*cli.Problem)) {
			if in.problem.Option() != "" || in.problem.Temporary() {
				return errStop
			}
			return c.orStop()
		}
		return in.err // its document could not be written
	case errors.Is(in.err, errDiffers):
		fmt.Fprintf(c.std.err, "convertd: %s would change\n", name)
		c.code = exitRefused
		return nil
	case in.err == nil:
		for _, warning := range in.answer.Warnings {
			if !c.Quiet && !c.JSON {
				if !one {
					warning = name + ": " + warning
				}
				fmt.Fprintf(c.std.err, "warning: %s\n", printable.Line(warning))
			}
		}
		return nil
	case one, errors.As(in.err, &usage), errors.As(in.err, new(*convert.WriteError)), errors.Is(in.err, cli.ErrUnavailable), errors.Is(in.err, context.Canceled):
		return in.err
	}
	fmt.Fprintf(c.std.err, "convertd: %v\n", in.err)
	if code := exitOf(in.err); c.code == exitOK || code == exitFailed {
		c.code = code
	}
	return c.orStop()
}

// orStop ends the work after a refused input where outputs follow one another
// and nobody asked to go on. What goes to files, or is checked, is looked at to its end, so
// that all that is wrong is told at once.
func (c *call) orStop() error {
	if c.KeepGoing || c.Check || c.InPlace || c.OutDir != "" {
		return nil
	}
	return errStop
}

// refused explains a problem. A bad option is bad usage of its flag.
func (c *call) refused(problem *cli.Problem, name, input string, one bool) {
	switch option := problem.Option(); {
	case c.JSON && !c.InPlace && c.OutDir == "": // it stands in the output
	case option != "":
		fmt.Fprintf(c.std.err, "convertd: --%s: %s\nTry convertd run %s --help.\n", printable.Line(option), printable.Line(problem.Detail), c.tool)
	default:
		problem.Explain(c.std.err, name, input, one)
	}
}
