package main

import (
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/record"
)

// serveBare is the baseline of an ordinary Go service: it decodes and re-encodes
// the envelope with encoding/json and does nothing else.
func serveBare(port string) error {
	return http.ListenAndServe(net.JoinHostPort("127.0.0.1", port), http.HandlerFunc(bare))
}

// serveGuarded is the baseline of this service: the bare handler after the guards
// that every request passes, including the log line and the time limits.
func serveGuarded(port string) error {
	log := slog.New(slog.NewJSONHandler(io.Discard, nil))
	refuse := func(w http.ResponseWriter, _ *http.Request, _ *convert.Failure) { w.WriteHeader(http.StatusForbidden) }
	origins := guard.NewOrigins(nil, true)
	handler := http.Handler(http.HandlerFunc(bare))
	for _, middleware := range []guard.Middleware{
		origins.CORS(), origins.Check(refuse), guard.Hosts(nil, refuse), guard.Recover(log, refuse), guard.Observe(record.LogTo(log)),
	} {
		handler = middleware(handler)
	}
	router := chi.NewRouter()
	router.Handle("/*", handler)
	server := &http.Server{
		Addr:              net.JoinHostPort("127.0.0.1", port),
		Handler:           router,
		ReadHeaderTimeout: 10 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       120 * time.Second,
	}
	return server.ListenAndServe()
}

func bare(w http.ResponseWriter, r *http.Request) {
	type artifact struct {
		MediaType string `json:"mediaType"`
		Value     string `json:"value"`
	}
	var request struct {
		Input   artifact       `json:"input"`
		Options map[string]any `json:"options"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, "bad", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"output": request.Input, "warnings": []string{}})
}
