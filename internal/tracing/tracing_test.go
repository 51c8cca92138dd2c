package tracing

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-chi/chi/v5"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/record"
)

const (
	secret = "secretInTheRequest"
	parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
)

// traced sends one request through a router with tracing and returns the resulting span and record.
func traced(t *testing.T, r *http.Request) (tracetest.SpanStub, record.Record) {
	t.Helper()
	exporter := tracetest.NewInMemoryExporter()
	tracing := check.Value(start(exporter, "1.2.3", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}))(t)
	var noted record.Record
	router := chi.NewRouter()
	router.Use(guard.Observe(tracing.Observe, func(_ context.Context, r record.Record) { noted = r }))
	router.Post("/v1/tools/{name}", func(w http.ResponseWriter, r *http.Request) {
		guard.NoteCode(r.Context(), "rate_limited")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	tracing.Handler(router).ServeHTTP(httptest.NewRecorder(), r)
	check.OK(t, tracing.provider.ForceFlush(context.Background()))
	spans := exporter.GetSpans()
	if len(spans) != 1 {
		t.Fatalf("%d spans", len(spans))
	}
	return spans[0], noted
}

func request(from string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/v1/tools/"+secret+"?q="+secret, strings.NewReader(secret))
	r.RemoteAddr = from
	r.Host = secret + ".example"
	r.Header.Set("User-Agent", secret)
	r.Header.Set("X-Forwarded-For", secret)
	r.Header.Set("Traceparent", parent)
	r.Header.Set("Tracestate", "a="+secret)
	r.Header.Set("Baggage", "a="+secret)
	return r
}

// TestSpan checks that a span says what was requested and how it ended, in the
// document's terms, and contains no client input.
func TestSpan(t *testing.T) {
	span, record := traced(t, request("10.1.2.3:4"))
	if span.Name != "POST /v1/tools/{name}" || span.SpanContext.TraceID().String() != parent[3:35] || span.Parent.SpanID().String() != parent[36:52] {
		t.Errorf("name %q, trace %v, parent %v", span.Name, span.SpanContext.TraceID(), span.Parent.SpanID())
	}
	got := map[string]string{}
	for _, a := range span.Attributes {
		got[string(a.Key)] = a.Value.String()
	}
	for key, want := range map[string]string{"http.request.method": "POST", "http.response.status_code": "429", "http.route": "/v1/tools/{name}", "convertd.code": "rate_limited", "convertd.request_id": record.ID} {
		if got[key] != want {
			t.Errorf("%s: want %q, got %q", key, want, got[key])
		}
	}
	text := check.Value(json.Marshal(span))(t)
	for _, never := range []string{secret, "10.1.2.3", "tracestate"} {
		if strings.Contains(string(text), never) {
			t.Errorf("the span holds %q: %s", never, text)
		}
	}
	if want := "00-" + span.SpanContext.TraceID().String() + "-" + span.SpanContext.SpanID().String() + "-01"; record.Traceparent != want {
		t.Errorf("the record's traceparent: want %s, got %s", want, record.Traceparent)
	}
}

// TestPublic checks that a client that is not a trusted proxy has no influence on the trace.
func TestPublic(t *testing.T) {
	span, _ := traced(t, request("192.0.2.1:4"))
	if span.SpanContext.TraceID().String() == parent[3:35] || span.Parent.IsValid() || len(span.Links) != 1 {
		t.Errorf("trace %v, parent %v, %d links", span.SpanContext.TraceID(), span.Parent, len(span.Links))
	}
	if text, _ := json.Marshal(span); strings.Contains(string(text), secret) {
		t.Errorf("the span holds input: %s", text)
	}
}

// deadCollector is an exporter whose collector doesn't respond until the test ends.
type deadCollector struct {
	sdk.SpanExporter
	ends chan struct{}
}

func (c deadCollector) ExportSpans(context.Context, []sdk.ReadOnlySpan) error {
	<-c.ends
	return nil
}

func (deadCollector) Shutdown(context.Context) error { return nil }

// TestStopWithDeadCollector checks that a stop doesn't wait for longer than lastFlush.
func TestStopWithDeadCollector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ends := make(chan struct{})
		defer close(ends)
		tracing := check.Value(start(deadCollector{ends: ends}, "1.0.0", nil))(t)
		_, span := tracing.provider.Tracer("").Start(t.Context(), "request")
		span.End()
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
		defer cancel()
		begin := time.Now()
		if err := tracing.Stop(ctx); err == nil || !time.Now().Equal(begin.Add(lastFlush)) {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
	})
}
