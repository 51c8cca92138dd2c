package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// process measures the built binary: how long after its start it answers, and
// how much memory it holds when idle.
func process(folder string) error {
	binary := filepath.Join(folder, "convertd")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "./cmd/convertd").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	best := time.Hour
	rss := 0
	for range 5 {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		address := listener.Addr().String()
		listener.Close()
		service := exec.Command(binary, "serve", "--listen", address)
		start := time.Now()
		if err := service.Start(); err != nil {
			return err
		}
		ready(address, 10*time.Second)
		best = min(best, time.Since(start))
		time.Sleep(300 * time.Millisecond)
		rss = max(rss, processKiB(service.Process.Pid, "VmRSS"))
		_ = service.Process.Signal(os.Interrupt)
		_ = service.Wait()
	}
	report("first answer after the start, best of 5 (ms)", fmt.Sprint(best.Milliseconds()), "≤ 100", best <= 100*time.Millisecond)
	report("idle RSS (MiB)", fmt.Sprintf("%.1f", float64(rss)/1024), "≤ 30", rss <= 30*1024)
	return agents(binary)
}

// ready waits until the service answers, for at most limit.
func ready(address string, limit time.Duration) bool {
	for start := time.Now(); time.Since(start) < limit; time.Sleep(time.Millisecond) {
		response, err := http.Get("http://" + address + "/readyz")
		if err == nil {
			response.Body.Close()
			return true
		}
	}
	return false
}

// processKiB reads a size of a Linux process: VmRSS, what it holds, or VmHWM,
// the most that it has held. It is 0 where there is no /proc.
func processKiB(pid int, field string) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	match := regexp.MustCompile(field + `:\s+(\d+)`).FindSubmatch(text)
	if match == nil {
		return 0
	}
	n, _ := strconv.Atoi(string(match[1]))
	return n
}
