package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
)

// row is one figure of the page.
type row struct {
	title, value string
	goal         string // "" if the project sets none
	met          bool
}

func atMost(title string, value, most float64) row {
	return row{title, digits(value), goal("≤", most), most == 0 || value <= most}
}

func atLeast(title string, value, least float64) row {
	return row{title, digits(value), goal("≥", least), least == 0 || value >= least}
}

func goal(sign string, value float64) string {
	if value == 0 {
		return ""
	}
	return fmt.Sprintf("%s %g", sign, value)
}

// digits formats a ratio: two digits of a small one, no fraction of a large one.
func digits(value float64) string {
	switch {
	case value >= 100:
		return fmt.Sprintf("%.0f", value)
	case value >= 10:
		return fmt.Sprintf("%.1f", value)
	case value >= 0.1:
		return fmt.Sprintf("%.2f", value)
	}
	return fmt.Sprintf("%.2g", value)
}

func (r row) mark() string {
	if r.met {
		return ""
	}
	return "missed"
}

// writePage writes docs/performance.md.
func writePage(measured map[string][]row) {
	var b bytes.Buffer
	fmt.Fprintf(&b, introduction, machine())
	for _, p := range parts {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| | Ratio or value | Goal | |\n|---|---:|---:|---|\n", p.title, p.intro)
		for _, r := range measured[p.name] {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.title, r.value, r.goal, r.mark())
		}
	}
	b.WriteString(reading)
	ok(os.WriteFile("docs/performance.md", b.Bytes(), 0o644))
}

const introduction = `# Performance

For operators who size a deployment, for programmers who compare convertd with alternatives, and for contributors who want to
know what a change costs: speed and memory compared with other programs (the yardsticks), goals that are missed, and the capacity of a
replica.

` + "`make bench`" + ` (test/bench) writes this page; do not edit it. Each ratio divides convertd's figure by the
yardstick's, which is named after the colon. A goal's sign says which direction is better: ≥ for rates, ≤ for time and memory.
*Bare* is a net/http handler that only decodes and re-encodes the envelope with encoding/json. A ratio is the median of one run,
in which convertd and the yardstick take turns on one machine, which they share with the load generator.

Machine: %s.
`

// reading explains what the figures alone do not show.
const reading = `
## How to read it

- The inputs are parts of one real OpenAPI document of 1.5 MB (in the module kin-openapi), a JWT, a timestamp and a cURL
  command.
- The service does what the yardsticks do not: it enforces every schema of its OpenAPI document, rejects duplicate names,
  unsafe numbers and unpaired surrogates, limits its output, logs each request and adds provenance.
- Tiny calls running alongside 500 KB calls also wait for the operating system's scheduler, which shares the two processors among
  the service and both load generators. With the large calls in another process, their p99 was 3.9 ms (11 ms in one
  process, 0.4 ms without large calls), so 2 ms cannot be reached here.
- RSS includes the mapped pages of the binary, about 14 of the 18 MiB at rest. The service's own memory is about 4 MiB.
- The load generator uses one of the processors. This costs small calls the same time with every server, so their ratios
  are closer to 1.
`

// machine describes the machine, how busy it is, and the programs that setup.sh takes from the system.
func machine() string {
	processor, _ := os.ReadFile("/proc/cpuinfo")
	model := regexp.MustCompile(`(?m)^model name\s*: (.*)$`).FindSubmatch(processor)
	list := []string{fmt.Sprintf("%s, %d processors, %s/%s, %s", bytes.Join(model[min(1, len(model)):], nil), runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, runtime.Version())}
	for _, program := range []string{"node", "jq", "rustc"} {
		if version, err := exec.Command(program, "--version").Output(); err == nil {
			list = append(list, program+" "+strings.TrimSpace(string(version)))
		}
	}
	load, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(load), " ")
	return strings.Join(list, ", ") + ", wrk; load average at the end " + first
}
