package soak

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
)

// TestClientsLeave checks that clients that leave in the middle of a large body,
// or of a large response that fills the socket and blocks the writer, leak
// nothing and are not logged as errors.
func TestClientsLeave(t *testing.T) {
	const leavers = 200
	s := start(t, binary)
	large := tool("json_format", "application/json", "["+strings.Repeat("1,", 150_000)+"1]", `{"indent":8}`, "") // 300 KB, and 1.5 MB back
	s.make(0)
	before := s.settled(t, rest{})
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for i := range leavers / 4 {
				connection, err := net.Dial("tcp", s.service.Address())
				if err != nil {
					t.Error(err)
					return
				}
				raw := large.raw()
				if i%2 == 0 {
					_, _ = io.WriteString(connection, raw[:len(raw)/2])
				} else {
					_, _ = io.WriteString(connection, raw)
					if n, err := io.ReadFull(connection, make([]byte, 1000)); err != nil {
						t.Errorf("%d bytes of the response: %v", n, err)
					}
				}
				connection.Close()
			}
		})
	}
	clients.Wait()
	s.make(0)
	s.settled(t, before)
	s.check(t, false)
	// A client whose body is cut short may still read. A response may fit into the
	// socket's buffers; then nothing shows that the client does not read it.
	cut, gone := s.service.Metric(t, "convertd_requests_total", `code="malformed_json"`), s.service.Metric(t, "convertd_requests_total", `code="client_gone"`)
	if cut+gone < leavers/2 || gone == 0 {
		t.Errorf("of %d that left in the middle of their body and as many in the middle of their response, %v were cut short and %v gone", leavers/2, cut, gone)
	}
	if busy := s.service.Metric(t, "convertd_work_slots_busy"); busy > 0 {
		t.Errorf("%v work slots are still taken", busy)
	}
	if log := s.service.Log(); strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("the log has errors: %.1000s", log[strings.Index(log, `"level":"ERROR"`):])
	}
}

// TestTinyMemoryLimit checks that every call succeeds with a GOMEMLIMIT below the
// needs of the idle process, although the collector runs all the time.
func TestTinyMemoryLimit(t *testing.T) {
	s := startLimited(t, binary, 4<<20)
	s.run(2000, true, nil)
	s.check(t, false)
	if err := s.service.Stop(); err != nil {
		t.Error(err)
	}
}

// startUnread starts a service whose log is read only up to the line with the
// listener's address; log is the rest.
func startUnread(t *testing.T) (p *daemon.Process, command *exec.Cmd, log *bufio.Reader) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command = exec.Command(binary, "serve", "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0", "--rate-limit=0")
	command.Stderr = write
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		read.Close()
	})
	write.Close()
	p = &daemon.Process{}
	log = bufio.NewReaderSize(read, 4096)
	for _, address := range []*string{&p.Admin, &p.URL} {
		text, err := log.ReadString('\n')
		var line struct{ Address string }
		if err != nil || json.Unmarshal([]byte(text), &line) != nil || line.Address == "" {
			t.Fatalf("%v: %s", err, text)
		}
		*address = "http://" + line.Address
	}
	return p, command, log
}

// ask sends n small requests.
func ask(t *testing.T, p *daemon.Process, n int) {
	t.Helper()
	client := &http.Client{Timeout: daemon.Hang}
	defer client.CloseIdleConnections()
	for range n {
		response, err := client.Get(p.URL + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
}

// TestFullLogPipe checks that if the log is not read, calls still succeed and the
// process still stops on SIGTERM, and that the metrics and, when the log is read
// again, the log report how many lines are missing.
func TestFullLogPipe(t *testing.T) {
	const calls = 6000 // 64 KiB of pipe and 4,096 lines are full long before
	p, service, log := startUnread(t)
	ask(t, p, calls)
	dropped := p.Metric(t, "convertd_log_lines_dropped_total")
	rest := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(log)
		rest <- string(text)
	}()
	time.Sleep(200 * time.Millisecond)
	ask(t, p, 1)
	time.Sleep(200 * time.Millisecond)
	_ = service.Process.Signal(syscall.SIGTERM)
	if err := service.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	said, requests := 0.0, 0
	text := <-rest
	for text := range strings.Lines(text) {
		var line struct {
			Msg   string
			Lines float64
		}
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		said += line.Lines
		if line.Msg == "request" {
			requests++
		}
	}
	if dropped == 0 || said != dropped || requests+int(said) != calls+1 {
		t.Errorf("of %d requests the log has %d and says that %v are missing, the metrics %v", calls+1, requests, said, dropped)
	}
	if !strings.Contains(text, `"msg":"stopping"`) {
		t.Error("the log has no end")
	}
}

// TestStopWithFullLogPipe checks that the process stops although its log is not
// read.
func TestStopWithFullLogPipe(t *testing.T) {
	p, service, _ := startUnread(t)
	ask(t, p, 1000)
	_ = service.Process.Signal(syscall.SIGTERM)
	if err := service.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}
