package server

import (
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/convertd/convertd/internal/guard"
)

// Stop is how a server stops once it is told to.
type Stop struct {
	// Drain is how long it then serves on as if nothing had happened, except
	// that /readyz says 503 and every answer asks to close its connection: long
	// enough for load balancers to send no more calls and for clients that keep
	// connections to leave them between two calls. A connection closed by this
	// side while it is idle may be one on which a call is just under way.
	Drain time.Duration
	// Grace is how long calls under way may take after that, when nobody can
	// connect any more.
	Grace time.Duration
	// Hurry ends the drain.
	Hurry <-chan os.Signal
}

// Check refuses values that make no sense, with a *ConfigError.
func (s Stop) Check() error {
	for flag, value := range map[string]time.Duration{"drain": s.Drain, "shutdown-timeout": s.Grace} {
		if value < 0 || value > time.Hour {
			return &ConfigError{flag, fmt.Sprintf("must be a duration from %v to 1h, such as 5s or 500ms", time.Duration(0))}
		}
	}
	return nil
}

// drain waits until the drain is over.
func (s *Server) drain(how Stop) {
	s.log.Info("stopping", "drain", how.Drain.String(), "grace", how.Grace.String())
	s.stopping.Store(true)
	if how.Drain == 0 {
		return
	}
	over := time.NewTimer(how.Drain)
	defer over.Stop()
	select {
	case <-over.C:
	case <-how.Hurry:
	}
}

// parting asks clients to close their connection with each answer while the
// server stops. http.Server.SetKeepAlivesEnabled does so too, but closes idle
// connections at once.
func (s *Server) parting(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.stopping.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// hurry closes, once half of the grace is over, the connections that wait for
// their clients: the other half is for the calls that the server is at. What it
// returns keeps it from doing so.
func hurry(all []*guard.Connections, grace time.Duration) (stop func() bool) {
	return time.AfterFunc(grace/2, func() {
		for _, connections := range all {
			connections.CloseWaiting()
		}
	}).Stop
}
