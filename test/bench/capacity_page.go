package main

import (
	"fmt"
	"io"
)

const (
	// the page's target for one replica
	monthly = 1e9
	month   = 30 * 24 * 3600.0 // seconds
	// peak is the assumed ratio of the busiest hour to the mean.
	peak = 4.0
	// use is how much of its processors a replica should use in that hour, so that calls seldom wait for each other.
	use = 0.5
)

// rows returns the rows for the terminal, and the check of the model.
func (c capacity) rows() []row {
	fixed, perByte := c.model()
	rows := []row{
		atMost("json_format: a call costs (µs of a processor)", 1e6*fixed, 0),
		atMost("  and each KB of it (µs)", 1e9*perByte, 0),
	}
	for _, s := range c.Sizes[1 : len(c.Sizes)-1] {
		rows = append(rows, atMost(fmt.Sprintf("json_format %s (%s µs): measured : the model", s.Title, digits(1e6*s.Cost)), s.Cost/(fixed+s.Bytes*perByte), 0))
	}
	for _, t := range c.Replicas {
		title := fmt.Sprintf("%d replicas, %s calls/s", t.Replicas, digits(t.PerSecond))
		rows = append(rows, atMost(title+": processor time, measured : the model", t.Busy/t.Predicted, 0))
		if t.Commands >= 0 {
			rows = append(rows, atMost(title+": commands a call that Redis sees", t.Commands/t.PerSecond, 0.1))
		}
	}
	first, last := c.Connections[0], c.Connections[len(c.Connections)-1]
	return append(rows, atMost("memory of an open connection that has made a call (KiB)", 1024*(last.MiB-first.MiB)/float64(last.Connections), 0))
}

// write writes the page's section.
func (c capacity) write(w io.Writer) {
	fixed, perByte := c.model()
	c.writeSizes(w, fixed, perByte)
	fmt.Fprintf(w, `
The model: a call of json_format with *b* bytes of request costs *t(b)* = %s µs + *b* × %s ns of a processor, fitted to
the first and the last row; the other rows check it. *P* processors serve *P / t* calls a second, *N* replicas *N* times that, and
calls rarely wait for each other at half of that rate. Here the load generator shares the two processors, so they serve
less than twice as much.
`, digits(1e6*fixed), digits(1e9*perByte))
	c.writeReplicas(w)
	fmt.Fprint(w, "\n### Memory\n\n| Connections, each after one call | Resident (MiB) |\n|---:|---:|\n")
	for _, h := range c.Connections {
		fmt.Fprintf(w, "| %d | %s |\n", h.Connections, digits(h.MiB))
	}
	c.writeMonth(w)
}

func (c capacity) writeSizes(w io.Writer, fixed, perByte float64) {
	fmt.Fprint(w, "| json_format, 16 connections | µs of a processor | by the model | 1 processor: calls/s | p99 (ms) | 2, shared: calls/s | p99 (ms) | 4, by the model: calls/s |\n|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, s := range c.Sizes {
		t := fixed + s.Bytes*perByte
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", s.Title, digits(1e6*s.Cost), digits(1e6*t),
			digits(s.One.PerSecond), digits(s.One.P99), digits(s.Shared.PerSecond), digits(s.Shared.P99), digits(4/t))
	}
	m := c.Mix
	fmt.Fprintf(w, "| a mix: JWT, timestamp, 2 KB, 60 KB | %s | | %s | %s | %s | %s | %s |\n", digits(1e6*m.Cost),
		digits(m.One.PerSecond), digits(m.One.P99), digits(m.Shared.PerSecond), digits(m.Shared.P99), digits(4/m.Cost))
}

func (c capacity) writeReplicas(w io.Writer) {
	fmt.Fprintf(w, "\n### Replicas\n\nAll replicas together get the mix at two fifths of the rate that one processor serves, and share one Redis. A call that arrives\nalone has to wake the process and costs %s µs (measured with one replica), which the model uses here.\n\n", digits(1e6*c.Paced))
	fmt.Fprint(w, "| Replicas | Calls/s | p99 (ms) | Processors busy, by the model | measured | Redis: commands/s | a call |\n|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, t := range c.Replicas {
		commands, each := "–", "–"
		if t.Commands >= 0 {
			commands, each = digits(t.Commands), fmt.Sprintf("%.4f", t.Commands/t.PerSecond)
		}
		fmt.Fprintf(w, "| %d | %s | %s | %s | %s | %s | %s |\n", t.Replicas, digits(t.PerSecond), digits(t.P99), digits(t.Predicted), digits(t.Busy), commands, each)
	}
	fmt.Fprint(w, `
[operations.md](operations.md#several-replicas) describes when a replica sends a command. With *N* replicas, each of which has *n*
clients in 2 s, that is at most *N* × (½ + *n* / 256) commands a second, plus one for each call of a client that has less than
half of its quota left or calls a replica more than max(1, q/64) times in 2 s. With 50 replicas that serve 500 calls a second or
more in all, it is at most 0.1 commands per call. `+"`internal/guard` `TestLedgerCommands`"+` runs 50
replicas at 386 calls a second in all, from 2,000 clients.
`)
}

func (c capacity) writeMonth(w io.Writer) {
	mean := monthly / month
	busiest := mean * peak
	processors := busiest * c.Paced / use
	fmt.Fprintf(w, `
### 10⁹ calls a month

10⁹ / (30 × 86,400 s) = %s calls a second on average and %g times as many in the busiest hour, %s. A call of the mix costs
%s µs when calls arrive one at a time, so they keep %s of a processor busy. To use at most half of
it in that hour, one replica needs %s of a processor. A replica with a single processor serves %s × 10⁹ calls a month this
way. A second replica is for restarts and failures, not for the load.
`, digits(mean), peak, digits(busiest), digits(1e6*c.Paced), digits(busiest*c.Paced), digits(processors), digits(1/processors))
}
