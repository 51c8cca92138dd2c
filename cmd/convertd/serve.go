package main

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/server"
)

// serveCommand holds the flags of convertd serve.
type serveCommand struct {
	server.Config
	Drain           time.Duration // unlessSet: it follows from the other flags
	ShutdownTimeout time.Duration
	LogFormat       string
	LogLevel        slog.Level
}

// unlessSet is the value of a flag whose default depends on something else.
const unlessSet = math.MinInt

func newServe(p *commandLine) *cobra.Command {
	c := &serveCommand{Config: server.Config{Version: version}}
	command := p.command("serve", "Run the service over HTTP.", "", func(ctx context.Context, _ []string) error { return c.run(ctx, p.std) })
	f := flags{command.Flags(), command}
	f.StringVar(&c.Listen, "listen", "127.0.0.1:8080", "`ADDRESS` and port to listen on.")
	f.StringVar(&c.BaseURL, "base-url", "", "Public `URL`, used in links, such as https://example.com or https://example.com/tools; never taken from a request (default: http:// and the address of --listen).")
	f.list(&c.AllowedHosts, "allowed-hosts", "Host names (`HOST,...`) to accept, besides loopback names and the base URL's; * for all.")
	f.list(&c.AllowedOrigins, "allowed-origins", "Web origins (`ORIGIN,...`) whose pages may send requests, besides the service's own (and loopback ones while listening on loopback); * for all.")
	f.IntVar(&c.RateLimit, "rate-limit", p.contract.Limits().RequestsPerMinute, "Requests a minute for each client (IPv4 address or IPv6 /64); 0 is unlimited.")
	f.StringVar(&c.RedisURL, "redis-url", "", "`URL` of a Redis in which replicas share the rate limit, such as redis://127.0.0.1:6379/0; while it is unavailable, each replica counts on its own.")
	f.IntVar(&c.MaxConnections, "max-connections", 4096, "Limit of open connections, a sixteenth of them for one address; 0 is unlimited.")
	f.list(&c.TrustedProxies, "trusted-proxies", "Networks (`CIDR,...`) of proxies whose X-Forwarded-For is trusted; none by default.")
	f.IntVar(&c.WorkSlots, "work-slots", unlessSet, "Maximum concurrent conversions; at most half may be large (default: 2 for each processor, if there is enough memory).")
	f.DurationVar(&c.QueueWait, "queue-wait", time.Second, "How long a request may wait for a work slot before it gets 503; 0s rejects at once what cannot run.")
	f.DurationVar(&c.BodyTimeout, "body-timeout", 10*time.Second, "How long a request body may take to arrive before it gets 408.")
	f.DurationVar(&c.ExecTimeout, "exec-timeout", cli.ExecTimeout, "How long one tool may run before the request gets 503.")
	f.DurationVar(&c.Drain, "drain", unlessSet, "How long /readyz returns 503 after SIGTERM while new connections are still served (default: 5s behind trusted proxies, else 0s); a second signal ends it.")
	f.DurationVar(&c.ShutdownTimeout, "shutdown-timeout", 15*time.Second, "How long running requests may take to finish after the drain.")
	f.StringVar(&c.AdminListen, "admin-listen", "", "`ADDRESS` and port for operators, with /metrics for Prometheus; off by default.")
	f.BoolVar(&c.Traces, "traces", false, "Send OpenTelemetry traces by OTLP over HTTP, configured by the OTEL_ variables (OTEL_EXPORTER_OTLP_ENDPOINT …).")
	f.choice(&c.LogFormat, "log-format", "The log's `FORMAT`, json or text.", "json", "text")
	f.TextVar(&c.LogLevel, "log-level", slog.LevelInfo, "The log's `LEVEL`: debug, info, warn or error.")
	f.StringVar(&c.Provider, "provider", "convertd", "The `NAME` of the provider in each response's provenance: who runs this service.")
	f.StringVar(&c.SecurityContact, "security-contact", "", "Where to report vulnerabilities: a `URI` with mailto:, https: or tel:, served at /.well-known/security.txt.")
	f.hideDefaults("work-slots", "drain")
	f.fromEnvironment()
	return command
}

// run serves until ctx ends.
func (c *serveCommand) run(ctx context.Context, std streams) error {
	if c.WorkSlots == unlessSet {
		c.WorkSlots = defaultSlots()
	}
	ignoreSIGPIPE()
	c.MemoryLimit = tuneRuntime(c.WorkSlots)
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
		if admin, err = guard.Listen(c.AdminListen); err != nil {
			return fmt.Errorf("--admin-listen: %w", err)
		}
		log.Info("listening for operators", "address", admin.Addr().String())
	}
	log.Info("listening", "address", listener.Addr().String(), "version", version)
	return s.Serve(ctx, listener, admin, stop)
}

// drainBehindProxy is how long the service keeps serving after SIGTERM when it has trusted proxies: longer than they
// take to notice that it stops (two checks a second apart in deploy/haproxy, two of two seconds in deploy/kubernetes).
const drainBehindProxy = 5 * time.Second

// drain returns --drain, or its default.
func (c *serveCommand) drain() time.Duration {
	switch {
	case c.Drain != unlessSet:
		return c.Drain
	case len(c.TrustedProxies) > 0:
		return drainBehindProxy
	}
	return 0
}

// nextSignal returns the first signal that ends a command after the one that ended ctx.
func nextSignal(ctx context.Context) <-chan os.Signal {
	signals := make(chan os.Signal, 1)
	context.AfterFunc(ctx, func() { signal.Notify(signals, stopSignals(false)...) })
	return signals
}

// open listens and creates the server. With port 0, the base URL has the port that the system chose.
func (c *serveCommand) open(log *slog.Logger) (net.Listener, *server.Server, error) {
	if err := c.Check(); err != nil {
		return nil, nil, err
	}
	listener, err := guard.Listen(c.Listen)
	if err != nil {
		return nil, nil, fmt.Errorf("--listen: %w", err)
	}
	c.Listen = listener.Addr().String()
	s, err := server.New(c.Config, log)
	return listener, s, err
}
