package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
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
	unit  string // sec/op, sec/byte or allocs/op
	// most is the largest good ratio, or least the smallest one of throughput.
	most, least float64
}

var figures = []figure{
	{"json_format, 500 KB, MB/s : json.Valid + json.Indent", "Tool/json_format/500KB", "Library/json.Indent/500KB", "sec/op", 0, 3},
	{"json_to_yaml, 500 KB, MB/s : goccy JSONToYAML", "Tool/json_to_yaml/500KB", "Library/goccy/500KB", "sec/op", 0, 50},
	{"json_to_yaml, 500 KB, MB/s : sigs.k8s.io/yaml", "Tool/json_to_yaml/500KB", "Library/sigs/500KB", "sec/op", 0, 20},
	{"json_to_yaml, 1 MiB, allocations", "Tool/json_to_yaml/1MiB", "", "allocs/op", 1000, 0},
	{"json_format, ns per byte, 1 MiB : 4 KiB", "Tool/json_format/1MiB", "Tool/json_format/4KiB", "sec/byte", 1.2, 0},
	{"json_to_yaml, ns per byte, 1 MiB : 4 KiB", "Tool/json_to_yaml/1MiB", "Tool/json_to_yaml/4KiB", "sec/byte", 1.2, 0},
	{"jwt_decode, ns per byte, 1 MiB : 4 KiB", "Tool/jwt_decode/1MiB", "Tool/jwt_decode/4KiB", "sec/byte", 1.2, 0},
	{"api_convert OpenAPI → Postman, ns per byte, 900 KB : 7 KB", "Tool/api_convert/900KB", "Tool/api_convert/7KB", "sec/byte", 1.2, 0},
	{"json_format, 2 KB, whole call : bare envelope handler", "Call/json_format/2KB", "Call/bare/2KB", "sec/op", 1.6, 0},
	{"json_to_yaml, 2 KB, whole call : bare envelope handler", "Call/json_to_yaml/2KB", "Call/bare/2KB", "sec/op", 1.6, 0},
	{"jwt_decode, small, whole call : bare envelope handler", "Call/jwt_decode/small", "Call/bare/small", "sec/op", 0, 0},
	{"api_convert, a tiny call that gets no work slot : a served one", "Refusal/refused", "Refusal/served", "sec/op", 0.1, 0},
	{"jwt_decode, small, MCP 2026-07-28 : REST", "Call/mcp/small/2026-07-28", "Call/jwt_decode/small", "sec/op", 6, 0},
	{"jwt_decode, small, MCP 2025-11-25 : REST", "Call/mcp/small/2025-11-25", "Call/jwt_decode/small", "sec/op", 6, 0},
	{"json_format, 500 KB, whole call : bare envelope handler", "Call/json_format/500KB", "Call/bare/500KB", "sec/op", 1.25, 0},
	{"json_to_yaml, 500 KB, whole call : bare envelope handler", "Call/json_to_yaml/500KB", "Call/bare/500KB", "sec/op", 1.8, 0},
	{"json_format, whole call, ns per byte, 850 KB : 4 KiB", "Call/json_format/850KB", "Call/json_format/4KiB", "sec/byte", 1.3, 0},
	{"json_to_yaml, whole call, ns per byte, 850 KB : 4 KiB", "Call/json_to_yaml/850KB", "Call/json_to_yaml/4KiB", "sec/byte", 1.3, 0},
}

// goBenchmarks compiles the suites once and runs them round by round, so that a noisy minute affects our code and the
// yardstick alike. benchstat computes medians of what they print.
func goBenchmarks(run harness) []row {
	var printed bytes.Buffer
	for folder, pattern := range suites {
		binary := filepath.Join(run.folder, "suite.test")
		if out, err := exec.Command("go", "test", "-c", "-o", binary, "./"+folder).CombinedOutput(); err != nil {
			panic(fmt.Errorf("%s: %w\n%s", folder, err, out))
		}
		for range run.rounds + 1 { // fewer than six have no 95 % interval
			command := exec.Command(binary, "-test.run", "^$", "-test.bench", pattern, "-test.benchtime", (run.each / 10).Round(time.Millisecond).String(), "-test.benchmem")
			command.Dir = folder
			printed.Write(must(command.Output()))
		}
	}
	results := benchstat(filepath.Join(run.folder, "rounds.txt"), printed.Bytes())
	var rows []row
	for _, f := range figures {
		rows = append(rows, f.row(results))
	}
	return rows
}

// result is a median and half the width of its 95 % confidence interval, as a fraction of it.
type result struct{ median, within float64 }

// results are those of benchmarks, under "name unit".
type results map[string]result

// processors matches the suffix that Go appends to a benchmark's name.
var processors = regexp.MustCompile(`-\d+$`)

// benchstat runs the tool of that name on what benchmarks printed.
func benchstat(file string, printed []byte) results {
	ok(os.WriteFile(file, printed, 0o644))
	lines := csv.NewReader(bytes.NewReader(must(exec.Command("test/bench/bin/benchstat", "-ignore", "pkg", "-format", "csv", file).Output())))
	lines.FieldsPerRecord = -1
	all, unit := results{}, ""
	for _, record := range must(lines.ReadAll()) {
		if len(record) < 3 {
			continue
		}
		name := processors.ReplaceAllString(record[0], "")
		if name == "" {
			unit = record[1] // the header of a table
			continue
		}
		median, err := strconv.ParseFloat(record[1], 64)
		if err != nil {
			continue
		}
		percent, _ := strconv.ParseFloat(strings.TrimSuffix(record[2], "%"), 64)
		all[name+" "+unit] = result{median, percent / 100}
		if unit == "B/s" {
			all[name+" sec/byte"] = result{1 / median, percent / 100}
		}
	}
	return all
}

func (f figure) row(all results) row {
	ours, yardstick := all[f.value+" "+f.unit], all[f.over+" "+f.unit]
	if f.over == "" {
		return atMost(f.title, ours.median, f.most)
	}
	ratio := ours.median / yardstick.median
	r := atMost(f.title, ratio, f.most)
	if f.least > 0 {
		r = atLeast(f.title, 1/ratio, f.least)
	}
	r.value += fmt.Sprintf(" ± %.0f%%", 100*(ours.within+yardstick.within))
	return r
}

// samples are measurements round by round, by name.
type samples map[string][]float64

// median returns the median of one value, 0 if it has no measurements.
func (s samples) median(key string) float64 {
	if len(s[key]) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s[key]))
	return sorted[len(sorted)/2]
}
