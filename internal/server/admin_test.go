package server

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestMetrics(t *testing.T) {
	s, err := New(defaults(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{toolBody("application/json", "[1]", ""), "{" + secret} {
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/v1/tools/json_format", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		s.Handler().ServeHTTP(httptest.NewRecorder(), r)
	}
	s.Handler().ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "http://127.0.0.1/v1/"+secret, nil))
	answer := httptest.NewRecorder()
	s.admin().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	text := answer.Body.String()
	for _, want := range []string{
		`convertd_requests_total{code="",route="/v1/tools/json_format",status="200"} 1`,
		`convertd_requests_total{code="malformed_json",route="/v1/tools/json_format",status="400"} 1`,
		`convertd_requests_total{code="unknown_route",route="none",status="404"} 1`,
		`convertd_request_seconds_count{route="/v1/tools/json_format"} 2`,
		"convertd_work_slots_busy 0",
		"convertd_work_slots 4",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, secret) {
		t.Error("the metrics hold input")
	}
}
