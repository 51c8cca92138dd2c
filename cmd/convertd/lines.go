package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/printable"
)

// lineBatch is some lines that are done one after the other.
type lineBatch struct {
	cli.Batch
	name string
	told []lineNote
	err  error
}

// lineNote is what there is to tell of a line.
type lineNote struct {
	line    int
	warning string
	problem *cli.Problem // nil for a warning
}

// mostWarnings is how many different warnings of lines are told.
const mostWarnings = 100

// lines does each line of each input as a text of its own.
func (c *call) lines(ctx context.Context, inputs []*fileInput) error {
	c.compact()
	warned, more := map[string]bool{}, 0
	for _, in := range inputs {
		err := in.err
		if err == nil {
			err = c.linesOf(ctx, in, warned, &more)
		}
		switch {
		case errors.Is(err, errStop):
			return &outcome{c.code}
		case err != nil && (len(inputs) == 1 || errors.As(err, new(*convert.WriteError)) || errors.Is(err, cli.ErrUnavailable) || ctx.Err() != nil):
			return err
		case err != nil:
			fmt.Fprintf(c.std.err, "convertd: %v\n", err)
			if code := exitOf(err); c.code == exitOK || code == exitFailed {
				c.code = code
			}
		}
	}
	if more > 0 {
		fmt.Fprintf(c.std.err, "warning: %d further warnings of lines were left out, most of them like those above; --json gives each with its answer\n", more)
	}
	return nil
}

// compact makes json_format write one line where nobody said how.
func (c *call) compact() {
	if c.last == nil || c.produces != "application/json" || c.JSON {
		return
	}
	for _, option := range c.last.Options {
		if option.Name != "indent" {
			continue
		}
		if steps, _ := c.request.Body["steps"].([]any); len(steps) > 0 {
			step, _ := steps[len(steps)-1].(map[string]any)
			if step["options"] == nil {
				step["options"] = map[string]any{}
			}
			if options, ok := step["options"].(map[string]any); ok {
				options["indent"] = cli.Scalar(0)
			}
		} else {
			c.options["indent"] = cli.Scalar(0)
		}
	}
}

// linesOf does the lines of one input.
func (c *call) linesOf(ctx context.Context, in *fileInput, warned map[string]bool, more *int) error {
	source, err := cli.Open(ctx, in.name, c.std.in)
	if err != nil {
		return err
	}
	defer source.Close()
	collectAt(200) // many small calls, for as long as there are lines
	if in.target == "" {
		return c.linesTo(ctx, c.shared, in.name, source, warned, more)
	}
	file, err := c.staged.Create(in.target, "")
	if err != nil {
		return err
	}
	if err := c.linesTo(ctx, file, in.name, source, warned, more); err != nil {
		return err
	}
	return file.Complete()
}

// linesTo does the lines of what is read from source.
func (c *call) linesTo(ctx context.Context, to io.Writer, name string, source io.Reader, warned map[string]bool, more *int) error {
	var batches iter.Seq[*lineBatch] = func(yield func(*lineBatch) bool) {
		for batch := range cli.ReadLines(name, source, c.MaxInput) {
			if !yield(&lineBatch{Batch: batch, name: name}) {
				return
			}
		}
	}
	do := func(ctx context.Context, b *lineBatch, turn *cli.Turn) {
		if b.err = b.Err; b.err == nil {
			b.err = c.batch(ctx, b, turn)
		}
		if err := turn.End(); b.err == nil && err != nil {
			b.err = &convert.WriteError{Err: err}
		}
	}
	return cli.InOrder(ctx, c.workers(), to, batches, do, func(b *lineBatch) error {
		if c.tellLines(b, warned, more) {
			return errStop
		}
		return b.err
	})
}

// tellLines tells of what became of some lines, and reports whether the work
// ends with them. A warning is told of the first line that has it.
func (c *call) tellLines(b *lineBatch, warned map[string]bool, more *int) (stop bool) {
	name := cli.Shown(b.name)
	for _, note := range b.told {
		switch {
		case note.problem != nil && note.problem.Option() != "":
			c.code = exitBadUsage
			c.refused(note.problem, name, "", true)
			return true
		case note.problem != nil:
			fmt.Fprintf(c.std.err, "convertd: %s\n", note.problem.InLine(name, note.line))
			if code := problemExit(note.problem); c.code == exitOK || code == exitFailed {
				c.code = code
			}
			if note.problem.Temporary() {
				return true
			}
		case c.Quiet || c.JSON:
		case warned[note.warning] || len(warned) >= mostWarnings:
			*more++
		default:
			warned[note.warning] = true
			fmt.Fprintf(c.std.err, "warning: %s:%d: %s\n", printable.Line(name), note.line, printable.Line(note.warning))
		}
	}
	return false
}

// batch does some lines.
func (c *call) batch(ctx context.Context, b *lineBatch, to io.Writer) error {
	collect(len(b.Text))
	var out []byte
	for number, line := range b.Lines() {
		if strings.TrimSpace(line) == "" {
			continue
		}
		c.done.Add(1)
		answer, err := c.line(ctx, b.name, line)
		var problem *cli.Problem
		switch {
		case errors.As(err, &problem):
			b.told = append(b.told, lineNote{line: number, problem: problem})
			if c.JSON {
				out = append(append(out, problem.JSON...), '\n')
			}
		case err != nil:
			return err
		default:
			for _, warning := range answer.Warnings {
				b.told = append(b.told, lineNote{line: number, warning: warning})
			}
			out = append(append(out, answer.Output.Value...), '\n')
		}
		if len(out) >= convert.Chunk {
			if _, err := to.Write(out); err != nil {
				return &convert.WriteError{Err: err}
			}
			out = out[:0]
		}
	}
	if _, err := to.Write(out); err != nil {
		return &convert.WriteError{Err: err}
	}
	return nil
}

// line does one line; the answer's output is one line too.
func (c *call) line(ctx context.Context, name, line string) (cli.Answer, error) {
	if err := cli.CheckUTF8(c.contract, line); err != nil {
		return cli.Answer{}, err
	}
	mediaType, err := c.mediaType(name, line)
	if err != nil {
		return cli.Answer{}, &usageError{err}
	}
	answer, err := c.converter.Convert(ctx, convert.Artifact{MediaType: mediaType, Value: line}, nil)
	if err != nil {
		return cli.Answer{}, err
	}
	output := &answer.Output
	switch {
	case c.JSON:
		output.Value = string(answer.JSON())
	case output.MediaType == "application/json" && strings.IndexByte(output.Value, '\n') >= 0:
		scanner := jsondoc.NewScanner(output.Value)
		defer scanner.Release()
		size := len(output.Value)
		text, err := jsondoc.Format(ctx, make([]byte, 0, size), scanner, jsondoc.Layout{}, convert.NewBudget(size, size))
		if err != nil {
			return cli.Answer{}, err
		}
		output.Value = convert.OwnedText(text)
	}
	return answer, nil
}
