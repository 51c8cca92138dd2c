package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/mcp"
)

// counted are the expected metrics after the requests of TestMetrics.
var counted = []string{
	`convertd_requests_total{code="",route="/v1/tools/json_format",status="200"} 1`,
	`convertd_requests_total{code="malformed_json",route="/v1/tools/json_format",status="400"} 1`,
	`convertd_requests_total{code="unknown_route",route="none",status="404"} 1`,
	`convertd_requests_total{code="internal_error",route="/v1/tools/timestamp_to_iso",status="500"} 1`,
	`convertd_requests_total{code="client_gone",route="/v1/tools/jwt_decode",status="0"} 1`,
	`convertd_requests_total{code="",route="/mcp",status="200"} 3`,
	`convertd_requests_total{code="invalid_jwt",route="/mcp",status="200"} 3`,
	`convertd_requests_total{code="protocol_error",route="/mcp",status="200"} 2`,
	`convertd_requests_total{code="protocol_error",route="/mcp",status="400"} 1`,
	`convertd_request_seconds_count{route="/v1/tools/json_format"} 4`,
	`convertd_tool_calls_total{code="",tool="json_format"} 2`,
	`convertd_tool_calls_total{code="invalid_json",tool="json_format"} 2`,
	`convertd_tool_calls_total{code="internal_error",tool="timestamp_to_iso"} 1`,
	`convertd_tool_calls_total{code="",tool="json_to_yaml"} 1`,
	`convertd_tool_calls_total{code="",tool="jwt_decode"} 3`,
	`convertd_tool_calls_total{code="invalid_jwt",tool="jwt_decode"} 3`,
	`convertd_tool_calls_total{code="client_gone",tool="jwt_decode"} 1`,
	`convertd_tool_calls_total{code="",tool="api_convert"} 0`,
	`convertd_tool_seconds_count{tool="json_format"} 4`,
	`convertd_tool_seconds_count{tool="jwt_decode"} 7`,
	"convertd_work_slots_busy 0",
	"convertd_work_slots 4",
	"convertd_log_lines_dropped_total 7",
}

// TestMetrics checks that each request and each run of a tool is counted once,
// through either front door, and that nothing of its input is.

func TestMetrics(t *testing.T) {
	s, err := assemble(defaults(), slog.New(slog.DiscardHandler), replaced("timestamp_to_iso", func(context.Context, convert.Input) (convert.Result, error) {
		panic(secret)
	}))
	check.OK(t, err)
	s.CountDropped(func() uint64 { return 7 })
	send := func(r *http.Request) {
		r.Header.Set("Content-Type", "application/json")
		s.Handler().ServeHTTP(httptest.NewRecorder(), r)
	}
	post := func(path, body string) *http.Request {
		return httptest.NewRequest(http.MethodPost, "http://127.0.0.1"+path, strings.NewReader(body))
	}
	rest := func(path, body string) { send(post(path, body)) }
	rest("/v1/tools/json_format", toolBody("application/json", "[1]", ""))
	rest("/v1/tools/json_format", "{"+secret)
	rest("/v1/tools/json_format", toolBody("application/json", "["+secret, ""))
	rest("/v1/tools/json_format", toolBody(secret, "1", ""))
	rest("/v1/tools/timestamp_to_iso", toolBody("text/plain", secret, ""))
	rest("/v1/pipeline", pipelineBody(`{"id":"a","tool":"json_format"},{"id":"b","tool":"json_to_yaml"}`, `"version":1`))
	rest("/v1/pipeline", `{"version":1,"input":{"mediaType":"application/json","value":"[1,"},"steps":[{"id":"a","tool":"json_format"},{"id":"b","tool":"json_to_yaml"}]}`)
	send(httptest.NewRequest(http.MethodGet, "http://127.0.0.1/v1/"+secret, nil))

	jwt := toolBody("application/jwt", "eyJhbGciOiJub25lIn0.e30.", "")
	for _, version := range mcp.Revisions {
		for _, call := range []agentRequest{agentCall(version, "jwt_decode", jwt), agentCall(version, "jwt_decode", strings.Replace(jwt, "e30", secret, 1)), agentCall(version, secret, jwt)} {
			r := post("/mcp", call.body)
			for i := 0; i < len(call.headers); i += 2 {
				r.Header.Set(call.headers[i], call.headers[i+1])
			}
			send(r)
		}
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	func() {
		defer func() {
			if p := recover(); p != http.ErrAbortHandler {
				t.Errorf("a client that left got a response: %v", p)
			}
		}()
		send(post("/v1/tools/jwt_decode", jwt).WithContext(gone))
	}()

	reply := httptest.NewRecorder()
	s.admin().ServeHTTP(reply, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/metrics", nil))
	if reply.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Error("the metrics may be taken for something else")
	}
	text := reply.Body.String()
	for _, want := range counted {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, secret) {
		t.Error("the metrics hold input")
	}
	if t.Failed() {
		t.Log(text[strings.Index(text, "# HELP convertd_"):])
	}
}

// TestAdminHosts checks that a page that points its own name at the admin listener (DNS rebinding) reads nothing.
// Clients that use an IP address, a loopback name or an allowed name can read, and probes can use any name.
func TestAdminHosts(t *testing.T) {
	config := defaults()
	config.AllowedHosts = []string{"metrics.example"}
	config.BaseURL = "https://convert.example.com"
	s := check.Value(New(config, slog.New(slog.DiscardHandler)))(t)
	for host, want := range map[string]int{
		"127.0.0.1:9090": 200, "localhost:9090": 200, "[::1]:9090": 200, "10.1.2.3:9090": 200, "[2001:db8::1]:9090": 200, "[fe80::1]": 200,
		"metrics.example:9090": 200, "METRICS.example": 200, "convert.example.com": 200,
		"evil.example:9090": 403, "evil.example": 403, "127.0.0.1.evil.example": 403, "": 403,
	} {
		for path, want := range map[string]int{"/metrics": want, "/healthz": 200, "/readyz": 200} {
			r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil)
			r.Host = host
			reply := httptest.NewRecorder()
			s.admin().ServeHTTP(reply, r)
			if reply.Code != want || reply.Code == 403 && strings.Contains(reply.Body.String(), "evil") {
				t.Errorf("%s of %q: %d %.200s", path, host, reply.Code, reply.Body)
			}
		}
	}
}

// TestHosts checks that the service accepts only its own names, except for health checks: a probe may use any name.
// Rules: ADDR-4, ADDR-6.
func TestHosts(t *testing.T) {
	config := defaults()
	config.BaseURL = "https://convert.example.com"
	s := check.Value(New(config, slog.New(slog.DiscardHandler)))(t)
	for host, want := range map[string]int{"127.0.0.1:8080": 200, "convert.example.com": 200, "10.1.2.3": 403, "evil.example": 403, "": 403} {
		for target, want := range map[string]int{
			"GET /": want, "GET /v1/openapi.json": want, "GET /mcp/server-card": want,
			"GET /healthz": 200, "GET /readyz": 200,
		} {
			method, path, _ := strings.Cut(target, " ")
			r := httptest.NewRequest(method, path, nil)
			r.Host = host
			reply := httptest.NewRecorder()
			s.server(s.handler).Handler.ServeHTTP(reply, r)
			if reply.Code != want {
				t.Errorf("%s of %q: %d, want %d", target, host, reply.Code, want)
			}
		}
	}
}
