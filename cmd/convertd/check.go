package main

import (
	"context"
	"errors"
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// errDiffers is what --check finds where an output would change its file.
var errDiffers = errors.New("the output differs from the input")

// checkOne converts an input, writes nothing, and finds out whether its output
// would differ from it where the recipe gives what it takes.
func (c *call) checkOne(ctx context.Context, in *fileInput, artifact convert.Artifact) error {
	out := &comparison{rest: in.text}
	if err := c.convertTo(ctx, in, artifact, out); err != nil {
		return err
	}
	formats := c.first != nil && len(c.first.Accepts) == 1 && c.first.Accepts[0] == c.produces
	if formats && (out.differs || out.rest != "") {
		return errDiffers
	}
	return nil
}

// comparison compares what is written with a text, of which rest is left.
type comparison struct {
	rest    string
	differs bool
}

func (o *comparison) Write(p []byte) (int, error) {
	if rest, found := strings.CutPrefix(o.rest, string(p)); found {
		o.rest = rest
	} else {
		o.differs = true
	}
	return len(p), nil
}
