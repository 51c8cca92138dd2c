package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// writePage writes docs/performance.md from the rows that the parts have kept.
func writePage() error {
	var b bytes.Buffer
	b.WriteString("# Performance\n\nWritten by `make bench` (test/bench); do not edit. Each ratio is a median inside one run: ours and the yardstick in\nturns on one machine, which they share with the load generator.\n")
	fmt.Fprintf(&b, "\nMachine: %s; load average at the end %s.\n", machine(), loadAverage())
	for _, p := range parts {
		var rows []row
		if err := kept(p.name, &rows); err != nil {
			return err
		}
		if len(rows) == 0 {
			continue
		}
		if p.name == "capacity" {
			if err := writeCapacity(&b, p); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| | Ratio or value | Goal | |\n|---|---:|---:|---|\n", p.title, p.intro)
		for _, r := range rows {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", strings.TrimSpace(r.Title), r.Value, r.Goal, strings.TrimSpace(r.mark()))
		}
		if p.name == "growth" {
			b.WriteString("\n![Cost by size and by connections](performance.svg)\n")
		}
	}
	b.WriteString(reading)
	if err := os.MkdirAll("docs", 0o755); err != nil {
		return err
	}
	return os.WriteFile("docs/performance.md", b.Bytes(), 0o644)
}

// writeCapacity writes the section that has its own tables.
func writeCapacity(w io.Writer, p part) error {
	var c capacity
	if err := kept("figures", &c); err != nil || len(c.Sizes) == 0 {
		return err
	}
	fmt.Fprintf(w, "\n## %s\n\n%s\n\n", p.title, p.intro)
	c.write(w)
	return nil
}

// reading explains what the figures alone do not show.
const reading = `
## How to read it

- Inputs are cut out of one real API description of 1.5 MB (in the module kin-openapi), a JWT, a timestamp, a cURL command.
- The service does what the yardsticks do not: it enforces the whole document, refuses duplicate names, unsafe numbers and
  lone surrogates, bounds its output, writes one log line for each request and says where an output comes from.
- The row *limit* is what is left of the bare handler's requests when it stands behind the guards that the service cannot
  do without (time limits, panics, Host, Origin, request id, the log line): tiny calls cannot come nearer to bare than that.
- Tiny calls beside those of 500 KB wait for the system's scheduler as well, which shares the two processors among the
  service and both load generators: with the large calls in another process of ours their p99 was 3.9 ms (11 in one
  process, 0.4 without large calls), so 2 ms cannot be reached here.
- What is offered beyond what can be served costs the load generator time too, on the same two processors, and that is
  half of what is missing then: some 140 µs for each refused call of 500 KB, about as much as the service.
- RSS counts the pages of the binary that the system maps, some 14 of the 18 MiB at rest, and more of them where it has
  memory to spare; the service's own memory is some 4 MiB.
- CyberChef-server is not in the table: its last release on npm (0.0.10, with CyberChef 9) does not start on Node 20, the
  ESM loader that it runs on refuses CyberChef's import assertions.
- The load generator uses one of the processors; it costs small calls of every server the same, which brings their ratios
  nearer to 1.
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

// programs returns the versions of the yardsticks that setup.sh installs from the
// system's packages.
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
