// Package mcp runs agents' own software against the real binary: the official
// conformance suite, the Inspector and the TypeScript clients.
package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

var binary string // the real binary, built once

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "convertd-mcp")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(folder, "convertd")
	if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/convertd").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// serve starts the service without a quota and returns its origin.
func serve(t *testing.T) string {
	t.Helper()
	command := exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--rate-limit=0")
	log, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		_ = command.Wait()
	})
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
			go func() { _, _ = io.Copy(io.Discard, log) }()
			return "http://" + line.Address
		}
	}
	t.Fatalf("the service did not start")
	return ""
}

// output is what a command said.
type output struct {
	stdout, stderr string
	code           int
}

// node runs a program that setup.sh has installed, with the Node that came
// with it.
func node(t *testing.T, program string, arguments ...string) output {
	t.Helper()
	bin, err := filepath.Abs("node_modules/.bin")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(bin, program)); err != nil {
		t.Fatalf("%s is not installed: run make setup", program)
	}
	command := exec.Command(filepath.Join(bin, program), arguments...)
	command.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1")
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err = command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", program, err)
	}
	return output{stdout.String(), stderr.String(), command.ProcessState.ExitCode()}
}
