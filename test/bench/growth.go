package main

import (
	"fmt"
	"os"
)

// curve is one line of a plot.
type curve struct {
	Name string
	X, Y []float64
}

// curves are the results of growth, kept for the plot.
type curves struct{ Size, Connections []curve }

// growth measures the cost of a byte from 1 KiB to nearly 1 MiB, and the
// throughput of small calls from 1 to 256 connections.
func growth(run harness) []row {
	ours := startConvertd(run)
	defer ours.stop()
	floor := startBare(run)
	defer floor.stop()
	var c curves
	for _, tool := range []string{"json_format", "json_to_yaml"} {
		line := curve{Name: tool}
		for size := 1 << 10; size <= 1<<20; size <<= 1 {
			p := run.save("/v1/tools/"+tool, body("application/json", anyJSON(min(size, 930_000)), ""))
			perSecond := run.median(ours, 2, p)
			line.X = append(line.X, float64(p.size))
			line.Y = append(line.Y, 2e9/perSecond/float64(p.size))
		}
		c.Size = append(c.Size, line)
	}
	small := run.save("/v1/tools/jwt_decode", body("application/jwt", jwt, ""))
	for name, s := range map[string]*server{"jwt_decode": ours, "bare handler": floor} {
		line := curve{Name: name}
		for connections := 1; connections <= 256; connections *= 2 {
			perSecond := run.median(s, connections, small)
			line.X = append(line.X, float64(connections))
			line.Y = append(line.Y, perSecond)
		}
		c.Connections = append(c.Connections, line)
	}
	if run.quick {
		return c.rows()
	}
	keep("curves", c)
	ok(os.WriteFile("docs/performance.svg", plot(c), 0o644))
	return c.rows()
}

// median returns the successes per second over half the rounds, because there are many points.
func (r harness) median(s *server, connections int, p post) float64 {
	var taken []float64
	for range max(1, r.rounds/2) {
		l := must(s.wrk(callers{connections: connections}, r.each, p))
		taken = append(taken, l.perSecond)
	}
	return median(taken)
}

// rows returns the ends of the curves.
func (c curves) rows() []row {
	var rows []row
	for _, line := range c.Size {
		rows = append(rows, atMost(fmt.Sprintf("%s over HTTP: ns per byte at 1 MiB : at 4 KiB", line.Name), line.Y[len(line.Y)-1]/line.Y[2], 1.2))
	}
	for _, line := range c.Connections {
		rows = append(rows, atLeast(fmt.Sprintf("%s: calls/s with 256 connections : with 8", line.Name), line.Y[len(line.Y)-1]/line.Y[3], 0))
	}
	return rows
}
