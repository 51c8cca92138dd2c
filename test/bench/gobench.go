package main

import (
	"bufio"
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

// suite is a package's Go benchmarks and the figures made from them.
type suite struct {
	folder  string
	pattern string
	figures []figure
}

// figure is one row: the median of one value over that of another.
type figure struct {
	title string
	value string // benchmark of ours
	over  string // the yardstick
	unit  string // ns/op, ns/byte or B/op
	// most is the largest good ratio, or least the smallest of throughput.
	most, least float64
}

// samples are what benchmarks gave, round by round, under "name unit".
type samples map[string][]float64

// goBenchmarks runs the suites.
func goBenchmarks(run harness) ([]row, error) {
	var rows []row
	for _, s := range suites {
		samples, err := s.run(run)
		if err != nil {
			return nil, err
		}
		for _, f := range s.figures {
			rows = append(rows, f.row(samples))
		}
	}
	return rows, nil
}

// run compiles the package's tests once and runs them round by round, so that
// a noisy minute hits our code and the yardstick alike.
func (s suite) run(run harness) (samples, error) {
	binary := filepath.Join(run.folder, "suite.test")
	if out, err := exec.Command("go", "test", "-c", "-o", binary, "./"+s.folder).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", s.folder, err, out)
	}
	taken := samples{}
	for range run.rounds {
		command := exec.Command(binary, "-test.run", "^$", "-test.bench", s.pattern, "-test.benchtime", (run.each / 10).Round(time.Millisecond).String(), "-test.benchmem")
		command.Dir = s.folder
		out, err := command.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", s.folder, err, out)
		}
		taken.collect(out)
	}
	return taken, nil
}

var line = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// collect adds each value of a benchmark's lines.
func (s samples) collect(out []byte) {
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		match := line.FindStringSubmatch(lines.Text())
		if match == nil {
			continue
		}
		fields := strings.Fields(match[2])
		for i := 0; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				continue
			}
			s[match[1]+" "+fields[i+1]] = append(s[match[1]+" "+fields[i+1]], value)
			if fields[i+1] == "MB/s" {
				s[match[1]+" ns/byte"] = append(s[match[1]+" ns/byte"], 1000/value)
			}
		}
	}
}

// median is that of one value, 0 when there is none.
func (s samples) median(key string) float64 { return median(s[key]) }

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func (f figure) row(s samples) row {
	ours := s.median(f.value + " " + f.unit)
	if f.over == "" {
		return atMost(f.title, ours, f.most)
	}
	ratio := ours / s.median(f.over+" "+f.unit)
	if f.least > 0 {
		return atLeast(f.title, 1/ratio, f.least)
	}
	return atMost(f.title, ratio, f.most)
}
