package metrics

import (
	"context"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/record"
)

// BenchmarkObserve measures the cost of counting a request.
func BenchmarkObserve(b *testing.B) {
	m := New(nil)
	r := record.Record{Route: "/v1/tools/json_format", Status: 200, BytesIn: 100, BytesOut: 500, Duration: time.Millisecond}
	b.ReportAllocs()
	for b.Loop() {
		m.Observe(context.Background(), r)
	}
}
