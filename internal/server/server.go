package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/engine"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/mcp"
	"github.com/convertd/convertd/internal/metrics"
	"github.com/convertd/convertd/internal/record"
	"github.com/convertd/convertd/internal/rest"
	"github.com/convertd/convertd/internal/tools"
	"github.com/convertd/convertd/internal/tracing"
	"github.com/convertd/convertd/internal/web"
)

// Server is the service, ready to listen.
type Server struct {
	config   Config
	base     *url.URL // the public URL
	log      *slog.Logger
	hosts    []string // accepted Host names
	handler  http.Handler
	metrics  *metrics.Metrics
	shared   *guard.Shared    // nil without Redis
	tracing  *tracing.Tracing // nil without traces
	memory   memory
	held     *guard.Memory // by requests that depend on their clients
	stopping atomic.Bool
}

// New assembles a server. A *ConfigError names a flag with an invalid value.
func New(config Config, log *slog.Logger) (*Server, error) {
	return assemble(config, log, tools.All())
}

// assemble is New with another list of tools, for tests that need one that panics or never ends.
func assemble(config Config, log *slog.Logger, list []convert.Tool) (*Server, error) {
	base, err := config.complete()
	if err != nil {
		return nil, err
	}
	c, err := contract.Load()
	if err != nil {
		return nil, err
	}
	s := &Server{config: config, base: base, log: log, hosts: append(config.AllowedHosts, base.Host), metrics: metrics.New(c.ToolNames())}
	e, err := engine.New(c, list, engine.Config{
		BaseURL:     config.BaseURL,
		Provider:    config.Provider,
		Version:     config.Version,
		ExecTimeout: config.ExecTimeout,
		WorkSlots:   config.WorkSlots,
		QueueWait:   config.QueueWait,
		Log:         guard.WithID(log),
		Observe:     s.metrics.ObserveTool,
	})
	if err != nil {
		return nil, err
	}
	s.metrics.WorkSlots(config.WorkSlots, e.Busy)
	quota, err := s.quota()
	if err != nil {
		return nil, err
	}
	if config.Traces {
		if s.tracing, err = tracing.Start(context.Background(), config.Version, config.proxies, log); err != nil {
			return nil, &ConfigError{"traces", "an OpenTelemetry variable (OTEL_…) has an invalid value"}
		}
	}
	s.held = guard.NewMemory(room(debug.SetMemoryLimit(-1), config.WorkSlots))
	body := guard.Body{
		Limit:   c.Limits().RequestBytes,
		Timeout: config.BodyTimeout,
		Memory:  s.held,
		Admit:   e.Admit,
	}
	api := rest.API{Contract: c, Engine: e, BaseURL: config.BaseURL, Root: base.Path, Body: body}
	agents, err := mcp.New(c, e, mcp.Config{BaseURL: config.BaseURL, Version: config.Version, RateLimit: config.RateLimit, Log: guard.WithID(log)})
	if err != nil {
		return nil, err
	}
	discovery, err := agents.Discovery()
	if err != nil {
		return nil, err
	}
	s.handler, err = s.mount(s.routes(doors{api, agents, discovery, newSite(c, config, base.Path), web.Describe(base.String(), base.Path)}, quota))
	return s, err
}

// newSite returns the pages.
func newSite(c *contract.Contract, config Config, root string) *web.Site {
	return web.New(web.Config{
		Contract:        c,
		BaseURL:         config.BaseURL,
		Root:            root,
		Version:         config.Version,
		Provider:        config.Provider,
		RateLimit:       config.RateLimit,
		SecurityContact: config.SecurityContact,
	})
}

// mount puts the routes below the base URL's path, if it has one.
func (s *Server) mount(routes *chi.Mux) (http.Handler, error) {
	first := func(path string) string { return strings.SplitN(path+"/", "/", 3)[1] }
	err := chi.Walk(routes, func(_, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if segment := first(route); segment != "" && segment == first(s.base.Path) {
			return &ConfigError{"base-url", "must not have a path that begins with /" + segment + ", a route of the service: the service could not know whether a proxy has removed it"}
		}
		return nil
	})
	// Observe creates the one request context that everything after it uses, chi too.
	handler := guard.Observe(s.observers()...)(guard.Below(s.base.Path)(routes))
	if s.tracing != nil {
		handler = s.tracing.Handler(handler)
	}
	return handler, err
}

