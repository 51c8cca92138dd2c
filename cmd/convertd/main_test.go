package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/convertd/convertd/test/daemon"
)

var binary string // the real binary, built once

func TestMain(m *testing.M) { daemon.Main(m, func(path string) { binary = path }) }

func TestServeAndStop(t *testing.T) {
	service := daemon.Start(t, binary, []string{"CONVERTD_PROVIDER=from-the-environment"}, "--rate-limit=0")
	response, err := http.Post(service.URL+"/v1/tools/json_format", "application/json", strings.NewReader(`{"input":{"mediaType":"application/json","value":"[1]"}}`))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	if response.StatusCode != 200 || !bytes.Contains(body, []byte(`"provider":"from-the-environment"`)) || !bytes.Contains(body, []byte(`"editorUrl":"`+service.URL+"/editor#")) {
		t.Errorf("status %d: %s", response.StatusCode, body)
	}
	if err := service.Stop(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// TestAdmin checks that the metrics have their own listener.
func TestAdmin(t *testing.T) {
	service := daemon.Start(t, binary, nil, "--log-format=json")
	for url, want := range map[string]int{service.URL: http.StatusNotFound, service.Admin: http.StatusOK} {
		if response, err := http.Get(url + "/metrics"); err != nil || response.StatusCode != want {
			t.Errorf("want status %d: %v %v", want, response, err)
		}
	}
	if err := service.Stop(); err != nil {
		t.Error(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if err := service.Stop(); err != nil {
		t.Error(err)
	}
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

// TestUsage checks that an error names the flag, and the exit code.
func TestUsage(t *testing.T) {
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--help"}, 0, "convertd serve"},
		{[]string{"serve", "--help"}, 0, "CONVERTD_RATE_LIMIT"},
		{[]string{"mcp", "--help"}, 0, "standard error"},
		{[]string{"mcp", "--work-slots", "many"}, 2, "--work-slots"},
		{[]string{"mcp", "--work-slots", "0"}, 2, "--work-slots"},
		{[]string{"mcp", "--exec-timeout", "0s"}, 2, "--exec-timeout"},
		{[]string{"mcp", "--base-url", "example.com"}, 2, "--base-url"},
		{[]string{"--version"}, 0, version},
		{[]string{"unknown"}, 2, "unknown"},
		{[]string{"serve", "--unknown"}, 2, "--unknown"},
		{[]string{"serve", "--rate-limit", "many"}, 2, "--rate-limit"},
		{[]string{"serve", "--rate-limit", "-1"}, 2, "--rate-limit"},
		{[]string{"serve", "--listen", "nowhere"}, 2, "--listen"},
		{[]string{"serve", "--base-url", "example.com"}, 2, "--base-url"},
		{[]string{"serve", "--exec-timeout", "0s"}, 2, "--exec-timeout"},
		{[]string{"serve", "--drain=-1s"}, 2, "--drain"},
		{[]string{"serve", "--drain=soon"}, 2, "--drain"},
		{[]string{"serve", "--shutdown-timeout=-1s"}, 2, "--shutdown-timeout"},
		{[]string{"serve", "--log-format", "xml"}, 2, "--log-format"},
		{[]string{"serve", "--log-level", "loud"}, 2, "--log-level"},
		{[]string{"serve", "--listen", "192.0.2.1:1"}, 1, "--listen"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), test.args, streams{strings.NewReader(""), &stdout, &stderr})
		if code != test.code || !strings.Contains(stdout.String()+stderr.String(), test.says) {
			t.Errorf("%q: exit %d\n%s%s", test.args, code, stdout.String(), stderr.String())
		}
	}
}

// TestMCP pipes 100 calls and an invalid line into the real binary and closes the
// pipe at once: each line gets a response, and the exit code is 0.
func TestMCP(t *testing.T) {
	var in strings.Builder
	in.WriteString("no JSON\n")
	for i := range 100 {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"json_format","arguments":`+
			`{"input":{"mediaType":"application/json","value":"[1]"}},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientCapabilities":{}}}}`+"\n", i)
	}
	command := exec.Command(binary, "mcp")
	command.Stdin = strings.NewReader(in.String())
	var log bytes.Buffer
	command.Stderr = &log
	out, err := command.Output()
	if err != nil || log.Len() != 0 {
		t.Errorf("%v: %s", err, log.String())
	}
	answered := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		var answer struct {
			ID     json.RawMessage
			Result struct{ StructuredContent any }
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		answered[string(answer.ID)] = answer.Result.StructuredContent != nil
	}
	if answered["null"] || len(answered) != 101 {
		t.Errorf("%d answers: %s", len(answered), out)
	}
	for i := range 100 {
		if !answered[strconv.Itoa(i)] {
			t.Errorf("call %d has no result", i)
		}
	}
}
