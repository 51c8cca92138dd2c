package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// build builds convertd as make build does.
func build(folder string) string {
	binary := filepath.Join(folder, "convertd")
	command := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "./cmd/convertd")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		panic(fmt.Errorf("%w\n%s", err, out))
	}
	return binary
}

// server is a process that responds on loopback.
type server struct {
	name    string // the peer's
	url     string
	command *exec.Cmd
	callers string // the processors of its callers, in taskset's format
}

// peer is the service, or a yardstick that it is compared with.
type peer struct {
	name    string
	command func(run harness, port string) *exec.Cmd
}

// axum is where setup.sh installs the Rust yardstick, if cargo is available.
const axum = "test/bench/axum/target/release/yardstick"

var withoutAxum = sync.OnceFunc(func() {
	fmt.Fprintln(os.Stderr, "axum is left out: setup.sh builds it where cargo is there")
})

// peers returns ours, which comes first, and the yardsticks that are installed.
func peers() []peer {
	list := []peer{
		{"convertd", func(run harness, port string) *exec.Cmd { // with the quota off
			return exec.Command(run.binary, "serve", "--listen", "127.0.0.1:"+port, "--rate-limit", "0")
		}},
		{"bare", func(_ harness, port string) *exec.Cmd { return exec.Command(must(os.Executable()), "bare", port) }},
		{"Fastify", func(_ harness, port string) *exec.Cmd {
			return exec.Command("node", "test/bench/yardsticks/server.mjs", port)
		}},
	}
	if _, err := os.Stat(axum); err != nil {
		withoutAxum()
		return list
	}
	return append(list, peer{"axum", func(_ harness, port string) *exec.Cmd { return exec.Command(axum, port) }})
}

// started starts the peers; stop ends them.
func started(run harness) (servers []*server, stop func()) {
	stop = func() {
		for _, s := range servers {
			s.stop()
		}
	}
	for _, p := range peers() {
		servers = append(servers, p.start(run))
	}
	return servers, stop
}

func startConvertd(run harness) *server { return peers()[0].start(run) }

// on runs a command on some processors, in taskset's format; "" means all.
func on(processors string, command *exec.Cmd) *exec.Cmd {
	if processors == "" {
		return command
	}
	return exec.Command("taskset", append([]string{"-c", processors}, command.Args...)...)
}

// start starts the peer on a free port and waits until it responds.
func (p peer) start(r harness) *server {
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	address := listener.Addr().String()
	listener.Close()
	_, port, _ := net.SplitHostPort(address)
	s := &server{name: p.name, url: "http://" + address, command: on(r.servers, p.command(r, port)), callers: r.callers}
	ok(s.command.Start())
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if response, err := http.Get(s.url + "/readyz"); err == nil {
			response.Body.Close()
			return s
		}
	}
	s.stop()
	panic(fmt.Errorf("%s does not answer", s.command.Path))
}

func (s *server) stop() {
	_ = s.command.Process.Signal(os.Interrupt)
	_ = s.command.Wait()
}

// seconds returns the processor time that the process has used (Linux).
func (s *server) seconds() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.command.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100 // USER_HZ
}

// mebibytes reads a field of the process's status (Linux): VmRSS is what it holds now, VmHWM its peak.
func (s *server) mebibytes(field string) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.command.Process.Pid))
	if err != nil {
		return 0
	}
	match := regexp.MustCompile(field + `:\s+(\d+)`).FindSubmatch(text)
	if match == nil {
		return 0
	}
	n, _ := strconv.Atoi(string(match[1]))
	return float64(n) / 1024
}
