package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/convertd/convertd/internal/server"
)

// serveCommand is convertd serve.
type serveCommand struct {
	Listen          string         `default:"127.0.0.1:8080" help:"Address and port to listen on."`
	BaseURL         string         `name:"base-url" placeholder:"URL" help:"Public address, used in links, such as https://example.com or https://example.com/tools; never taken from a request (default: http:// and the listener)."`
	AllowedHosts    []string       `placeholder:"HOST" help:"Host names to answer to, beside loopback names and the base URL's; * for all."`
	AllowedOrigins  []string       `placeholder:"ORIGIN" help:"Web origins whose pages may call, beside the service's own (and loopback ones while listening on loopback); * for all."`
	RateLimit       int            `default:"${rate}" help:"Requests a minute for each client address; 0 for no limit."`
	RedisURL        string         `name:"redis-url" placeholder:"URL" help:"Redis in which replicas share the rate limit, such as redis://127.0.0.1:6379/0; while it is gone each counts for itself."`
	MaxConnections  int            `default:"4096" help:"Connections that may be open at once, a sixteenth of them for one address; 0 for no bound."`
	TrustedProxies  []string       `placeholder:"CIDR" help:"Networks of proxies whose X-Forwarded-For is believed; none by default."`
	WorkSlots       int            `default:"${slots}" placeholder:"N" help:"Calls that run at once, large ones at most half of them (default: 2 for each processor that the memory suffices for)."`
	QueueWait       time.Duration  `default:"1s" help:"How long a call may wait for a work slot before it gets 503; a small one waits a quarter of it."`
	BodyTimeout     time.Duration  `default:"10s" help:"How long a request body may take to arrive before it gets 408."`
	ExecTimeout     time.Duration  `default:"${exec}" help:"How long one tool may run before the call gets 503."`
	Drain           *time.Duration `placeholder:"DURATION" help:"How long /readyz says 503 after SIGTERM while new connections are still served (default: 5s behind trusted proxies, else 0s); a second signal ends it."`
	ShutdownTimeout time.Duration  `default:"15s" help:"How long calls under way may finish after that."`
	AdminListen     string         `placeholder:"ADDRESS" help:"Address and port for operators: /metrics for Prometheus; off by default."`
	Traces          bool           `help:"Send OpenTelemetry traces by OTLP over HTTP, as the OTEL_ variables say (OTEL_EXPORTER_OTLP_ENDPOINT ...)."`
	LogFormat       string         `default:"json" enum:"json,text" help:"json or text."`
	LogLevel        slog.Level     `default:"info" help:"debug, info, warn or error."`
	Provider        string         `default:"convertd" help:"The provenance's provider: who runs this service."`
	SecurityContact string         `placeholder:"URI" help:"Where to report weaknesses, a mailto:, https: or tel: URI; given, /.well-known/security.txt is served."`
}

// Run serves until ctx ends.
func (c *serveCommand) Run(ctx context.Context, std streams) error {
	outliveReaders()
	tuneRuntime(c.WorkSlots)
	log, writer := c.logger(std.err)
	defer writer.Flush()
	slog.SetDefault(log)
	stop := server.Stop{Drain: c.drain(), Grace: c.ShutdownTimeout, Hurry: nextSignal(ctx)}
	if err := stop.Check(); err != nil {
		return err
	}
	listener, s, err := c.open(log)
	if err != nil {
		return err
	}
	s.CountDropped(writer.Dropped)
	var admin net.Listener
	if c.AdminListen != "" {
		if admin, err = net.Listen("tcp", c.AdminListen); err != nil {
			return fmt.Errorf("--admin-listen: %w", err)
		}
		log.Info("listening for operators", "address", admin.Addr().String())
	}
	log.Info("listening", "address", listener.Addr().String(), "version", version)
	return s.Serve(ctx, listener, admin, stop)
}

// drainBehindProxy is how long the service goes on serving after SIGTERM when
// proxies stand in front of it: longer than they take to see that it stops
// (two checks a second apart in deploy/haproxy, two of two seconds in
// deploy/kubernetes).
const drainBehindProxy = 5 * time.Second

// drain is what --drain says, or what follows from the other flags.
func (c *serveCommand) drain() time.Duration {
	switch {
	case c.Drain != nil:
		return *c.Drain
	case len(c.TrustedProxies) > 0:
		return drainBehindProxy
	}
	return 0
}

// nextSignal gives the first SIGINT or SIGTERM after the one that ended ctx.
func nextSignal(ctx context.Context) <-chan os.Signal {
	signals := make(chan os.Signal, 1)
	context.AfterFunc(ctx, func() { signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM) })
	return signals
}

// open puts the server together and binds its address. With port 0 the base
// URL follows from the port that the system chose.
func (c *serveCommand) open(log *slog.Logger) (net.Listener, *server.Server, error) {
	config := server.Config{
		Listen:          c.Listen,
		BaseURL:         c.BaseURL,
		AllowedHosts:    c.AllowedHosts,
		AllowedOrigins:  c.AllowedOrigins,
		RateLimit:       c.RateLimit,
		RedisURL:        c.RedisURL,
		MaxConnections:  c.MaxConnections,
		TrustedProxies:  c.TrustedProxies,
		Traces:          c.Traces,
		WorkSlots:       c.WorkSlots,
		QueueWait:       c.QueueWait,
		BodyTimeout:     c.BodyTimeout,
		ExecTimeout:     c.ExecTimeout,
		Provider:        c.Provider,
		SecurityContact: c.SecurityContact,
		Version:         version,
	}
	if err := config.Check(); err != nil {
		return nil, nil, err
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return nil, nil, fmt.Errorf("--listen: %w", err)
	}
	config.Listen = listener.Addr().String()
	s, err := server.New(config, log)
	return listener, s, err
}
