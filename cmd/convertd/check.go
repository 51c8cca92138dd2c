package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/convert"
)

// errDiffers is the error of a file that --check finds would change.
var errDiffers = errors.New("the output differs from the input")

// checkOne converts an input and discards the output. It returns errDiffers if
// the output has the input's media type and differs from it.
func (c *call) checkOne(ctx context.Context, in *fileInput, artifact convert.Artifact) error {
	out := &cli.Comparison{Rest: in.text, Differs: in.bom}
	if err := c.convertTo(ctx, in, artifact, out); err != nil {
		return err
	}
	if c.formats() && !out.Same() {
		return errDiffers
	}
	return nil
}

// formats reports whether the outputs have the inputs' media type.
func (c *call) formats() bool {
	return len(c.first.Accepts) == 1 && c.first.Accepts[0] == c.produces
}

// wouldChange reports an input that --check finds would change.
func (c *call) wouldChange(name string) {
	fmt.Fprintf(c.std.err, "convertd: %s would change\n", cli.Shown(name))
	if c.code == exitOK {
		c.code = exitDiffers
	}
}
