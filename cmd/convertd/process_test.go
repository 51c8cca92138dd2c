package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// TestAgentsLogReaderLeaves checks that convertd mcp responds when its log is not
// read, and ends without a signal when its responses are not read.
func TestAgentsLogReaderLeaves(t *testing.T) {
	command := exec.Command(binary, "mcp")
	in, _ := command.StdinPipe()
	out, _ := command.StdoutPipe()
	log, _ := command.StderrPipe()
	check.OK(t, command.Start())
	t.Cleanup(func() { _ = command.Process.Kill() })
	log.Close()
	const ping = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"
	_, _ = io.WriteString(in, ping)
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, `"result"`) {
		t.Fatalf("%v %s", err, line)
	}
	out.Close()
	_, _ = io.WriteString(in, ping)
	in.Close()
	_ = command.Wait()
	if status, ok := command.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signaled() {
		t.Errorf("ended by a signal: %v", command.ProcessState)
	}
}

// get sends a GET on a new connection.
func get(t *testing.T, url string) (status int, closes bool) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	response, err := client.Get(url)
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	defer response.Body.Close()
	return response.StatusCode, response.Close
}

// stopping waits for the service to end and returns the drain that its log names.
func stopping(t *testing.T, service *daemon.Process) (drain string) {
	t.Helper()
	if err := service.Wait(); err != nil {
		t.Error(err)
	}
	var line struct{ Msg, Drain string }
	for text := range strings.Lines(service.Log()) {
		if strings.Contains(text, `"stopping"`) {
			_ = json.Unmarshal([]byte(text), &line)
		}
	}
	return line.Drain
}

// TestDrain checks that after SIGTERM both listeners report that they are not ready while new connections are served,
// that a kept connection gets one more response, and that each response asks to close. A second signal ends the drain.
func TestDrain(t *testing.T) {
	service := daemon.Start(t, binary, []string{"CONVERTD_DRAIN=1h"})
	kept := check.Value(net.Dial("tcp", service.Address()))(t)
	defer kept.Close()
	responses := bufio.NewReader(kept)
	once := func() *http.Response {
		_, _ = io.WriteString(kept, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
		response, err := http.ReadResponse(responses, nil)
		if err != nil {
			t.Fatalf("on the kept connection: %v", err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		return response
	}
	if once().Close {
		t.Error("the connection is closed while the service runs")
	}
	service.Signal(syscall.SIGTERM)
	for _, url := range []string{service.URL, service.Admin} {
		status, closes := get(t, url+"/readyz")
		for ; status == http.StatusOK; status, closes = get(t, url+"/readyz") {
			time.Sleep(time.Millisecond)
		}
		if status != http.StatusServiceUnavailable || !closes {
			t.Errorf("%s/readyz: %d, closes %v", url, status, closes)
		}
		if status, closes := get(t, url+"/healthz"); status != http.StatusOK || !closes {
			t.Errorf("%s/healthz: %d, closes %v", url, status, closes)
		}
	}
	if !once().Close {
		t.Error("the kept connection is not asked to close")
	}
	if _, err := responses.ReadByte(); err != io.EOF {
		t.Errorf("after its last response: %v", err)
	}
	service.Signal(syscall.SIGINT)
	if drain := stopping(t, service); drain != "1h0m0s" {
		t.Errorf("drained for %q", drain)
	}
}

// TestDrainDefaults checks that the service drains for five seconds when it has
// trusted proxies, and not at all otherwise, and that a drain ends by itself.
func TestDrainDefaults(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "0s"},
		{[]string{"--trusted-proxies=127.0.0.1/32"}, "5s"},
		{[]string{"--trusted-proxies=127.0.0.1/32", "--drain=0s"}, "0s"},
		{[]string{"--drain=1ms"}, "1ms"},
	} {
		service := daemon.Start(t, binary, nil, test.args...)
		service.Signal(syscall.SIGTERM)
		if test.want == "5s" {
			for !strings.Contains(service.Log(), `"stopping"`) {
				time.Sleep(time.Millisecond)
			}
			service.Signal(syscall.SIGINT)
		}
		if drain := stopping(t, service); drain != test.want {
			t.Errorf("%q: drained for %q, want %s", test.args, drain, test.want)
		}
	}
}
