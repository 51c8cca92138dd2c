// Package daemon runs the real binary for tests: it builds it, starts it on
// loopback, and observes it from outside, through its log, its metrics and /proc.
package daemon

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
)

// Hang is how long a test waits for something that must happen, such as a response or the end of a process, before it
// reports a hang. It bounds no behavior: what a test promises is counted, never timed.
const Hang = 3 * time.Minute

// Await polls until done reports true. It fails the test if that hangs.
func Await(t testing.TB, condition string, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Hang)
	defer cancel()
	for !done() {
		select {
		case <-ctx.Done():
			t.Fatalf("waited %v in vain until %s", Hang, condition)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Build builds the command into folder and returns the binary's path. It must run inside the repository. The version is
// that of the test binaries, which have no commit.
func Build(folder string) (string, error) {
	binary := filepath.Join(folder, "convertd")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", binary, "github.com/convertd/convertd/cmd/convertd").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
}

// Main is the TestMain of a package whose tests run the binary: it builds it, unless CONVERTD_BINARY names one, and passes
// its path to set.
func Main(m *testing.M, set func(binary string)) {
	prepare()
	if binary := os.Getenv("CONVERTD_BINARY"); binary != "" {
		set(binary)
		os.Exit(m.Run())
	}
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

// Patient are the flags of a service without a rate limit that gives every call time, however slow the machine is.
var Patient = []string{"--rate-limit=0", "--body-timeout=5m", "--queue-wait=5m", "--exec-timeout=5m"}

// Process is a running service.
type Process struct {
	URL, Admin string // base URLs of the service and of its admin listener
	command    *exec.Cmd
	mutex      sync.Mutex
	log        bytes.Buffer
	exited     chan struct{} // closed after the process has exited and its log is read
	err        error         // from exec.Cmd.Wait
}

// Start runs "convertd serve" with args, on free ports unless args name others,
// and waits until it listens. The process is killed when the test ends.
func Start(t testing.TB, binary string, env []string, args ...string) *Process {
	t.Helper()
	p := &Process{exited: make(chan struct{})}
	p.command = exec.Command(binary, append([]string{"serve", "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"}, args...)...)
	p.command.Env = append(os.Environ(), env...)
	log := check.Value(p.command.StderrPipe())(t)
	prepare()
	check.OK(t, p.command.Start())
	t.Cleanup(p.Kill)
	listening := make(chan struct{})
	go p.read(log, listening)
	select {
	case <-listening:
	case <-p.exited:
		t.Fatalf("the service did not start: %v\n%s", p.err, p.Log())
	case <-time.After(Hang):
		t.Fatalf("the service does not listen:\n%s", p.Log())
	}
	return p
}

// read stores the log and finds the listeners' addresses in it.
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

// PID returns the process ID.
func (p *Process) PID() int { return p.command.Process.Pid }

// Signal sends a signal as the function Signal does.
func (p *Process) Signal(s os.Signal) { _ = Signal(p.command.Process, s) }

// Kill sends SIGKILL and waits for the process to exit.
func (p *Process) Kill() {
	_ = p.command.Process.Kill()
	<-p.exited
}

// Stop sends SIGTERM and returns how the process exited.
func (p *Process) Stop() error {
	p.Signal(syscall.SIGTERM)
	return p.Wait()
}

// Wait waits until the process exits and returns how.
func (p *Process) Wait() error {
	select {
	case <-p.exited:
		return p.err
	case <-time.After(Hang):
		return fmt.Errorf("the process still runs")
	}
}

// Address returns the service's host and port.
func (p *Process) Address() string { return strings.TrimPrefix(p.URL, "http://") }

// Metric returns the sum of the metric's series whose name and labels contain every filter.
func (p *Process) Metric(t testing.TB, name string, filters ...string) float64 {
	t.Helper()
	response := check.Value(http.Get(p.Admin + "/metrics"))(t)
	defer response.Body.Close()
	text := check.Value(io.ReadAll(response.Body))(t)
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

// Held returns how many bytes the process has obtained from the operating system for its memory, as the Go runtime
// reports it. The figure never decreases, so it is also the most that the process ever held.
func (p *Process) Held(t testing.TB) int { return int(p.Metric(t, "go_memstats_sys_bytes")) }

// Allocated returns how many bytes the process has allocated since it started, freed
// or not. The difference between two readings counts the work between them.
func (p *Process) Allocated(t testing.TB) int {
	return int(p.Metric(t, "go_memstats_alloc_bytes_total"))
}

// Processor returns the processor time that the process has used, for figures that a
// test prints. Tests do not compare it with a limit.
func (p *Process) Processor(t testing.TB) time.Duration {
	return time.Duration(p.Metric(t, "process_cpu_seconds_total") * float64(time.Second))
}

// Descriptors returns how many files and sockets the process has open.
func (p *Process) Descriptors(t testing.TB) int {
	t.Helper()
	entries := check.Value(os.ReadDir(p.proc("fd")))(t)
	return len(entries)
}

func (p *Process) proc(file string) string { return fmt.Sprintf("/proc/%d/%s", p.PID(), file) }
