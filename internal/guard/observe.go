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

// Observe makes a record of each request and hands it to every observer. It
// gives each answer an X-Request-Id of its own; the client's is not taken
// over. It stands outermost and is what keeps a connection's requests and
// answers in order, see exchange: where the handler has written nothing, the
// connection is closed without an answer.
func Observe(observers ...func(context.Context, record.Record)) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id := rand.Text()
			w.Header()["X-Request-Id"] = []string{id}
			start := time.Now()
			x := &exchange{seat: seatOf(r)}
			ctx := newRequestContext(x, r)
			r = r.WithContext(ctx)
			x.begin(w, r)
			next.ServeHTTP(x, r)
			end := time.Now()
			if x.failed && ctx.code == "" {
				ctx.code = convert.ClientGone
			}
			made := record.Record{
				ID:       id,
				Method:   method(r.Method),
				Route:    chi.RouteContext(r.Context()).RoutePattern(),
				Status:   x.status,
				Code:     ctx.code,
				BytesIn:  max(0, r.ContentLength),
				BytesOut: x.bytes,
				End:      end,
				Duration: end.Sub(start),

				Traceparent: traceparent(r),
			}
			for _, observe := range observers {
				observe(r.Context(), made)
			}
			x.end()
		})
	}
}

// NoteGone tells the request's record that nobody is there to be answered. The
// handler returns without an answer.
func NoteGone(ctx context.Context) { NoteCode(ctx, convert.ClientGone) }

// NoteCode tells the request's record the problem code it was answered with.
func NoteCode(ctx context.Context, code string) {
	if noted, ok := ctx.Value(codeKey{}).(*string); ok {
		*noted = code
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

// method returns a standard method's name; any other is the client's own word
// and is not recorded.
func method(name string) string {
	switch name {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return name
	}
	return "other"
}