// doors are the handlers that the guards protect.
type doors struct {
	api       rest.API
	agents    *mcp.Server
	discovery map[string]mcp.Document // documents about the MCP endpoint, by path
	site      *web.Site
	described web.Description
}

// CountDropped adds the number of dropped log lines to the metrics, for a log
// that may drop some. It is called once, before Serve.
func (s *Server) CountDropped(lines func() uint64) { s.metrics.Log(lines) }

// quota returns the rate limit, shared through Redis if configured.
func (s *Server) quota() (*guard.Quota, error) {
	if s.config.RedisURL != "" && s.config.RateLimit > 0 {
		shared, err := guard.NewShared(s.config.RedisURL, s.config.RateLimit, s.log)
		if err != nil {
			return nil, &ConfigError{"redis-url", err.Error()}
		}
		s.shared = shared
		s.metrics.SharedQuota(shared.Up, shared.Fallbacks)
	}
	return guard.NewQuota(s.config.RateLimit, s.shared)
}

// routes mounts everything, in the order in which a request passes it.
func (s *Server) routes(d doors, quota *guard.Quota) *chi.Mux {
	// Both front doors have the same guards, but each has its own format for a rejection.
	refuse := func(w http.ResponseWriter, r *http.Request, f *convert.Failure) {
		if under(r.URL.Path, "/mcp") {
			d.agents.Reject(w, r, f)
		} else {
			d.api.Reject(w, r, f)
		}
	}
	origins := guard.NewOrigins(append(s.config.AllowedOrigins, s.base.Scheme+"://"+s.base.Host), s.config.onLoopback())
	root := chi.NewRouter()
	root.NotFound(d.site.NotFound(d.api.NotFound))
	agents := d.agents.HTTP(d.api.Body)
	notAllowed := d.api.MethodNotAllowed(root)
	root.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/mcp" { // its own method check: other methods are routed there
			agents.ServeHTTP(w, r)
		} else {
			notAllowed(w, r)
		}
	})
	root.Use(
		guard.Recover(guard.WithID(s.log), refuse),
		guard.Framing(refuse),
		unless(isHealth, guard.Hosts(s.hosts, refuse)),
		// These come before the routes, so that unknown routes and methods count towards the quota too.
		unless(isPage,
			origins.Check(refuse),
			origins.CORS(),
			quota.Limit(s.config.proxies, refuse)),
	)
	get(root, "/healthz", http.HandlerFunc(healthy))
	get(root, "/readyz", http.HandlerFunc(s.ready))
	get(root, "/v1/openapi.yaml", d.described.YAML)
	get(root, "/v1/openapi.json", d.described.JSON)
	d.site.Routes(root)
	d.api.Routes(root)
	root.Handle("/mcp", agents)
	for path, document := range d.discovery {
		get(root, path, web.Published(document.MediaType, document.Body))
	}
	return root
}

// observers are called with the record of every request after its response.
func (s *Server) observers() []func(context.Context, record.Record) {
	all := []func(context.Context, record.Record){record.LogTo(s.log), s.metrics.Observe, s.memory.observe}
	if s.tracing != nil {
		all = append(all, s.tracing.Observe)
	}
	return all
}

// get mounts a handler for GET and HEAD.
func get(router chi.Router, path string, handler http.Handler) {
	router.Method(http.MethodGet, path, handler)
	router.Method(http.MethodHead, path, handler)
}

// unless applies middleware to the requests whose path is not excepted.
func unless(excepted func(path string) bool, middleware ...guard.Middleware) guard.Middleware {
	return func(next http.Handler) http.Handler {
		guarded := chi.Chain(middleware...).Handler(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if excepted(r.URL.Path) {
				next.ServeHTTP(w, r)
			} else {
				guarded.ServeHTTP(w, r)
			}
		})
	}
}

// isHealth reports whether path is a health check, which probes may request under any host name.
func isHealth(path string) bool { return path == "/healthz" || path == "/readyz" }

