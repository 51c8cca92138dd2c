// Package record defines what may be recorded about a request after its response, for the log, the metrics and the
// traces. It contains no input (ANS-6 of docs/contract.md).
package record

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// Record is what may be recorded about a request after its response. No field contains any of the input: the route is
// the pattern that matched, "" if none did, never the path.
type Record struct {
	ID       string
	Method   string
	Route    string
	Status   int    // HTTP status, 0 if there was no response
	Code     string // problem code, convert.ClientGone, MCP's protocol_error, "" for success
	BytesIn  int64  // of the body, as far as it was read
	BytesOut int
	End      time.Time // of the response
	Duration time.Duration

	// Traceparent is the request's position in a trace (W3C Trace Context, section 3.2): our span's if traces are sent,
	// else the client's if it is well formed, else "".
	Traceparent string
}

// LogTo returns an observer that logs one line per request.
func LogTo(log *slog.Logger) func(context.Context, Record) {
	direct, _ := log.Handler().(*JSONHandler)
	return func(ctx context.Context, r Record) {
		level := slog.LevelInfo
		if r.Status >= http.StatusInternalServerError {
			level = slog.LevelError
		}
		if !log.Enabled(ctx, level) {
			return
		}
		if direct != nil && direct.write(level, r) {
			return
		}
		// A record without the source location, which says nothing here and costs a stack walk.
		line := slog.NewRecord(r.End, level, "request", 0)
		line.AddAttrs(
			slog.String("id", r.ID),
			slog.String("method", r.Method),
			slog.String("route", r.Route),
			slog.Int("status", r.Status),
			slog.String("code", r.Code),
			slog.Int64("bytesIn", r.BytesIn),
			slog.Int("bytesOut", r.BytesOut),
			slog.Duration("duration", r.Duration),
			slog.String("traceparent", r.Traceparent))
		_ = log.Handler().Handle(ctx, line)
	}
}
