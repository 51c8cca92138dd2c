package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// suites are the packages with Go benchmarks, and which of these to run.
var suites = map[string]string{"test/bench": "Tool|Library", "internal/server": "Call|Refusal"}

// figure is one row: the median of one value over that of another.
type figure struct {
	title string
	value string // our benchmark
	over  string // the yardstick
	unit  string // ns/op, MB/s or allocs/op
	// most is the largest good ratio, or least the smallest one of throughput.
	most, least float64
}

var figures = []figure{
	{"json_format, 500 KB, MB/s : json.Valid + json.Indent", "Tool/json_format/500KB", "Library/json.Indent/500KB", "ns/op", 0, 3},
	{"json_to_yaml, 500 KB, MB/s : goccy JSONToYAML", "Tool/json_to_yaml/500KB", "Library/goccy/500KB", "ns/op", 0, 50},
	{"json_to_yaml, 500 KB, MB/s : sigs.k8s.io/yaml", "Tool/json_to_yaml/500KB", "Library/sigs/500KB", "ns/op", 0, 20},
	{"json_to_yaml, 1 MiB, allocations", "Tool/json_to_yaml/1MiB", "", "allocs/op", 1000, 0},
	{"json_format, ns per byte, 1 MiB : 4 KiB", "Tool/json_format/1MiB", "Tool/json_format/4KiB", "MB/s", 1.2, 0},
	{"json_to_yaml, ns per byte, 1 MiB : 4 KiB", "Tool/json_to_yaml/1MiB", "Tool/json_to_yaml/4KiB", "MB/s", 1.2, 0},
	{"jwt_decode, ns per byte, 1 MiB : 4 KiB", "Tool/jwt_decode/1MiB", "Tool/jwt_decode/4KiB", "MB/s", 1.2, 0},
	{"api_convert OpenAPI → Postman, ns per byte, 900 KB : 7 KB", "Tool/api_convert/900KB", "Tool/api_convert/7KB", "MB/s", 1.2, 0},
	{"api_convert, a tiny call that gets no work slot : a served one", "Refusal/refused", "Refusal/served", "ns/op", 0.1, 0},
	{"jwt_decode, small, MCP 2026-07-28 : REST", "Call/mcp/small/2026-07-28", "Call/jwt_decode/small", "ns/op", 6, 0},
	{"jwt_decode, small, MCP 2025-11-25 : REST", "Call/mcp/small/2025-11-25", "Call/jwt_decode/small", "ns/op", 6, 0},
}

// goBenchmarks compiles the suites once and runs them round by round, so that a noisy minute affects our code and the
// yardstick alike.
func goBenchmarks(run harness) (rows []row) {
	var printed bytes.Buffer
	for folder, pattern := range suites {
		binary := filepath.Join(run.folder, "suite.test")
		if out, err := exec.Command("go", "test", "-c", "-o", binary, "./"+folder).CombinedOutput(); err != nil {
			panic(fmt.Errorf("%s: %w\n%s", folder, err, out))
		}
		for range run.rounds {
			command := exec.Command(binary, "-test.run", "^$", "-test.bench", pattern, "-test.benchtime", (run.each / 10).Round(time.Millisecond).String(), "-test.benchmem")
			command.Dir = folder
			printed.Write(must(command.Output()))
		}
	}
	taken := samples{}
	for line := range strings.Lines(printed.String()) {
		fields := strings.Fields(line)
		for i := 2; i+1 < len(fields); i += 2 { // a name, a count, and then values with units
			name := processors.ReplaceAllString(strings.TrimPrefix(fields[0], "Benchmark"), "") + " " + fields[i+1]
			value, _ := strconv.ParseFloat(fields[i], 64)
			taken[name] = append(taken[name], value)
		}
	}
	for _, f := range figures {
		rows = append(rows, f.row(taken))
	}
	return rows
}

// processors matches the suffix that Go appends to a benchmark's name.
var processors = regexp.MustCompile(`-\d+$`)

func (f figure) row(taken samples) row {
	ours, yardstick := taken.median(f.value+" "+f.unit), taken.median(f.over+" "+f.unit)
	switch {
	case f.over == "":
		return atMost(f.title, ours, f.most)
	case f.least > 0:
		return atLeast(f.title, yardstick/ours, f.least)
	case f.unit == "MB/s": // time by byte
		return atMost(f.title, yardstick/ours, f.most)
	}
	return atMost(f.title, ours/yardstick, f.most)
}

// samples are measurements round by round, by name.
type samples map[string][]float64

// add keeps a duration in milliseconds.
func (s samples) add(key string, d time.Duration) {
	s[key] = append(s[key], float64(d.Microseconds())/1000)
}

// median returns the median of one value, 0 if it has no measurements.
func (s samples) median(key string) float64 {
	if len(s[key]) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s[key]))
	return sorted[len(sorted)/2]
}
