package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// writePage writes docs/performance.md from the rows that the parts have kept.
func writePage() {
	var b bytes.Buffer
	b.WriteString("# Performance\n\nFor operators who size a deployment, for programmers who compare convertd with alternatives, and for contributors who want to\nknow what a change costs: speed and memory compared with other programs (the yardsticks), goals that are missed, and the capacity of a\nreplica.\n\n`make bench` (test/bench) writes this page; do not edit it. Each ratio divides convertd's figure by the\nyardstick's, which is named after the colon. A goal's sign says which direction is better: ≥ for rates, ≤ for time and memory.\n*Bare* is a net/http handler that only decodes and re-encodes the envelope with encoding/json. A ratio is the median of one run,\nin which convertd and the yardstick take turns on one machine, which they share with the load generator.\n")
	fmt.Fprintf(&b, "\nMachine: %s; load average at the end %s.\n", machine(), loadAverage())
	for _, p := range parts {
		var rows []row
		kept(p.name, &rows)
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| | Ratio or value | Goal | |\n|---|---:|---:|---|\n", p.title, p.intro)
		for _, r := range rows {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", strings.TrimSpace(r.Title), r.Value, r.Goal, strings.TrimSpace(r.mark()))
		}
	}
	b.WriteString(reading)
	ok(os.MkdirAll("docs", 0o755))
	ok(os.WriteFile("docs/performance.md", b.Bytes(), 0o644))
}

// reading explains what the figures alone do not show.
const reading = `
## How to read it

- The inputs are parts of one real OpenAPI document of 1.5 MB (in the module kin-openapi), a JWT, a timestamp and a cURL
  command.
- The service does what the yardsticks do not: it enforces every schema of its OpenAPI document, rejects duplicate names,
  unsafe numbers and unpaired surrogates, limits its output, logs each request and adds provenance.
- The row *limit* is the bare handler inside the guards that the service needs (timeouts, panics, Host, Origin, request id,
  log line). Tiny calls cannot come closer to *bare* than that.
- Tiny calls running alongside 500 KB calls also wait for the operating system's scheduler, which shares the two processors among
  the service and both load generators. With the large calls in another process, their p99 was 3.9 ms (11 ms in one
  process, 0.4 ms without large calls), so 2 ms cannot be reached here.
- Load beyond the capacity also costs the load generator time on the same two processors: about 140 µs for each rejected
  call of 500 KB, as much as it costs the service. That is half of the missing throughput.
- RSS includes the mapped pages of the binary, about 14 of the 18 MiB at rest. The service's own memory is about 4 MiB.
- CyberChef-server is not in the table: its last release on npm (0.0.10, with CyberChef 9) does not start on Node 20, whose
  ESM loader rejects CyberChef's import assertions.
- The load generator uses one of the processors. This costs small calls the same time with every server, so their ratios
  are closer to 1.
`

// loadAverage reports how busy the machine was, including other processes. Beyond
// the number of processors, tail latencies mean little.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// programs returns the versions of the yardsticks that setup.sh installs from the system's packages.
func programs() string {
	jq, _ := exec.Command("jq", "--version").Output()
	list := strings.TrimSpace(string(jq))
	if cargo, err := exec.Command("rustc", "--version").Output(); err == nil {
		if fields := strings.Fields(string(cargo)); len(fields) > 1 {
			list += ", rustc " + fields[1]
		}
	}
	return list
}

func machine() string {
	model := "unknown processor"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	node, _ := exec.Command("node", "--version").Output()
	return fmt.Sprintf("%s, %d processors, %s/%s, %s, Node %s, %s, wrk", model, runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, runtime.Version(), strings.TrimSpace(string(node)), programs())
}
