package server

import (
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/convertd/convertd/internal/guard"
)

// Stop is how a server stops.
type Stop struct {
	// Drain is how long the server then continues as usual, except that /readyz returns 503 and every response asks the
	// client to close its connection: long enough for load balancers to stop sending requests and for clients to close
	// persistent connections between two requests. If the server closed an idle connection, it could hit a request that
	// is just arriving.
	Drain time.Duration
	// Grace is how long requests under way may take after that, while no new connections are accepted.
	Grace time.Duration
	// Hurry ends the drain.
	Hurry <-chan os.Signal
}

// Check rejects invalid values with a *ConfigError.
func (s Stop) Check() error {
	for flag, value := range map[string]time.Duration{"drain": s.Drain, "shutdown-timeout": s.Grace} {
		if value < 0 || value > time.Hour {
			return &ConfigError{flag, fmt.Sprintf("must be a duration from %v to 1h, such as 5s or 500ms", time.Duration(0))}
		}
	}
	return nil
}

// drain waits until the drain is over.
func (s *Server) drain(stopping Stop) {
	s.log.Info("stopping", "drain", stopping.Drain.String(), "grace", stopping.Grace.String())
	s.stopping.Store(true)
	if stopping.Drain == 0 {
		return
	}
	over := time.NewTimer(stopping.Drain)
	defer over.Stop()
	select {
	case <-over.C:
	case <-stopping.Hurry:
	}
}

// parting makes each response ask the client to close its connection while the server stops.
// http.Server.SetKeepAlivesEnabled does this too, but closes idle connections at once.
func (s *Server) parting(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.stopping.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// hurry closes the connections that wait for their clients after half of grace. The other half is for requests that the
// server is working on. The returned function cancels it.
func hurry(all []*guard.Connections, grace time.Duration) (stop func() bool) {
	return time.AfterFunc(grace/2, func() {
		for _, connections := range all {
			connections.CloseWaiting()
		}
	}).Stop
}
