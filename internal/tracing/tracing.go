// Package tracing sends OpenTelemetry traces of requests, one span each, to a collector with OTLP over HTTP.
// OpenTelemetry's own variables (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER, OTEL_SERVICE_NAME and so on) set the
// destination and the sampling. No span contains any of the input, nor a header, path or address of the client: this
// package alone sets attributes, and their values are from closed sets, are numbers, or are set by the service.
package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/convertd/convertd/internal/record"
)

// Tracing sends spans to the collector.
type Tracing struct {
	provider *sdk.TracerProvider
	proxies  []netip.Prefix
}

// Start prepares to send traces. A traceparent from one of the trusted proxies (CIDRs) continues its trace. From any
// other client it only becomes a link, because otherwise that client could decide what is sampled. Nothing is sent
// before the first request, and an unreachable collector loses spans, not requests.
func Start(ctx context.Context, version string, trustedProxies []netip.Prefix, log *slog.Logger) (*Tracing, error) {
	// The library's own message may contain the collector's URL and its user.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		log.Warn("sending traces failed", "type", fmt.Sprintf("%T", err))
	}))
	client, err := newClient()
	if err != nil {
		return nil, err
	}
	exporter, err := otlptrace.New(ctx, client)
	if err != nil {
		return nil, err
	}
	return start(exporter, version, trustedProxies)
}

func start(exporter sdk.SpanExporter, version string, trustedProxies []netip.Prefix) (*Tracing, error) {
	// The environment comes last, so OTEL_SERVICE_NAME wins.
	about, err := resource.New(context.Background(),
		resource.WithAttributes(attribute.String("service.name", "convertd"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(),
		resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	return &Tracing{provider: sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about)), proxies: trustedProxies}, nil
}

// Handler creates a span for each request that next handles.
func (t *Tracing) Handler(next http.Handler) http.Handler {
	tracer := t.provider.Tracer("github.com/convertd/convertd")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, options := r.Context(), []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer)}
		remote := traceparent{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
		if t.public(r) {
			options = append(options, trace.WithNewRoot())
			if from := trace.SpanContextFromContext(remote); from.IsValid() {
				options = append(options, trace.WithLinks(trace.Link{SpanContext: from}))
			}
		} else {
			ctx = remote
		}
		ctx, span := tracer.Start(ctx, "request", options...)
		defer func() { span.End() }() // deferred directly, End would record a panic's message
		if span.IsRecording() {
			scheme := "http"
			if r.TLS != nil {
				scheme = "https"
			}
			span.SetAttributes(
				attribute.String("network.protocol.version", fmt.Sprintf("%d.%d", r.ProtoMajor, r.ProtoMinor)),
				attribute.String("url.scheme", scheme))
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// public reports whether a request comes from the open internet.
func (t *Tracing) public(r *http.Request) bool {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	address, err := netip.ParseAddr(host)
	if err != nil {
		return true
	}
	return !slices.ContainsFunc(t.proxies, func(network netip.Prefix) bool { return network.Contains(address.Unmap()) })
}

// Observe completes the request's span with what is known after its response; it is an observer for guard.Observe.
func (t *Tracing) Observe(ctx context.Context, r record.Record) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	name, method := r.Method, r.Method
	if method == "other" {
		method = "_OTHER" // OpenTelemetry's name for it
	}
	if r.Route != "" {
		name += " " + r.Route
		span.SetAttributes(attribute.String("http.route", r.Route))
	}
	span.SetName(name)
	span.SetAttributes(
		attribute.String("http.request.method", method),
		attribute.Int64("http.request.body.size", r.BytesIn),
		attribute.Int("http.response.body.size", r.BytesOut),
		attribute.String("convertd.request_id", r.ID))
	if r.Status != 0 {
		span.SetAttributes(attribute.Int("http.response.status_code", r.Status))
	}
	if r.Code != "" {
		span.SetAttributes(attribute.String("convertd.code", r.Code))
	}
	if r.Status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
		span.SetAttributes(attribute.String("error.type", strconv.Itoa(r.Status)))
	}
}

// lastFlush is how long a stop waits for the collector: an unreachable one must
// not use up the time in which a supervisor expects the process to end.
const lastFlush = 2 * time.Second

// Stop sends the remaining spans, for at most lastFlush.
func (t *Tracing) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, lastFlush)
	defer cancel()
	return t.provider.Shutdown(ctx)
}

// traceparent reads W3C's traceparent and drops the tracestate, which is client input.
type traceparent struct{ propagation.TraceContext }

// Extract implements propagation.TextMapPropagator.
func (p traceparent) Extract(ctx context.Context, carrier propagation.TextMapCarrier) context.Context {
	ctx = p.TraceContext.Extract(ctx, carrier)
	return trace.ContextWithRemoteSpanContext(ctx, trace.SpanContextFromContext(ctx).WithTraceState(trace.TraceState{}))
}
