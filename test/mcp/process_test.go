// Package mcp runs third-party agent software against the real binary: the
// official conformance suite, the Inspector and the TypeScript clients.
package mcp

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

var binary string // the real binary, built once

func TestMain(m *testing.M) { daemon.Main(m, func(path string) { binary = path }) }

// serve starts the service without a quota and returns its origin.
func serve(t *testing.T) string {
	t.Helper()
	return daemon.Start(t, binary, nil, daemon.Patient...).URL
}

// output is the result of a command.
type output struct {
	stdout, stderr string
	code           int
}

// node runs a program that setup.sh has installed, with the Node.js that setup.sh installed.
func node(t *testing.T, program string, arguments ...string) output {
	t.Helper()
	bin := check.Value(filepath.Abs("node_modules/.bin"))(t)
	check.Installed(t, filepath.Join(bin, program), "make setup")
	command := exec.Command(filepath.Join(bin, program), arguments...)
	command.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1")
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", program, err)
	}
	return output{stdout.String(), stderr.String(), command.ProcessState.ExitCode()}
}
