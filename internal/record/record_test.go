package record

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
)

// A line below the level is not formatted.
func TestLogLevel(t *testing.T) {
	var log bytes.Buffer
	observe := LogTo(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelError})))
	observe(context.Background(), Record{Status: 499})
	if log.Len() > 0 {
		t.Errorf("logged: %s", log.String())
	}
	observe(context.Background(), Record{Status: 500})
	if log.Len() == 0 {
		t.Error("a fault is not logged")
	}
}
