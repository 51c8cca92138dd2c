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

// suite is a package's Go benchmarks and the figures computed from them.
type suite struct {
	folder  string
	pattern string
	figures []figure
}

// figure is one row: the median of one value over that of another.
type figure struct {
	title string
	value string // our benchmark
	over  string // the yardstick
	unit  string // sec/op, sec/byte or allocs/op
	// most is the largest good ratio, or least the smallest one of throughput.
	most, least float64
}

// goBenchmarks runs the suites.
func goBenchmarks(run harness) []row {
	var rows []row
	for _, s := range suites {
		results := s.run(run)
		for _, f := range s.figures {
			rows = append(rows, f.row(results))
		}
	}
	return rows
}

// run compiles the package's tests once and runs them round by round, so that a noisy minute affects our code and the
// yardstick alike. benchstat computes medians of what they print.
func (s suite) run(run harness) results {
	binary := filepath.Join(run.folder, "suite.test")
	if out, err := exec.Command("go", "test", "-c", "-o", binary, "./"+s.folder).CombinedOutput(); err != nil {
		panic(fmt.Errorf("%s: %w\n%s", s.folder, err, out))
	}
	var printed bytes.Buffer
	rounds := run.rounds
	if !run.quick {
		rounds = max(rounds, 6) // fewer have no 95 % interval
	}
	for range rounds {
		command := exec.Command(binary, "-test.run", "^$", "-test.bench", s.pattern, "-test.benchtime", (run.each / 10).Round(time.Millisecond).String(), "-test.benchmem")
		command.Dir = s.folder
		out, err := command.Output()
		if err != nil {
			panic(fmt.Errorf("%s: %w\n%s", s.folder, err, out))
		}
		printed.Write(out)
	}
	return benchstat(filepath.Join(run.folder, "rounds.txt"), printed.Bytes())
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
	out, err := exec.Command("test/bench/bin/benchstat", "-format", "csv", file).Output()
	if err != nil {
		panic(fmt.Errorf("benchstat: %w", err))
	}
	lines := csv.NewReader(bytes.NewReader(out))
	lines.FieldsPerRecord = -1
	records, err := lines.ReadAll()
	if err != nil {
		panic(fmt.Errorf("benchstat: %w", err))
	}
	all, unit := results{}, ""
	for _, record := range records {
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
	ours := all[f.value+" "+f.unit]
	if f.over == "" {
		return atMost(f.title, ours.median, f.most)
	}
	yardstick := all[f.over+" "+f.unit]
	ratio := ours.median / yardstick.median
	r := atMost(f.title, ratio, f.most)
	if f.least > 0 {
		r = atLeast(f.title, 1/ratio, f.least)
	}
	r.Value += fmt.Sprintf(" ± %.0f%%", 100*(ours.within+yardstick.within))
	return r
}

// samples are measurements round by round, by name.
type samples map[string][]float64

// median returns the median of one value, 0 if it has no measurements.
func (s samples) median(key string) float64 { return median(s[key]) }

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
