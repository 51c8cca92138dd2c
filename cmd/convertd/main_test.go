package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

var binary string // the real binary, built once

func TestMain(m *testing.M) { daemon.Main(m, func(path string) { binary = path }) }

// TestServeAndStop checks that the service responds, with settings of the environment, and stops.
func TestServeAndStop(t *testing.T) {
	service := daemon.Start(t, binary, []string{"CONVERTD_PROVIDER=from-the-environment"}, "--rate-limit=0")
	response, err := http.Post(service.URL+"/v1/tools/json_format", "application/json", strings.NewReader(`{"input":{"mediaType":"application/json","value":"[1]"}}`))
	check.OK(t, err)
	body, _ := io.ReadAll(response.Body)
	if response.StatusCode != 200 || !bytes.Contains(body, []byte(`"provider":"from-the-environment"`)) || !bytes.Contains(body, []byte(`"editorUrl":"`+service.URL+"/editor#")) {
		t.Errorf("status %d: %s", response.StatusCode, body)
	}
	for url, want := range map[string]int{service.URL: http.StatusNotFound, service.Admin: http.StatusOK} { // the metrics have their own listener
		if status, _ := get(t, url+"/metrics"); status != want {
			t.Errorf("%s/metrics: status %d", url, status)
		}
	}
	check.OK(t, service.Stop())
}

// TestTraces checks that spans reach the collector that OpenTelemetry's variable
// names, the last ones before the process ends, and contain nothing of the request.
func TestTraces(t *testing.T) {
	var mutex sync.Mutex
	var received []byte
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mutex.Lock()
		defer mutex.Unlock()
		received = append(received, body...)
	}))
	defer collector.Close()
	service := daemon.Start(t, binary, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL, "OTEL_SERVICE_NAME=from-the-environment"}, "--traces")
	response, err := http.Post(service.URL+"/v1/tools/json_format?secret", "application/json", strings.NewReader(`{"input":{"mediaType":"application/json","value":"[\"secret\"]"}}`))
	check.OK(t, err)
	response.Body.Close()
	check.OK(t, service.Stop())
	mutex.Lock()
	defer mutex.Unlock()
	for _, want := range []string{"POST /v1/tools/json_format", "from-the-environment", "convertd.request_id"} {
		if !bytes.Contains(received, []byte(want)) {
			t.Errorf("the collector did not get %q", want)
		}
	}
	if bytes.Contains(received, []byte("secret")) {
		t.Error("the collector got input")
	}
}
