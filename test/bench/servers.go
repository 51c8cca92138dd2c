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

// build builds convertd as make build does.
func build(folder string) (string, error) {
	binary := filepath.Join(folder, "convertd")
	command := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "./cmd/convertd")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
}

// server is a process that answers on loopback.
type server struct {
	url     string
	command *exec.Cmd
}

// startConvertd starts the built binary, with the quota off.
func startConvertd(run harness, flags ...string) (*server, error) {
	return start(func(port string) *exec.Cmd {
		return exec.Command(run.binary, append([]string{"serve", "--listen", "127.0.0.1:" + port, "--rate-limit", "0"}, flags...)...)
	})
}

func startBare(harness) (*server, error) { return startSelf("bare") }

func startGuarded(harness) (*server, error) { return startSelf("guarded") }

// startSelf starts a server that is a part of this program.
func startSelf(name string) (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return start(func(port string) *exec.Cmd { return exec.Command(self, name, port) })
}

func startFastify(harness) (*server, error) {
	return start(func(port string) *exec.Cmd { return exec.Command("node", "test/bench/yardsticks/server.mjs", port) })
}

// start starts a process on a free port and waits until it answers anything.
func start(command func(port string) *exec.Cmd) (*server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	listener.Close()
	_, port, _ := net.SplitHostPort(address)
	s := &server{url: "http://" + address, command: command(port)}
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if response, err := http.Get(s.url + "/readyz"); err == nil {
			response.Body.Close()
			return s, nil
		}
	}
	s.stop()
	return nil, fmt.Errorf("%s does not answer", s.command.Path)
}

func (s *server) stop() {
	_ = s.command.Process.Signal(os.Interrupt)
	_ = s.command.Wait()
}

// mebibytes reads a field of the process's status (Linux): VmRSS is what it
// holds now, VmHWM the most it ever held.
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
