// Package metrics counts what the service does, for Prometheus. It reads guard's
// records, which contain no input. Every label has a small, closed set of values.
package metrics

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/convertd/convertd/internal/record"
)

// Metrics is the service's set of metrics.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	in, out  *prometheus.CounterVec

	calls *prometheus.CounterVec
	tools map[string]tool // by name; read-only after New

	outcomes sync.Map // *outcome by outcomeOf
}

// outcomeOf is the key of an outcome.
type outcomeOf struct {
	route, code string
	status      int
}

// outcome holds the metrics of requests with one outcome. They are looked up when
// the first such request arrives, because the lookup costs more than counting.
type outcome struct {
	requests, in, out prometheus.Counter
	seconds           prometheus.Observer
}

// tool holds the metrics of one tool, looked up in advance because the lookup costs more than counting.
type tool struct {
	succeeded prometheus.Counter
	seconds   prometheus.Observer
}

// New returns the metrics of a service with these tools.
func New(tools []string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: counters("convertd_requests_total", "Responses, by route, HTTP status and problem code.", "route", "status", "code"),
		seconds: histograms("convertd_request_seconds", "Time from the request's header to the end of the response.",
			"route", .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10),
		in:  counters("convertd_request_bytes_total", "Bytes of request bodies that were read.", "route"),
		out: counters("convertd_response_bytes_total", "Bytes of response bodies.", "route"),
		calls: counters("convertd_tool_calls_total",
			"Tool calls, over REST, over MCP or as a step of a pipeline, by problem code.", "tool", "code"),
		tools: make(map[string]tool, len(tools)),
	}
	seconds := histograms("convertd_tool_seconds",
		"Time that a tool took, without reading the request, waiting and writing the response.",
		"tool", .00001, .00005, .0001, .0005, .001, .005, .01, .05, .1, .25, .5, 1, 2)
	for _, name := range tools {
		m.tools[name] = tool{m.calls.WithLabelValues(name, ""), seconds.WithLabelValues(name)}
	}
	m.registry.MustRegister(m.requests, m.seconds, m.in, m.out, m.calls, seconds,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

func histograms(name, help, label string, buckets ...float64) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, []string{label})
}

// gauge adds a value that is read when the metrics are.
func (m *Metrics) gauge(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// counter is gauge for a value that only grows.
func (m *Metrics) counter(name, help string, value func() uint64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help},
		func() float64 { return float64(value()) }))
}

// WorkSlots adds the number of work slots, and how many are taken.
func (m *Metrics) WorkSlots(slots int, busy func() int) {
	m.gauge("convertd_work_slots_busy", "Calls that are running.", func() float64 { return float64(busy()) })
	m.gauge("convertd_work_slots", "Calls that can run at the same time.", func() float64 { return float64(slots) })
}

// Log adds the number of dropped log lines.
func (m *Metrics) Log(dropped func() uint64) {
	m.counter("convertd_log_lines_dropped_total",
		"Log lines that were dropped because they could not be written fast enough or at all.", dropped)
}

// SharedQuota adds the state of a rate limit that replicas share: whether it is in use, and how many requests were
// counted without it.
func (m *Metrics) SharedQuota(up func() bool, fallbacks func() uint64) {
	m.gauge("convertd_shared_quota_up", "1 if requests are counted in Redis, 0 if this replica counts on its own.",
		func() float64 {
			if up() {
				return 1
			}
			return 0
		})
	m.counter("convertd_shared_quota_fallbacks_total",
		"Requests that this replica counted on its own because Redis was slow or unreachable.", fallbacks)
}

// Observe counts one request; it is an observer for guard.Observe.
func (m *Metrics) Observe(_ context.Context, r record.Record) {
	key := outcomeOf{r.Route, r.Code, r.Status}
	found, ok := m.outcomes.Load(key)
	if !ok {
		found, _ = m.outcomes.LoadOrStore(key, m.find(key))
	}
	o := found.(*outcome)
	o.requests.Inc()
	o.seconds.Observe(r.Duration.Seconds())
	o.in.Add(float64(r.BytesIn))
	o.out.Add(float64(r.BytesOut))
}

func (m *Metrics) find(key outcomeOf) *outcome {
	route := key.route
	if route == "" {
		route = "none"
	}
	return &outcome{
		requests: m.requests.WithLabelValues(route, strconv.Itoa(key.status), key.code),
		in:       m.in.WithLabelValues(route),
		out:      m.out.WithLabelValues(route),
		seconds:  m.seconds.WithLabelValues(route),
	}
}

// ObserveTool counts one run of a tool, one of New's; it is an observer for the engine.
func (m *Metrics) ObserveTool(name, code string, took time.Duration) {
	tool := m.tools[name]
	tool.seconds.Observe(took.Seconds())
	if code == "" {
		tool.succeeded.Inc()
	} else {
		m.calls.WithLabelValues(name, code).Inc()
	}
}

// Handler serves the metrics in Prometheus's text format.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
