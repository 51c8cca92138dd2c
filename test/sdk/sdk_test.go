// Package sdk generates client SDKs from the served description with the
// generators that people use, compiles them strictly and runs one scenario in
// each language against a live server: a success of each tool, a pipeline, a
// 422 read as a typed problem, a 429 honoured by Retry-After, and the largest
// input.
package sdk

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var binary string // the real binary, built once

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "sdk")
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

// serve starts the real binary until the test ends and returns its address.
func serve(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.Command(binary, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	log, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
			go func() {
				for lines.Scan() { // or the pipe fills up
				}
			}()
			return "http://" + line.Address
		}
	}
	t.Fatal("the service did not start")
	return ""
}

// limit is low enough to be used up at once, and gives a request back every
// six seconds.
const limit = "--rate-limit=10"

func TestSDK(t *testing.T) {
	for _, sdk := range []struct{ name, needs string }{
		{"typescript-fetch", "typescript/node_modules/.installed"},
		{"typescript-hey", "typescript/node_modules/.installed"},
		{"python", ".venv/.installed"},
		{"java", "java/lib/.installed"},
	} {
		t.Run(sdk.name, func(t *testing.T) {
			if _, err := os.Stat(sdk.needs); err != nil {
				t.Fatalf("test/sdk/%s is not there: run make setup", sdk.needs)
			}
			out, err := exec.Command("./run.sh", sdk.name, serve(t, "--rate-limit=0"), serve(t, limit)).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "scenario: ok") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
