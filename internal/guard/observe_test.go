package guard

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/record"
)

// secret is a placeholder for client input, which no log line may contain.
const secret = "ZqXw7Secret"

// observed returns a router that logs its requests: one route reads bodies, one fails.
func observed(log io.Writer) http.Handler {
	router := chi.NewRouter()
	router.Use(Observe(record.LogTo(slog.New(slog.NewJSONHandler(log, nil)))))
	router.Post("/tools/{name}", func(w http.ResponseWriter, r *http.Request) {
		hold := (*Memory)(nil).Hold(r)
		_, _ = Body{Limit: 100, Timeout: time.Minute}.Read(w, r, &hold)
		_, _ = w.Write([]byte("out"))
	})
	router.Post("/fault", func(w http.ResponseWriter, r *http.Request) {
		NoteCode(r.Context(), "internal_error")
		w.WriteHeader(http.StatusInternalServerError)
	})
	return router
}

// TestLogLine sends requests through Observe and reads the line of each.
// Rules: ANS-6, ANS-8.
func TestLogLine(t *testing.T) {
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	for name, test := range map[string]struct {
		method, path, body, traceparent string
		length                          int64 // 0 for the body's
		want                            map[string]any
	}{
		"a call": {http.MethodPost, "/tools/" + secret, "12345", parent, 0, map[string]any{
			"level": "INFO", "method": "POST", "route": "/tools/{name}", "status": 200.0, "code": "", "bytesIn": 5.0, "bytesOut": 3.0, "traceparent": parent,
		}},
		"a body in chunks": {http.MethodPost, "/tools/x", "12345", "", -1, map[string]any{
			"level": "INFO", "method": "POST", "route": "/tools/{name}", "status": 200.0, "code": "", "bytesIn": 5.0, "bytesOut": 3.0, "traceparent": "",
		}},
		"a body that was said to be longer": {http.MethodPost, "/tools/x", "12345", "", 50, map[string]any{
			"level": "INFO", "method": "POST", "route": "/tools/{name}", "status": 200.0, "code": "", "bytesIn": 5.0, "bytesOut": 3.0, "traceparent": "",
		}},
		"a length that nobody will send": {http.MethodPost, "/tools/x", "12345", "", 1 << 62, map[string]any{
			"level": "INFO", "method": "POST", "route": "/tools/{name}", "status": 200.0, "code": "", "bytesIn": 0.0, "bytesOut": 3.0, "traceparent": "",
		}},
		"a fault": {http.MethodPost, "/fault", "", "00-" + secret, 0, map[string]any{
			"level": "ERROR", "method": "POST", "route": "/fault", "status": 500.0, "code": "internal_error", "bytesIn": 0.0, "bytesOut": 0.0, "traceparent": "",
		}},
		"no route, no method": {secret, "/" + secret, "", "", 0, map[string]any{
			"level": "INFO", "method": "other", "route": "", "status": 405.0, "code": "", "bytesIn": 0.0, "bytesOut": 0.0, "traceparent": "",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			router := observed(&log)
			r := httptest.NewRequest(test.method, test.path, strings.NewReader(test.body))
			if test.length != 0 {
				r.ContentLength = test.length
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-Request-Id", secret)
			if test.traceparent != "" {
				r.Header.Set("Traceparent", test.traceparent)
			}
			w := httptest.NewRecorder()
			router.ServeHTTP(w, r)
			if strings.Contains(log.String(), secret) {
				t.Errorf("the line holds the client's words: %s", log.String())
			}
			var got map[string]any
			check.JSON(t, log.Bytes(), &got)
			id := w.Header().Get("X-Request-Id")
			if len(id) < 20 || got["id"] != id {
				t.Errorf("the response's id is %q, the line's %q", id, got["id"])
			}
			if got["duration"].(float64) < 0 || got["time"] == nil || got["msg"] != "request" {
				t.Errorf("time, duration or message: %s", log.String())
			}
			for _, member := range []string{"id", "time", "duration", "msg"} {
				delete(got, member)
			}
			check.Equal(t, test.want, got)
		})
	}
}

// unread is a ResponseWriter whose client goes away after the header.
type unread struct{ http.ResponseWriter }

func (unread) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestUnwrittenResponses checks that a response that could not be written is recorded
// as client_gone, unless it was an error.
// Rule: ANS-9.
func TestUnwrittenResponses(t *testing.T) {
	for code, want := range map[string]string{"": convert.ClientGone, "internal_error": "internal_error"} {
		var got record.Record
		handler := Observe(func(_ context.Context, r record.Record) { got = r })(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			NoteCode(r.Context(), code)
			_, _ = w.Write([]byte("out"))
		}))
		handler.ServeHTTP(unread{httptest.NewRecorder()}, httptest.NewRequest(http.MethodGet, "/", nil))
		if got.Code != want || got.BytesOut != 0 {
			t.Errorf("code %q: want %q, got %q, %d bytes", code, want, got.Code, got.BytesOut)
		}
	}
}
