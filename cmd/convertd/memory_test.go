//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// peakOf runs a command and returns the most memory that it held, in bytes, as
// Linux tells until just before its end. What a process's end tells counts what
// its parent held too.
func peakOf(t *testing.T, command *exec.Cmd) (peak int) {
	t.Helper()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	status := fmt.Sprintf("/proc/%d/status", command.Process.Pid)
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("%q: %v", command.Args, err)
			}
			return peak << 10
		case <-time.After(2 * time.Millisecond):
			text, _ := os.ReadFile(status)
			if match := regexp.MustCompile(`VmHWM:\s+([0-9]+) kB`).FindSubmatch(text); match != nil {
				kibibytes, _ := strconv.Atoi(string(match[1]))
				peak = max(peak, kibibytes)
			}
		}
	}
}

// big is how large the inputs of TestBoundedMemory are, in bytes.
const big = 100 << 20

// writeBig writes what is between a beginning and an end until the file is big.
func writeBig(t *testing.T, path, begin string, item func(i int) string, end string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	_, _ = w.WriteString(begin)
	for i, n := 0, 0; n < big; i++ {
		written, err := w.WriteString(item(i))
		if err != nil {
			t.Fatal(err)
		}
		n += written
	}
	_, _ = w.WriteString(end)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}

func always(text string) func(int) string { return func(int) string { return text } }

// TestBoundedMemory: what the real binary holds is a bounded multiple of its
// input, or of one line, and for what is written while it is made much less.
// Rule: LIM-5.
func TestBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures")
	}
	record := always(`{"id":1.50,"name":"Ada \"L\"","tags":["a","b",{}]},`)
	member := func(i int) string { return fmt.Sprintf(`"m%d":0,`, i) }
	values := always("[" + strings.Repeat(`"x",`, 20) + "0]\n")
	for _, test := range []struct {
		name  string
		begin string
		item  func(int) string
		end   string
		args  []string
		most  int // in inputs
	}{
		{"records", "[", record, "0]", []string{"json_format"}, 2},
		{"records from a pipe", "[", record, "0]", []string{"json_format", "-"}, 4},
		{"records as YAML", "[", record, "0]", []string{"json_to_yaml"}, 2},
		{"a recipe", "[", record, "0]", []string{"json_format", "json_to_yaml"}, 6},
		{"members of one object", "{", member, `"":0}`, []string{"json_format"}, 6},
		{"members as YAML", "{", member, `"":0}`, []string{"json_to_yaml"}, 6},
		{"one string", `"`, always("é"), `"`, []string{"json_format"}, 6},
		{"one string as YAML", `"`, always(`\n\u0001é`), `"`, []string{"json_to_yaml"}, 6},
		{"a literal block, deep", strings.Repeat(`{"a":`, 250) + `"`, always(`text\n`), `"` + strings.Repeat("}", 250), []string{"json_to_yaml", "--indent=1"}, 6},
		{"a line", "[", record, "0]", []string{"json_format", "--lines", "-"}, 6},
		{"lines", "", values, "", []string{"json_format", "--lines"}, 0},
		{"lines from a pipe", "", values, "", []string{"json_format", "--lines", "-"}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "input.json")
			writeBig(t, path, test.begin, test.item, test.end)
			verb := "run"
			if test.name == "a recipe" {
				verb = "pipeline"
			}
			command := exec.Command(binary, append([]string{verb}, test.args...)...)
			if test.args[len(test.args)-1] == "-" {
				file, err := os.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer file.Close()
				command.Stdin = struct{ io.Reader }{file} // a pipe, not the file itself
			} else {
				command.Args = append(command.Args, path)
			}
			const program = 64 << 20 // with its buffers, and what waits to be collected
			peak := peakOf(t, command)
			t.Logf("%d MiB for %d MiB", peak>>20, big>>20)
			if peak > program+test.most*big || peak == 0 {
				t.Errorf("%d MiB for %d MiB", peak>>20, big>>20)
			}
		})
	}
}
