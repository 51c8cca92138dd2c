package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/prometheus/procfs"
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

// seconds returns the processor time that the process has used.
func (s *server) seconds() float64 { return must(s.process().Stat()).CPUTime() }

// status returns the process's status: VmRSS is what it holds now, VmHWM its peak, in bytes.
func (s *server) status() procfs.ProcStatus { return must(s.process().NewStatus()) }

func (s *server) process() procfs.Proc { return must(procfs.NewProc(s.command.Process.Pid)) }

// serveBare is the baseline of an ordinary Go service: it decodes and re-encodes
// the envelope with encoding/json and does nothing else.
func serveBare(port string) error {
	return http.ListenAndServe(net.JoinHostPort("127.0.0.1", port), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Input struct {
				MediaType string `json:"mediaType"`
				Value     string `json:"value"`
			} `json:"input"`
			Options map[string]any `json:"options"`
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			http.Error(w, "bad", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"output": request.Input, "warnings": []string{}})
	}))
}
