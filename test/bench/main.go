// Command bench prints the figures that the README claims, as ratios inside
// one run: our benchmark beside its yardstick, each run in turns, the median
// of each. Absolute times on a shared machine mean little.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// figure is one line of the table: the median of one value over that of
// another, and what it should be.
type figure struct {
	title string
	value string // benchmark of ours
	over  string // the yardstick
	unit  string // ns/op, ns/byte or B/op
	// most is the largest good ratio, or least the smallest.
	most, least float64
}

// suite is a package's benchmarks and the figures made from them.
type suite struct {
	folder  string
	pattern string
	figures []figure
}

func main() {
	rounds := flag.Int("rounds", 6, "how often each benchmark runs, in turns")
	short := flag.Duration("time", 200e6, "how long each runs")
	flag.Parse()
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	fmt.Printf("%-58s %8s %9s\n", "", "ratio", "goal")
	for _, s := range suites {
		samples, err := s.run(folder, *rounds, short.String())
		if err != nil {
			log.Fatal(err)
		}
		for _, f := range s.figures {
			f.print(samples)
		}
	}
	if err := process(folder); err != nil {
		log.Fatal(err)
	}
}

// run compiles the package's tests once and runs them round by round, so that
// a noisy minute hits our code and the yardstick alike.
func (s suite) run(folder string, rounds int, each string) (map[string][]float64, error) {
	binary := filepath.Join(folder, "suite.test")
	if out, err := exec.Command("go", "test", "-c", "-o", binary, "./"+s.folder).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", s.folder, err, out)
	}
	samples := map[string][]float64{}
	for range rounds {
		run := exec.Command(binary, "-test.run", "^$", "-test.bench", s.pattern, "-test.benchtime", each, "-test.benchmem")
		run.Dir = s.folder
		out, err := run.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", s.folder, err, out)
		}
		collect(samples, out)
	}
	return samples, nil
}

var line = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// collect adds each value of a benchmark's line under "name unit".
func collect(samples map[string][]float64, out []byte) {
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		match := line.FindStringSubmatch(lines.Text())
		if match == nil {
			continue
		}
		fields := strings.Fields(match[2])
		for i := 0; i+1 < len(fields); i += 2 {
			if value, err := strconv.ParseFloat(fields[i], 64); err == nil {
				key := match[1] + " " + fields[i+1]
				samples[key] = append(samples[key], value)
				if fields[i+1] == "MB/s" {
					samples[match[1]+" ns/byte"] = append(samples[match[1]+" ns/byte"], 1000/value)
				}
			}
		}
	}
}

func median(samples map[string][]float64, key string) float64 {
	values := slices.Clone(samples[key])
	if len(values) == 0 {
		log.Fatalf("no benchmark gives %q", key)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func (f figure) print(samples map[string][]float64) {
	ratio := median(samples, f.value+" "+f.unit) / median(samples, f.over+" "+f.unit)
	goal, good := "", true
	switch {
	case f.most > 0:
		goal, good = fmt.Sprintf("≤ %g", f.most), ratio <= f.most
	case f.least > 0:
		ratio = 1 / ratio // of throughput
		goal, good = fmt.Sprintf("≥ %g", f.least), ratio >= f.least
	}
	report(f.title, fmt.Sprintf("%.2f", ratio), goal, good)
}

func report(title, value, goal string, good bool) {
	mark := ""
	if !good {
		mark = "  missed"
	}
	fmt.Printf("%-58s %8s %9s%s\n", title, value, goal, mark)
}
