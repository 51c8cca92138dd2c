package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/printable"
)

// lineBatch is a batch of lines that one worker converts.
type lineBatch struct {
	cli.Batch
	name  string
	notes []lineNote
	err   error

	differs bool // --check found that the output differs
}

// lineNote is a warning about a line, or the reason why it was rejected.
type lineNote struct {
	line    int
	warning string
	problem *cli.Problem
	refusal string // instead of a problem
}

// severalLines is why the output of a line cannot be written.
const severalLines = "The output has several lines, and --lines writes one for each input. Leave --lines out, or add --json."

// maxWarnings is how many different warnings about lines are printed.
const maxWarnings = 100

// lines converts each line of each input on its own.
func (c *call) lines(ctx context.Context, inputs []*fileInput) error {
	indents := c.options != nil && slices.ContainsFunc(c.last.Options, func(o contract.Option) bool { return o.Name == "indent" })
	if indents && c.produces == "application/json" && !c.JSON { // any other JSON is formatted again
		c.options["indent"] = cli.Scalar(0)
	}
	c.warned = map[string]bool{}
	for _, in := range inputs {
		err := in.err
		if err == nil {
			err = c.linesOf(ctx, in)
		}
		switch {
		case errors.Is(err, errStop):
			return &exitError{c.code}
		case err != nil && (len(inputs) == 1 || errors.As(err, new(*convert.WriteError)) || errors.Is(err, cli.ErrUnavailable) || ctx.Err() != nil):
			return err
		case err != nil:
			c.fail(err)
		}
	}
	if c.unwarned > 0 {
		fmt.Fprintf(c.std.err, "warning: %d more warnings about lines, most of them like those above, were not printed; --json writes each with its line\n", c.unwarned)
	}
	return nil
}

// linesOf converts the lines of one input.
func (c *call) linesOf(ctx context.Context, in *fileInput) error {
	collectAt(200) // many small conversions
	if in.target == "" {
		return c.linesTo(ctx, c.shared, in.name)
	}
	file, err := c.create(in, "")
	if err != nil {
		return err
	}
	if err := c.linesTo(ctx, file, in.name); err != nil {
		return err
	}
	return file.Complete()
}

// linesTo converts the lines of the input with this name.
func (c *call) linesTo(ctx context.Context, to io.Writer, name string) error {
	var batches iter.Seq[*lineBatch] = func(yield func(*lineBatch) bool) {
		for batch, err := range cli.ReadLines(name, c.std.in, c.MaxInput) {
			if !yield(&lineBatch{Batch: batch, name: name, err: err}) {
				return
			}
		}
	}
	do := func(ctx context.Context, b *lineBatch, turn *cli.Turn) {
		switch {
		case b.err != nil:
		case c.Check:
			out := &cli.Comparison{Rest: b.Text}
			b.err = c.batch(ctx, b, out)
			b.differs = c.formats() && !out.Same()
		default:
			b.err = c.batch(ctx, b, turn)
		}
		if err := turn.End(); b.err == nil && err != nil {
			b.err = &convert.WriteError{Err: err}
		}
	}
	differs, rejected := false, false
	err := cli.InOrder(ctx, c.workers(), to, batches, do, func(b *lineBatch) error {
		differs = differs || b.differs
		rejected = rejected || slices.ContainsFunc(b.notes, lineNote.refused)
		if c.reportLines(b) {
			return errStop
		}
		return b.err
	})
	if err == nil && differs && !rejected {
		c.wouldChange(name)
	}
	return err
}

// reportLines prints a batch's problems and warnings, and reports whether the work
// ends with them. It prints a warning for the first line that has it.
func (c *call) reportLines(b *lineBatch) (stop bool) {
	for _, note := range b.notes {
		switch {
		case note.refusal != "":
			fmt.Fprintf(c.std.err, "convertd: %s:%d: %s\n", cli.Shown(b.name), note.line, note.refusal)
			c.exit(exitRejected)
		case note.problem != nil && note.problem.Option() != "":
			c.code = exitBadUsage
			c.explain(note.problem, b.name, "", true)
			return true
		case note.problem != nil:
			fmt.Fprintf(c.std.err, "convertd: %s\n", note.problem.InLine(b.name, note.line))
			c.exit(problemExit(note.problem))
		case c.Quiet || c.JSON:
		case c.warned[note.warning] || len(c.warned) >= maxWarnings:
			c.unwarned++
		default:
			c.warned[note.warning] = true
			fmt.Fprintf(c.std.err, "warning: %s:%d: %s\n", cli.Shown(b.name), note.line, printable.Line(note.warning))
		}
		if note.problem != nil && note.problem.Temporary() {
			return true
		}
	}
	return false
}

// batch converts the lines of a batch.
func (c *call) batch(ctx context.Context, b *lineBatch, to io.Writer) error {
	collect(len(b.Text))
	var out []byte
	number := b.First - 1
	for line := range strings.Lines(b.Text) {
		number++
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if number == 1 {
			var bom bool
			if line, bom = cli.CutBOM(line); bom {
				b.notes = append(b.notes, lineNote{line: number, warning: bomWarning})
			}
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		output, notes, err := c.line(ctx, b.name, number, line)
		if err != nil {
			return err
		}
		b.notes = append(b.notes, notes...)
		if c.JSON || !slices.ContainsFunc(notes, lineNote.refused) {
			out = append(append(out, output...), '\n')
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

// refused reports whether the note says why a line was rejected.
func (n lineNote) refused() bool { return n.problem != nil || n.refusal != "" }

// line converts one line. It returns the output, on one line and without a line feed.
func (c *call) line(ctx context.Context, name string, number int, line string) (string, []lineNote, error) {
	mediaType, err := c.mediaType(name, line)
	if err != nil {
		return "", nil, &usageError{err}
	}
	var result cli.Result
	if err = cli.CheckUTF8(c.contract, line); err == nil {
		result, err = c.converter.Convert(ctx, convert.Artifact{MediaType: mediaType, Value: line}, nil)
	}
	var problem *cli.Problem
	switch {
	case errors.As(err, &problem) && c.JSON:
		return c.response(name, problem.JSON), []lineNote{{line: number, problem: problem}}, nil
	case errors.As(err, &problem):
		return "", []lineNote{{line: number, problem: problem}}, nil
	case err != nil:
		return "", nil, err
	case c.JSON:
		return c.response(name, result.JSON()), nil, nil
	}
	output := strings.TrimSuffix(result.Output.Value, "\n")
	if result.Output.MediaType == "application/json" && strings.Contains(output, "\n") {
		if output, err = oneLine(ctx, output); err != nil {
			return "", nil, err
		}
	}
	if strings.Contains(output, "\n") {
		return "", []lineNote{{line: number, refusal: severalLines}}, nil
	}
	var notes []lineNote
	for _, warning := range result.Warnings {
		notes = append(notes, lineNote{line: number, warning: warning})
	}
	return output, notes, nil
}

// oneLine formats JSON on one line.
func oneLine(ctx context.Context, text string) (string, error) {
	scanner := jsondoc.NewScanner(text)
	defer scanner.Release()
	formatted, err := jsondoc.Format(ctx, make([]byte, 0, len(text)), scanner, jsondoc.Layout{}, convert.NewOutputLimit(len(text), len(text)))
	return convert.OwnedText(formatted), err
}