// isPage reports whether a request for path is not a call: everything outside /v1 and /mcp, plus the OpenAPI documents
// and the server card, which every origin may read.
func isPage(path string) bool {
	switch path {
	case "/v1/openapi.yaml", "/v1/openapi.json", "/mcp/server-card":
		return true
	}
	return !under(path, "/v1") && !under(path, "/mcp")
}

func under(path, root string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}

func healthy(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte("ok\n"))
}

// ready lets load balancers check whether to send requests: it returns 503 while the server stops.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if s.stopping.Load() {
		w.Header().Set("Connection", "close") // as parting does, which may have looked before the stop began
		http.Error(w, "stopping", http.StatusServiceUnavailable)
		return
	}
	healthy(w, r)
}

// Handler returns the whole service as one handler.
func (s *Server) Handler() http.Handler { return s.handler }

// admin returns the handler for operators, on its own listener.
func (s *Server) admin() http.Handler {
	mux := http.NewServeMux()
	metrics := s.metrics.Handler()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		metrics.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /healthz", healthy)
	mux.HandleFunc("GET /readyz", s.ready)
	return unless(isHealth, guard.AdminHosts(s.hosts, func(w http.ResponseWriter, _ *http.Request, f *convert.Failure) {
		http.Error(w, f.Detail+" "+f.Hint, http.StatusForbidden)
	}))(mux)
}

// How long a client may take for everything but its body, and how long a connection may be idle.
const (
	headerTimeout = 10 * time.Second
	writeTimeout  = 30 * time.Second // from the header's end to the response's; see Server.writeTimeout
	idleTimeout   = 120 * time.Second
	headerBytes   = 8 << 10 // and 4 KiB, which net/http adds; in memory, that many short lines are 20 times as large
)

// Serve serves requests on listener, and operators on admin unless it is nil,
// until ctx ends. Then it stops as stopping specifies.
func (s *Server) Serve(ctx context.Context, listener, admin net.Listener, stopping Stop) error {
	connections := guard.LimitConnections(listener, s.config.MaxConnections, s.config.RateLimit > 0, s.config.proxies)
	connections.Memory = s.held
	if s.config.MemoryLimit != nil {
		connections.Resized = func(n int) { debug.SetMemoryLimit(s.config.MemoryLimit(n)) }
	}
	servers := []*http.Server{s.server(s.handler)}
	failed := make(chan error, 2)
	ctx, end := context.WithCancel(ctx)
	defer end()
	debug.FreeOSMemory() // what loading the document has left
	go s.memory.releaseUnused(ctx)
	go func() { failed <- servers[0].Serve(connections) }()
	all := []*guard.Connections{connections}
	if admin != nil {
		operators := guard.LimitConnections(admin, 0, false, nil)
		all = append(all, operators)
		servers = append(servers, s.server(guard.Observe()(s.admin())))
		go func() { failed <- servers[1].Serve(operators) }()
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.drain(stopping)
	stop, cancel := context.WithTimeout(context.Background(), stopping.Grace)
	defer cancel()
	defer hurry(all, stopping.Grace)()
	var err error
	for _, server := range servers { // the admin server last, so that operators can watch the stop
		err = errors.Join(err, server.Shutdown(stop))
	}
	if s.shared != nil {
		err = errors.Join(err, s.shared.Close())
	}
	if s.tracing != nil && s.tracing.Stop(stop) != nil {
		s.log.Warn("could not send the last traces")
	}
	return err
}

// writeTimeout returns the constant of that name or, if the settings allow a
// request more, what they allow and half of the constant for sending the response.
func (s *Server) writeTimeout() time.Duration {
	c := s.config
	return max(writeTimeout, c.BodyTimeout+c.QueueWait+c.ExecTimeout+writeTimeout/2)
}

func (s *Server) server(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           s.parting(handler),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       headerTimeout, // Body sets its own when it reads, see guard.Body
		ConnContext:       guard.ConnContext,
		ConnState:         guard.ConnState,
		WriteTimeout:      s.writeTimeout(),
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		// OPTIONS * passes the same guards as every other request.
		DisableGeneralOptionsHandler: true,
	}
}
