package soak

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/proxy"
)

// Linux has one wall clock for all processes: time_namespaces(7) has only
// monotonic ones, and setting the machine's would harm everything else that runs
// on it. A Go program reads the clock without the C library, which libfaketime
// would intercept. So the whole program is built with a time package whose Now
// can be set like the clock of settimeofday(2): the monotonic clock, and with it
// the runtime's timers, continues. SIGUSR1 sets it an hour forward, SIGUSR2 back.
const (
	wallClock = "sec, nsec, mono := runtimeNow()\n\tif mono == 0 {"
	stepped   = "sec, nsec, mono := runtimeNow()\n\tsec += Step.Load()\n\tif mono == 0 {"
	stepFile  = "package time\n\nimport \"sync/atomic\"\n\nvar Step atomic.Int64\n"
	setter    = `package main

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

func init() {
	set := make(chan os.Signal, 16)
	signal.Notify(set, syscall.SIGUSR1, syscall.SIGUSR2)
	go func() {
		for s := range set {
			if s == syscall.SIGUSR1 {
				time.Step.Add(3600)
			} else {
				time.Step.Add(-3600)
			}
		}
	}()
}
`
)

// buildSettable builds the program with a clock that can be set.
func buildSettable(t *testing.T) (binary string) {
	t.Helper()
	folder := t.TempDir()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	timeFolder := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	source, err := os.ReadFile(filepath.Join(timeFolder, "time.go"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(source), wallClock) != 1 {
		t.Fatal("time.Now of this version of Go reads the clock in another way; adapt wallClock")
	}
	command, err := filepath.Abs("../../cmd/convertd")
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for path, text := range map[string]string{
		filepath.Join(timeFolder, "time.go"):  strings.Replace(string(source), wallClock, stepped, 1),
		filepath.Join(timeFolder, "step.go"):  stepFile,
		filepath.Join(command, "setclock.go"): setter,
	} {
		replace[path] = filepath.Join(folder, filepath.Base(path))
		if err := os.WriteFile(replace[path], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, _ := json.Marshal(map[string]any{"Replace": replace})
	file := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	binary = filepath.Join(folder, "convertd")
	build := exec.Command("go", "build", "-overlay", file, "-o", binary, "github.com/convertd/convertd/cmd/convertd")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// setClock sets the clock of the process and waits until it is hours off the
// machine's clock.
func setClock(t *testing.T, p *daemon.Process, signal syscall.Signal, hours int) {
	t.Helper()
	p.Signal(signal)
	daemon.Await(t, "the process's clock is set", func() bool {
		response, err := http.Get(p.Admin + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		date, err := http.ParseTime(response.Header.Get("Date"))
		return err == nil && time.Until(date).Round(time.Hour) == time.Duration(hours)*time.Hour
	})
}

// The steps, and the resulting offset from the machine's clock.
var steps = []struct {
	signal syscall.Signal
	hours  int
}{{syscall.SIGUSR1, 1}, {syscall.SIGUSR2, 0}, {syscall.SIGUSR2, -1}, {syscall.SIGUSR1, 0}}

// from returns a client with an address in the loopback network.
func from(address string) *http.Client {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}, Timeout: daemon.Hang}
}

// TestClockIsSet checks that setting the machine's clock, either way, neither
// rejects nor favors a client, and neither cuts off nor delays a request.
func TestClockIsSet(t *testing.T) {
	if os.Getenv("SOAK_CALLS") == "" {
		t.Skip("make soak runs this test: it compiles the standard library, which takes minutes unless that is cached")
	}
	settable := buildSettable(t)
	t.Run("quota", func(t *testing.T) { checkSteppedQuota(t, daemon.Start(t, settable, nil, "--rate-limit=60")) })
	t.Run("shared quota", func(t *testing.T) {
		redis := proxy.Free(t)
		proxy.StartRedis(t, redis)
		p := daemon.Start(t, settable, nil, "--rate-limit=60", "--redis-url=redis://"+redis)
		daemon.Await(t, "Redis is in use", func() bool { return p.Metric(t, "convertd_shared_quota_up") == 1 })
		checkSteppedQuota(t, p)
		if p.Metric(t, "convertd_shared_quota_up") == 0 {
			t.Error("Redis is not in use any more")
		}
	})
	t.Run("slow bodies", func(t *testing.T) {
		p := daemon.Start(t, settable, nil, "--rate-limit=0", "--body-timeout=5s")
		for _, step := range steps {
			checkSteppedBodies(t, p, step.signal, step.hours)
		}
	})
	t.Run("load", func(t *testing.T) {
		s := start(t, settable)
		stop, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			s.run(1<<30, false, stop)
		}()
		for range 5 {
			for _, step := range steps {
				setClock(t, s.service, step.signal, step.hours)
			}
		}
		close(stop)
		<-done
		s.check(t, false)
		checkSteppedLog(t, s)
	})
}

// checkSteppedQuota sets the clock after one client has used up its quota and
// another has not.
func checkSteppedQuota(t *testing.T, p *daemon.Process) {
	greedy, modest := from("127.0.3.1"), from("127.0.3.2")
	ask := func(client *http.Client) (status, retryAfter int) {
		response, err := client.Get(p.URL + "/v1/none")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		retryAfter, _ = strconv.Atoi(response.Header.Get("Retry-After"))
		return response.StatusCode, retryAfter
	}
	refused := func() (passed, retryAfter int) {
		for ; passed < 100; passed++ {
			if status, seconds := ask(greedy); status == http.StatusTooManyRequests {
				return passed, seconds
			}
		}
		return passed, 0
	}
	refused()
	for _, step := range steps {
		setClock(t, p, step.signal, step.hours)
		// One request a second refills, and a busy Redis may be skipped once.
		if passed, retryAfter := refused(); passed >= 60 && p.Metric(t, "convertd_shared_quota_fallbacks_total") == 0 || retryAfter > 2 {
			t.Errorf("%d hours off: over the quota, %d requests passed, then Retry-After %d", step.hours, passed, retryAfter)
		}
		if status, _ := ask(modest); status != http.StatusNotFound {
			t.Errorf("%d hours off: a client within its quota: status %d", step.hours, status)
		}
	}
}

// checkSteppedBodies sets the clock while two clients are in the middle of a
// body: one that it completes in time and one that it does not.
func checkSteppedBodies(t *testing.T, p *daemon.Process, signal syscall.Signal, hours int) {
	raw := calls()[0].raw()
	var connections [2]net.Conn
	for i := range connections {
		connection, err := net.Dial("tcp", p.Address())
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		_ = connection.SetDeadline(time.Now().Add(daemon.Hang))
		_, _ = io.WriteString(connection, raw[:len(raw)-10])
		connections[i] = connection
	}
	time.Sleep(100 * time.Millisecond) // the server is reading
	setClock(t, p, signal, hours)
	_, _ = io.WriteString(connections[0], raw[len(raw)-10:])
	for i, want := range []string{"HTTP/1.1 200", "HTTP/1.1 408"} {
		head := make([]byte, len(want))
		if _, err := io.ReadFull(connections[i], head); err != nil || string(head) != want {
			t.Errorf("%d hours off: %s, %v; want %s", hours, head, err, want)
		}
	}
}

// checkSteppedLog checks that the log has the time as set, and durations that the
// steps did not change.
func checkSteppedLog(t *testing.T, s *soak) {
	if err := s.service.Stop(); err != nil {
		t.Error(err)
	}
	off := map[time.Duration]int{}
	for text := range strings.Lines(s.service.Log()) {
		var line struct {
			Time     time.Time
			Msg      string
			Duration time.Duration
		}
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if line.Msg == "request" {
			off[time.Until(line.Time).Round(time.Hour)]++
			if line.Duration.Round(time.Hour) != 0 || line.Duration < 0 {
				t.Errorf("a duration of %v", line.Duration)
			}
		}
	}
	t.Logf("%d calls; lines of the log by their distance from the true time: %v", s.sent.Load(), off)
	for _, hours := range []time.Duration{-1, 0, 1} {
		if off[hours*time.Hour] == 0 {
			t.Errorf("no line of the log is %d hours off", hours)
		}
	}
}
