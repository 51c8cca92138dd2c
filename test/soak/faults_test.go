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
)

// TestClientsLeave: clients that leave in the middle of a large body, or of a
// large answer that fills the socket and blocks the writer, cost nothing in the
// end, and are no errors of the service.
func TestClientsLeave(t *testing.T) {
	const leavers = 200
	s := start(t, binary)
	large := tool("json_format", "application/json", "["+strings.Repeat("1,", 150_000)+"1]", `{"indent":8}`, "") // 300 KB, and 1.5 MB back
	s.make(0)
	_, goroutines, descriptors := s.settled(t, 0)
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
						t.Errorf("%d bytes of the answer: %v", n, err)
					}
				}
				connection.Close()
			}
		})
	}
	clients.Wait()
	s.make(0)
	_, goroutines2, descriptors2 := s.settled(t, 0)
	s.check(t, false)
	if goroutines2 > goroutines+4 || descriptors2 > descriptors+4 {
		t.Errorf("goroutines %v → %v, descriptors %d → %d", goroutines, goroutines2, descriptors, descriptors2)
	}
	if gone := s.service.Metric(t, "convertd_requests_total", `code="client_gone"`); gone < leavers/4 {
		t.Errorf("%v of %d that left in the middle of their body were noticed", gone, leavers/2)
	}
	if busy := s.service.Metric(t, "convertd_work_slots_busy"); busy > 0 {
		t.Errorf("%v work slots are still taken", busy)
	}
	if log := s.service.Log(); strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("the log has errors: %.1000s", log[strings.Index(log, `"level":"ERROR"`):])
	}
}

// TestTinyMemoryLimit: with a GOMEMLIMIT that not even the idle process fits
// in, the collector works all the time, and every call is still answered.
func TestTinyMemoryLimit(t *testing.T) {
	s := startLimited(t, binary, 4<<20)
	begin := time.Now()
	s.run(2000, true, nil)
	s.check(t, false)
	t.Logf("2000 calls in %v, resident %.1f MiB, at most %.1f", time.Since(begin).Round(time.Millisecond), mib(s.service.Resident(t)), mib(s.service.Peak(t)))
	if err := s.service.Stop(); err != nil {
		t.Error(err)
	}
}

// TestFullLogPipe: nobody reads the log. Calls are answered all the same, the
// process still stops when told, and once somebody reads again, the log says
// how much of it is missing.
func TestFullLogPipe(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	service := exec.Command(binary, "serve", "--listen=127.0.0.1:0", "--rate-limit=0")
	service.Stderr = write
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = service.Process.Kill() }()
	write.Close()
	log := bufio.NewReaderSize(read, 4096)
	first, err := log.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var line struct{ Address string }
	if err := json.Unmarshal([]byte(first), &line); err != nil || line.Address == "" {
		t.Fatalf("%v: %s", err, first)
	}
	client := &http.Client{Timeout: 10 * time.Second}
	ask := func() {
		response, err := client.Get("http://" + line.Address + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	for range 6000 { // 64 KiB of pipe and 4,096 lines are full long before
		ask()
	}
	rest := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(log)
		rest <- string(text)
	}()
	time.Sleep(200 * time.Millisecond)
	ask()
	time.Sleep(200 * time.Millisecond)
	_ = service.Process.Signal(syscall.SIGTERM)
	if err := service.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if text := <-rest; !strings.Contains(text, "lines of the log were dropped") || !strings.Contains(text, `"msg":"stopping"`) {
		t.Errorf("the log does not say what is missing:\n%.500s", text)
	}
}

// TestStopWithFullLogPipe: the process ends although its log goes nowhere.
func TestStopWithFullLogPipe(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	service := exec.Command(binary, "serve", "--listen=127.0.0.1:0", "--rate-limit=0")
	service.Stderr = write
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = service.Process.Kill() }()
	var line struct{ Address string }
	first, err := bufio.NewReaderSize(read, 4096).ReadString('\n')
	if err == nil {
		err = json.Unmarshal([]byte(first), &line)
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		response, err := (&http.Client{Timeout: 10 * time.Second}).Get("http://" + line.Address + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	start := time.Now()
	_ = service.Process.Signal(syscall.SIGTERM)
	ended := make(chan error, 1)
	go func() { ended <- service.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("after SIGTERM: %v", err)
		}
	case <-time.After(15 * time.Second):
		t.Errorf("the process still runs %v after SIGTERM", time.Since(start))
	}
	write.Close()
}
