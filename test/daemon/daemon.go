// Package daemon runs the real binary for tests: it builds it, starts it on
// loopback, and looks at it from outside, through its log, its metrics and
// what Linux tells of a process.
package daemon

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
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
)

// Build builds the command into folder and returns the binary's path. It runs
// below the repository's root.
func Build(folder string) (string, error) {
	binary := filepath.Join(folder, "convertd")
	out, err := exec.Command("go", "build", "-o", binary, "github.com/convertd/convertd/cmd/convertd").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
}

// Main is the TestMain of a package whose tests run the binary: it builds it
// and tells set where it is.
func Main(m *testing.M, set func(binary string)) {
	folder, err := os.MkdirTemp("", "convertd")
	if err == nil {
		var binary string
		if binary, err = Build(folder); err == nil {
			set(binary)
			code := m.Run()
			os.RemoveAll(folder)
			os.Exit(code)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// SecondTier skips a test in make test, which runs with -short.
func SecondTier(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("make test-all runs it")
	}
}

// Process is a service that runs.
type Process struct {
	URL, Admin string // http:// and the addresses of the service and the operators
	command    *exec.Cmd
	mutex      sync.Mutex
	log        bytes.Buffer
	exited     chan struct{} // closed once it ended and its log was read
	err        error         // how it ended
}

// Start starts the binary with arguments of serve, on free ports unless they
// name others, and waits until it listens. It is killed when the test ends.
func Start(t testing.TB, binary string, env []string, args ...string) *Process {
	t.Helper()
	p := &Process{exited: make(chan struct{})}
	p.command = exec.Command(binary, append([]string{"serve", "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"}, args...)...)
	p.command.Env = append(os.Environ(), env...)
	log, err := p.command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	listening := make(chan struct{})
	go p.read(log, listening)
	select {
	case <-listening:
	case <-p.exited:
		t.Fatalf("the service did not start: %v\n%s", p.err, p.Log())
	case <-time.After(30 * time.Second):
		t.Fatalf("the service does not listen:\n%s", p.Log())
	}
	return p
}

// read keeps the log and finds the addresses in it.
func (p *Process) read(log io.Reader, listening chan<- struct{}) {
	lines := bufio.NewReader(log)
	for {
		text, err := lines.ReadBytes('\n')
		p.mutex.Lock()
		p.log.Write(text)
		p.mutex.Unlock()
		var line struct{ Msg, Address string }
		if bytes.Contains(text, []byte(`"listening`)) && json.Unmarshal(text, &line) == nil {
			switch line.Msg {
			case "listening for operators":
				p.Admin = "http://" + line.Address
			case "listening":
				p.URL = "http://" + line.Address
				close(listening)
			}
		}
		if err != nil {
			p.err = p.command.Wait()
			close(p.exited)
			return
		}
	}
}

// Log returns what the process has logged so far.
func (p *Process) Log() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.log.String()
}

// PID is the process's id.
func (p *Process) PID() int { return p.command.Process.Pid }

// Signal sends a signal.
func (p *Process) Signal(s os.Signal) { _ = p.command.Process.Signal(s) }

// Freeze stops the process until SIGCONT. The signal alone is no more than a
// request: on a busy machine a thread may still answer for a while.
func (p *Process) Freeze(t testing.TB) {
	t.Helper()
	p.Signal(syscall.SIGSTOP)
	for start := time.Now(); !p.frozen(); time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatal("the process does not stop")
		}
	}
}

// frozen tells whether each thread has the state T (proc(5), stat).
func (p *Process) frozen() bool {
	threads, _ := filepath.Glob(p.proc("task/*/stat"))
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err == nil && !bytes.HasPrefix(text[bytes.LastIndexByte(text, ')')+1:], []byte(" T")) {
			return false
		}
	}
	return len(threads) > 0
}

// Kill ends the process at once.
func (p *Process) Kill() {
	_ = p.command.Process.Kill()
	<-p.exited
}

// Stop sends SIGTERM and returns how the process ended.
func (p *Process) Stop() error {
	p.Signal(syscall.SIGTERM)
	return p.Wait(60 * time.Second)
}

// Wait waits until the process ended and returns how.
func (p *Process) Wait(limit time.Duration) error {
	select {
	case <-p.exited:
		return p.err
	case <-time.After(limit):
		return fmt.Errorf("the process still runs after %v", limit)
	}
}

// Address is the service's host and port.
func (p *Process) Address() string { return strings.TrimPrefix(p.URL, "http://") }

// Metric returns the sum of the metric's series whose text (labels included)
// contains each of the filters.
func (p *Process) Metric(t testing.TB, name string, filters ...string) float64 {
	t.Helper()
	response, err := http.Get(p.Admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
series:
	for line := range strings.Lines(string(text)) {
		series, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if series != name && !strings.HasPrefix(series, name+"{") {
			continue
		}
		for _, filter := range filters {
			if !strings.Contains(series, filter) {
				continue series
			}
		}
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		sum += n
	}
	return sum
}

var (
	resident = regexp.MustCompile(`VmRSS:\s+(\d+)`)
	peak     = regexp.MustCompile(`VmHWM:\s+(\d+)`)
)

// Resident and Peak are the memory that the process holds, and the most that
// it held since ResetPeak, in bytes.
func (p *Process) Resident(t testing.TB) int { return p.memory(t, resident) }
func (p *Process) Peak(t testing.TB) int     { return p.memory(t, peak) }

func (p *Process) memory(t testing.TB, field *regexp.Regexp) int {
	t.Helper()
	text, err := os.ReadFile(p.proc("status"))
	match := field.FindSubmatch(text)
	if err != nil || match == nil {
		t.Fatalf("/proc tells nothing of the process: %v\n%s", err, p.Log())
	}
	kib, _ := strconv.Atoi(string(match[1]))
	return kib << 10
}

// ResetPeak lets Peak begin anew (proc(5), clear_refs).
func (p *Process) ResetPeak() { _ = os.WriteFile(p.proc("clear_refs"), []byte("5"), 0) }

// Processor is the processor time that the process has used, in ticks of
// 10 ms (proc(5), stat).
func (p *Process) Processor(t testing.TB) time.Duration {
	t.Helper()
	text, err := os.ReadFile(p.proc("stat"))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// Descriptors is how many files and sockets the process has open.
func (p *Process) Descriptors(t testing.TB) int {
	t.Helper()
	entries, err := os.ReadDir(p.proc("fd"))
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func (p *Process) proc(file string) string { return fmt.Sprintf("/proc/%d/%s", p.PID(), file) }
