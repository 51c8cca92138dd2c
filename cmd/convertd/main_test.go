package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var binary string // the real binary, built once

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "convertd")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(folder, "convertd")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// serve starts the real binary and returns its address; stop sends SIGTERM
// and returns the exit error.
func serve(t *testing.T, env []string, args ...string) (url string, stop func() error) {
	t.Helper()
	command := exec.Command(binary, append([]string{"serve"}, args...)...)
	command.Env = append(os.Environ(), env...)
	log, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
			go func() { _, _ = io.Copy(io.Discard, log) }()
			return "http://" + line.Address, func() error {
				_ = command.Process.Signal(syscall.SIGTERM)
				return command.Wait()
			}
		}
	}
	t.Fatalf("the service did not start: %v", command.Wait())
	return "", nil
}

func TestServeAndStop(t *testing.T) {
	url, stop := serve(t, []string{"CONVERTD_PROVIDER=from-the-environment"}, "--listen", "127.0.0.1:0", "--rate-limit=0")
	response, err := http.Post(url+"/v1/tools/json_format", "application/json", strings.NewReader(`{"input":{"mediaType":"application/json","value":"[1]"}}`))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	if response.StatusCode != 200 || !bytes.Contains(body, []byte(`"provider":"from-the-environment"`)) || !bytes.Contains(body, []byte(`"editorUrl":"`+url+"/editor#")) {
		t.Errorf("status %d: %s", response.StatusCode, body)
	}
	if err := stop(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// TestAdmin: the metrics are on an address of their own.
func TestAdmin(t *testing.T) {
	url, stop := serve(t, nil, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--log-format=json")
	if response, err := http.Get(url + "/metrics"); err != nil || response.StatusCode != http.StatusNotFound {
		t.Errorf("the metrics are public: %v %v", response, err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// TestTraces: spans reach a collector that OpenTelemetry's own variable names,
// the last ones before the process ends, and hold nothing of the request.
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
	url, stop := serve(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL, "OTEL_SERVICE_NAME=from-the-environment"}, "--listen", "127.0.0.1:0", "--traces")
	response, err := http.Post(url+"/v1/tools/json_format?secret", "application/json", strings.NewReader(`{"input":{"mediaType":"application/json","value":"[\"secret\"]"}}`))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if err := stop(); err != nil {
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

// TestUsage runs the command in process: what is wrong is said with the
// flag's name, and the exit code is 2.
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
		{[]string{"serve", "--log-format", "xml"}, 2, "--log-format"},
		{[]string{"serve", "--log-level", "loud"}, 2, "--log-level"},
		{[]string{"serve", "--listen", "192.0.2.1:1"}, 1, "--listen"},
	} {
		var stdout, stderr bytes.Buffer
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		code := run(ctx, test.args, streams{strings.NewReader(""), &stdout, &stderr})
		cancel()
		if code != test.code || !strings.Contains(stdout.String()+stderr.String(), test.says) {
			t.Errorf("%q: exit %d\n%s%s", test.args, code, stdout.String(), stderr.String())
		}
	}
}

// TestMCP pipes 100 calls and a bad line into the real binary and closes the
// pipe at once: each line has its answer, and the exit code is 0.
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

// TestReadme executes the README's examples against the real binary: each
// console block is commands and the output that they must have.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	url, stop := serve(t, nil, "--listen", "127.0.0.1:0", "--rate-limit=0")
	blocks := regexp.MustCompile("(?s)```console\n(\\$ .*?)```").FindAllSubmatch(text, -1)
	if len(blocks) < 6 {
		t.Fatalf("only %d examples found", len(blocks))
	}
	for _, block := range blocks {
		command, want := splitExample(string(block[1]))
		shell := exec.Command("sh", "-c", strings.ReplaceAll(command, "http://127.0.0.1:8080", url))
		shell.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"))
		got, err := shell.Output()
		if err != nil {
			t.Errorf("%s: %v", command, err)
		}
		shown := strings.TrimSuffix(strings.ReplaceAll(string(got), url, "http://127.0.0.1:8080"), "\n")
		if diff := cmp.Diff(strings.TrimSuffix(want, "\n"), shown); diff != "" {
			t.Errorf("%s\n(-README +real):\n%s", command, diff)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// splitExample divides a console block into its commands and their output. A
// command begins behind a dollar sign and goes on where a line ends in a
// backslash or inside single quotes.
func splitExample(block string) (commands, output string) {
	open := ""
	for line := range strings.Lines(block) {
		command, begins := strings.CutPrefix(line, "$ ")
		switch {
		case begins:
			open = command
		case strings.HasSuffix(open, "\\\n") || strings.Count(open, "'")%2 == 1:
			open += line
		default:
			output += line
			continue
		}
		commands += strings.TrimPrefix(line, "$ ")
	}
	return commands, output
}

// TestReadmeListsWhatExists compares the README with the document and the
// flags.
func TestReadmeListsWhatExists(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var help bytes.Buffer
	run(context.Background(), []string{"serve", "--help"}, streams{nil, &help, &help})
	for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(help.String(), -1) {
		if flag != "--help" && flag != "--version" && !bytes.Contains(text, []byte("`"+flag+"`")) {
			t.Errorf("the README does not list %s", flag)
		}
	}
	targets, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range regexp.MustCompile("make ([a-z]+)").FindAllSubmatch(text, -1) {
		if !bytes.Contains(targets, append([]byte("\n"), append(target[1], ':')...)) {
			t.Errorf("the README names make %s, which does not exist", target[1])
		}
	}
}
