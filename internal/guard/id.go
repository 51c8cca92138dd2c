package guard

import (
	"context"
	"log/slog"
)

// WithID returns a logger that adds the id of the request, if the context has one, to the lines of log.
func WithID(log *slog.Logger) *slog.Logger { return slog.New(idHandler{log.Handler()}) }

type idHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h idHandler) Handle(ctx context.Context, line slog.Record) error {
	if c, ok := ctx.Value(requestKey{}).(*requestContext); ok {
		line.AddAttrs(slog.String("id", c.id))
	}
	return h.Handler.Handle(ctx, line)
}
