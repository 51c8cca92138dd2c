package guard

import (
	"context"
	"crypto/rand"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/record"
)

// Observe creates a record of each request and passes it to every observer. It sets a new X-Request-Id on each response
// and ignores the client's. It is the outermost middleware and keeps a connection's requests and responses in order,
// see exchange: if the handler has written nothing, Observe closes the connection without a response.
func Observe(observers ...func(context.Context, record.Record)) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start := time.Now()
			x := &exchange{ResponseWriter: w, conn: connOf(r)}
			id := rand.Text() // 130 bits from the system's random source
			SetHeader(x, "X-Request-Id", id)
			ctx := &x.context
			ctx.init(r, x.conn)
			ctx.id = id
			ctx.route = routes.Get().(*chi.Context)
			ctx.route.Reset()
			r = r.WithContext(ctx)
			x.begin(r)
			next.ServeHTTP(x, r)
			took := time.Since(start)
			if x.failed && ctx.code == "" {
				ctx.code = convert.ClientGone
			}
			made := record.Record{
				ID:       id,
				Method:   method(r.Method),
				Route:    ctx.route.RoutePattern(),
				Status:   x.status,
				Code:     ctx.code,
				BytesIn:  int64(ctx.bytes),
				BytesOut: x.bytes,
				End:      start.Add(took),
				Duration: took,

				Traceparent: traceparent(r),
			}
			for _, observe := range observers {
				observe(r.Context(), made)
			}
			routes.Put(ctx.route)
			x.end()
		})
	}
}

// traceparent returns Record's Traceparent.
func traceparent(r *http.Request) string {
	span := trace.SpanContextFromContext(r.Context())
	if !span.IsValid() && r.Header["Traceparent"] != nil {
		carrier := propagation.HeaderCarrier(r.Header)
		span = trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), carrier))
	}
	if !span.IsValid() {
		return ""
	}
	return "00-" + span.TraceID().String() + "-" + span.SpanID().String() + "-" + span.TraceFlags().String()
}

// method returns the name of a standard method. Any other name is the client's input and is not recorded.
func method(name string) string {
	switch name {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return name
	}
	return "other"
}
