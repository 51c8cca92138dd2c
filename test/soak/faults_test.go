package soak

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

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
