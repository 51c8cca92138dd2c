package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/printable"
	"github.com/convertd/convertd/internal/tools"
)

// errStop ends the work after an error that has been printed.
var errStop = errors.New("stopped")

// convertEach converts each input separately, as one document.
func (c *call) convertEach(ctx context.Context, inputs []*fileInput) error {
	do := func(ctx context.Context, in *fileInput, turn *cli.Turn) {
		in.turn = turn
		if in.err == nil {
			in.err = c.convert(ctx, in, turn)
		}
		if errors.As(in.err, &in.problem) && c.JSON && in.target == "" {
			in.err = (&outputWriter{to: turn}).end(c.response(in.name, in.problem.JSON), !c.Exact)
			return
		}
		if in.err != nil {
			turn.Drop()
		}
	}
	err := cli.InOrder(ctx, c.workers(), c.shared, slices.Values(inputs), do, func(in *fileInput) error {
		err := c.report(in, len(inputs) == 1)
		if failed := in.turn.End(); failed != nil { // the output comes after the warnings
			err = &convert.WriteError{Err: failed}
		}
		in.text, in.result = "", cli.Result{}
		return err
	})
	if errors.Is(err, errStop) {
		return &exitError{c.code}
	}
	return err
}

func (c *call) convert(ctx context.Context, in *fileInput, turn *cli.Turn) (err error) {
	mediaType := ""
	if c.given != nil {
		in.text, mediaType = c.given.Value, c.given.MediaType
	} else {
		if err = c.read(in); err != nil {
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
	was := in.text
	if in.bom {
		was = ""
	}
	file, err := c.create(in, was)
	if err != nil {
		return err
	}
	if err := c.convertTo(ctx, in, artifact, file); err != nil {
		return err
	}
	return file.Complete()
}

// create begins the output file of an input, which holds text, or "" if that is not known.
func (c *call) create(in *fileInput, text string) (*cli.File, error) {
	if c.InPlace {
		return c.staged.Replace(in.target, text)
	}
	return c.staged.Create(in.target, false)
}

// convertTo runs the request and writes its output, or the whole response.
func (c *call) convertTo(ctx context.Context, in *fileInput, artifact convert.Artifact, to io.Writer) (err error) {
	out := &outputWriter{to: to, before: c.separator(in)}
	var stream io.Writer = out
	if c.JSON {
		stream = nil // the response contains the whole output
	}
	if in.result, err = c.converter.Convert(ctx, artifact, stream); err != nil {
		return err
	}
	rest := in.result.Output.Value
	if c.JSON {
		rest = c.response(in.name, in.result.JSON())
	}
	return out.end(rest, !c.Exact)
}

// response returns a whole response, with the name of its input first if there are several.
func (c *call) response(name string, body []byte) string {
	if len(c.files) < 2 {
		return string(body)
	}
	named := append(jsondoc.AppendString([]byte(`{"file":`), strings.ToValidUTF8(name, "\ufffd")), ',')
	return string(append(named, body[1:]...))
}

// separator returns what to write before a YAML document that follows another.
func (c *call) separator(in *fileInput) string {
	if in.later && in.target == "" && c.produces == "application/yaml" && !c.Exact && !c.JSON {
		return "---\n"
	}
	return ""
}

type outputWriter struct {
	to     io.Writer
	before string // what to write first
	last   byte   // the last byte written, 0 before the first
}

func (w *outputWriter) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if before := w.before; before != "" {
		w.before = ""
		if _, err := io.WriteString(w.to, before); err != nil {
			return 0, err
		}
	}
	w.last = p[len(p)-1]
	return w.to.Write(p)
}

// end writes the rest of the output and, if feed is set, a line feed unless the output ends with one.
func (w *outputWriter) end(rest string, feed bool) error {
	for len(rest) > 0 {
		part := rest[:min(len(rest), convert.Chunk)]
		for len(part) < len(rest) && rest[len(part)]&0xC0 == 0x80 {
			part = part[:len(part)-1] // keep characters intact
		}
		if _, err := io.WriteString(w, part); err != nil {
			return &convert.WriteError{Err: err}
		}
		rest = rest[len(part):]
	}
	if !feed || w.last == '\n' {
		return nil
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return &convert.WriteError{Err: err}
	}
	return nil
}

// read reads an input's text: for a server, only as much as shows that it is over the service's limit.
func (c *call) read(in *fileInput) (err error) {
	most := c.MaxInput
	if c.Server != "" {
		most = int64(c.contract.Limits().RequestBytes) * utf8.UTFMax
	}
	in.text, err = cli.Read(in.name, c.std.in, most)
	collect(len(in.text))
	large := c.Server != "" && errors.As(err, new(*cli.TooLarge))
	switch {
	case large:
		err = nil // the server rejects it
	case err == nil:
		err = cli.CheckUTF8(c.contract, in.text)
	}
	in.text, in.bom = cli.CutBOM(in.text)
	return err
}

func (c *call) mediaType(name, text string) (string, error) {
	var recognize func(string) string
	for _, tool := range tools.All() {
		if tool.Name == c.first.Name {
			recognize = tool.Recognise
		}
	}
	return cli.MediaType(c.first, c.MediaType, name, text, recognize)
}

// bomWarning is the warning about a byte order mark, which the service rejects.
const bomWarning = "byte_order_mark: The byte order mark at the beginning was removed."

// report prints an input's warnings or why it failed. It returns an error if the work ends with it.
func (c *call) report(in *fileInput, only bool) error {
	if in.bom && !c.Check {
		c.warn(in, only, bomWarning)
	}
	switch {
	case in.problem != nil:
		c.exit(problemExit(in.problem))
		c.explain(in.problem, in.name, in.text, only)
		if in.err == nil || errors.As(in.err, new(*cli.Problem)) {
			if in.problem.Option() != "" || in.problem.Temporary() {
				return errStop
			}
			return c.orStop()
		}
		return in.err // its document could not be written
	case errors.Is(in.err, errDiffers):
		c.wouldChange(in.name)
		return nil
	case in.err == nil:
		for _, warning := range in.result.Warnings {
			if !c.JSON {
				c.warn(in, only, warning)
			}
		}
		return nil
	case only, errors.As(in.err, new(*usageError)), errors.As(in.err, new(*convert.WriteError)), errors.Is(in.err, cli.ErrUnavailable):
		return in.err
	}
	c.fail(in.err)
	return c.orStop()
}

// warn prints a warning about an input.
func (c *call) warn(in *fileInput, only bool, warning string) {
	if c.Quiet {
		return
	}
	if !only {
		warning = cli.Shown(in.name) + ": " + warning
	}
	fmt.Fprintf(c.std.err, "warning: %s\n", printable.Line(warning))
}

// fail prints an error after which the work may go on.
func (c *call) fail(err error) {
	for _, line := range messages(err) {
		fmt.Fprintf(c.std.err, "convertd: %s\n", line+standardInput(err, c.request.Operation))
	}
	c.exit(exitOf(err))
}

// exit sets the exit code: the first one, but that of a failure before any other, and exitDiffers after any other.
func (c *call) exit(code int) {
	if c.code == exitOK || c.code == exitDiffers || code == exitFailed {
		c.code = code
	}
}

// orStop ends the work after a refused input if outputs follow one another and --keep-going is not set. Files are all
// converted or checked before anything is written, so that every error is reported at once.
func (c *call) orStop() error {
	if c.KeepGoing || c.Check || c.InPlace || c.OutDir != "" {
		return nil
	}
	return errStop
}

// explain prints a problem. One about an option is wrong usage of its flag.
func (c *call) explain(problem *cli.Problem, name, input string, only bool) {
	switch option := problem.Option(); {
	case c.JSON && !c.InPlace && c.OutDir == "": // the output contains it
	case option != "":
		fmt.Fprintf(c.std.err, "convertd: --%s: %s\nTry convertd run %s --help.\n", printable.Line(option), printable.Line(problem.Detail), c.request.Operation)
	default:
		if problem.Code == string(convert.InvalidJSON) && isJSONLines(input) {
			problem.Hint += " To convert each line on its own, add --lines."
		}
		problem.Explain(c.std.err, name, input, only, c.excerpts)
	}
}

// isJSONLines reports whether the first of several lines is a JSON value.
func isJSONLines(text string) bool {
	first, rest, _ := strings.Cut(text, "\n")
	_, err := jsondoc.Decode(strings.TrimSuffix(first, "\r"))
	return err == nil && strings.TrimSpace(rest) != ""
}
