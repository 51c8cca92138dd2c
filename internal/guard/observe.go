package guard

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/convertd/convertd/internal/convert"
)

// Record is what may be known of a request once it is answered. No field
// holds any of the input: the route is the pattern that matched, "" for none,
// never the path.
type Record struct {
	ID       string
	Method   string
	Route    string
	Status   int    // HTTP status, 0 when there was no answer
	Code     string // problem code, convert.ClientGone, MCP's protocol_error, "" for a success
	BytesIn  int64  // Content-Length, 0 when there is none
	BytesOut int
	End      time.Time // of the answer
	Duration time.Duration

	// Traceparent is the request's place in a trace (W3C Trace Context, section
	// 3.2): our span's where traces are sent, else the client's if it is well
	// formed, else "".
	Traceparent string
}

// Observe makes a record of each request and hands it to every observer. It
// gives each answer an X-Request-Id of its own; the client's is not taken
// over. It stands outermost and is what keeps a connection's requests and
// answers in order, see exchange: where the handler has written nothing, the
// connection is closed without an answer.
func Observe(observers ...func(context.Context, Record)) Middleware {
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
			record := Record{
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
				observe(r.Context(), record)
			}
			x.end()
		})
	}
}

// LogTo returns an observer that writes one line for each request.
func LogTo(log *slog.Logger) func(context.Context, Record) {
	return func(ctx context.Context, r Record) {
		level := slog.LevelInfo
		if r.Status >= http.StatusInternalServerError {
			level = slog.LevelError
		}
		if !log.Enabled(ctx, level) {
			return
		}
		// A record without the place in the source, which says nothing here
		// and costs a walk of the stack.
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
