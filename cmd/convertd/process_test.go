package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
)

// freeAddress is a loopback address with a port that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// startLoggingTo starts the service with log as its standard output and error.
func startLoggingTo(t *testing.T, log *os.File) (*exec.Cmd, *daemon.Process) {
	t.Helper()
	listen, admin := freeAddress(t), freeAddress(t)
	command := exec.Command(binary, "serve", "--rate-limit=0", "--listen="+listen, "--admin-listen="+admin)
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	p := &daemon.Process{URL: "http://" + listen, Admin: "http://" + admin}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if response, err := http.Get(p.URL + "/healthz"); err == nil {
			response.Body.Close()
			return command, p
		}
		if time.Now().After(end) {
			t.Fatal("the service does not listen")
		}
	}
}

// countsLost: n requests are answered although no line about them can be
// written, each such line counts as dropped, and SIGTERM ends the process well.
func countsLost(t *testing.T, command *exec.Cmd, p *daemon.Process, n int) {
	t.Helper()
	for range n {
		response, err := http.Get(p.URL + "/healthz")
		if err != nil {
			t.Fatalf("the service is gone: %v", err)
		}
		response.Body.Close()
		time.Sleep(time.Millisecond)
	}
	for end := time.Now().Add(5 * time.Second); p.Metric(t, "convertd_log_lines_dropped_total") < float64(n); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%v lines of %d count as dropped", p.Metric(t, "convertd_log_lines_dropped_total"), n)
		}
	}
	_ = command.Process.Signal(syscall.SIGTERM)
	if err := command.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// TestLogReaderLeaves: a log shipper that ends takes nothing with it.
func TestLogReaderLeaves(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command, p := startLoggingTo(t, write)
	write.Close()
	read.Close()
	countsLost(t, command, p, 50)
}

// TestLogDiskFull: what cannot be written counts as dropped.
func TestLogDiskFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	command, p := startLoggingTo(t, full)
	countsLost(t, command, p, 50)
}

// TestAgentsLogReaderLeaves: agents by standard input get their answers when
// nobody reads the log any more, and the command ends without a signal when
// nobody reads the answers.
func TestAgentsLogReaderLeaves(t *testing.T) {
	command := exec.Command(binary, "mcp")
	in, _ := command.StdinPipe()
	out, _ := command.StdoutPipe()
	log, _ := command.StderrPipe()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
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
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	select {
	case <-ended:
		if status, ok := command.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signaled() {
			t.Errorf("ended by a signal: %v", command.ProcessState)
		}
	case <-time.After(10 * time.Second):
		t.Error("the command still runs though both its ends are closed")
	}
}

// ask makes a GET on a connection of its own.
func ask(t *testing.T, url string) (status int, closes bool) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{}, Timeout: 5 * time.Second}
	defer client.CloseIdleConnections()
	response, err := client.Get(url)
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	defer response.Body.Close()
	return response.StatusCode, response.Close
}

// TestDrain: after SIGTERM both listeners say that they are not ready, new
// connections are served, a kept one is answered once more, and each answer
// asks to close; after the drain the process ends.
func TestDrain(t *testing.T) {
	const drain = 1500 * time.Millisecond
	service := daemon.Start(t, binary, nil, "--drain="+drain.String())
	kept, err := net.Dial("tcp", service.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	answers := bufio.NewReader(kept)
	once := func() *http.Response {
		_, _ = io.WriteString(kept, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
		response, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatalf("on the kept connection: %v", err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		return response
	}
	if once().Close {
		t.Error("the connection is not kept while the service runs")
	}
	begin := time.Now()
	service.Signal(syscall.SIGTERM)
	time.Sleep(300 * time.Millisecond)
	for _, url := range []string{service.URL, service.Admin} {
		if status, closes := ask(t, url+"/readyz"); status != http.StatusServiceUnavailable || !closes {
			t.Errorf("%s/readyz: %d, closes %v", url, status, closes)
		}
		if status, closes := ask(t, url+"/healthz"); status != http.StatusOK || !closes {
			t.Errorf("%s/healthz: %d, closes %v", url, status, closes)
		}
	}
	if !once().Close {
		t.Error("the kept connection is not asked to close")
	}
	if _, err := answers.ReadByte(); err != io.EOF {
		t.Errorf("after its last answer: %v", err)
	}
	if err := service.Wait(10 * time.Second); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if took := time.Since(begin); took < drain || took > drain+3*time.Second {
		t.Errorf("it took %v to stop", took)
	}
}

// TestDrainDefaults: five seconds behind a proxy, none else; a second signal
// ends it.
func TestDrainDefaults(t *testing.T) {
	for _, test := range []struct {
		name, says string
		env, args  []string
	}{
		{"alone", "0s", nil, nil},
		{"behind a proxy", "5s", nil, []string{"--trusted-proxies=127.0.0.1/32"}},
		{"as told", "0s", nil, []string{"--trusted-proxies=127.0.0.1/32", "--drain=0s"}},
		{"as the environment says", "1h0m0s", []string{"CONVERTD_DRAIN=1h"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			service := daemon.Start(t, binary, test.env, test.args...)
			begin := time.Now()
			service.Signal(syscall.SIGTERM)
			if test.says != "0s" {
				time.Sleep(300 * time.Millisecond)
				if status, _ := ask(t, service.URL+"/healthz"); status != http.StatusOK {
					t.Errorf("while it drains: %d", status)
				}
				service.Signal(syscall.SIGINT)
			}
			if err := service.Wait(10 * time.Second); err != nil {
				t.Error(err)
			}
			if took := time.Since(begin); took > 3*time.Second {
				t.Errorf("it took %v to stop", took)
			}
			var line struct{ Msg, Drain string }
			for text := range strings.Lines(service.Log()) {
				if strings.Contains(text, `"stopping"`) {
					_ = json.Unmarshal([]byte(text), &line)
				}
			}
			if line.Drain != test.says {
				t.Errorf("drained for %q, not %s", line.Drain, test.says)
			}
		})
	}
}
