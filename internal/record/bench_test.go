package record

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"
)

// BenchmarkLine measures the log line of a request, with slog's handler and with JSONHandler.
func BenchmarkLine(b *testing.B) {
	r := Record{ID: "ABCDEFGHIJKLMNOPQRSTUVWXYZ", Method: "POST", Route: "/v1/tools/json_format", Status: 200,
		BytesIn: 100, BytesOut: 500, End: time.Now(), Duration: time.Millisecond}
	for name, handler := range map[string]slog.Handler{"slog": slog.NewJSONHandler(io.Discard, nil), "ours": NewJSONHandler(io.Discard, slog.LevelInfo)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			observe := LogTo(slog.New(handler))
			for b.Loop() {
				observe(context.Background(), r)
			}
		})
	}
}
