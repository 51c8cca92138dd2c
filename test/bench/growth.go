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
func growth(run harness) ([]row, error) {
	ours, err := startConvertd(run)
	if err != nil {
		return nil, err
	}
	defer ours.stop()
	floor, err := startBare(run)
	if err != nil {
		return nil, err
	}
	defer floor.stop()
	var c curves
	for _, tool := range []string{"json_format", "json_to_yaml"} {
		line := curve{Name: tool}
		for size := 1 << 10; size <= 1<<20; size <<= 1 {
			p := run.save("/v1/tools/"+tool, body("application/json", anyJSON(min(size, 930_000)), ""))
			perSecond, err := run.median(ours, 2, p)
			if err != nil {
				return nil, err
			}
			line.X = append(line.X, float64(p.size))
			line.Y = append(line.Y, 2e9/perSecond/float64(p.size))
		}
		c.Size = append(c.Size, line)
	}
	small := run.save("/v1/tools/jwt_decode", body("application/jwt", jwt, ""))
	for name, s := range map[string]*server{"jwt_decode": ours, "bare handler": floor} {
		line := curve{Name: name}
		for connections := 1; connections <= 256; connections *= 2 {
			perSecond, err := run.median(s, connections, small)
			if err != nil {
				return nil, err
			}
			line.X = append(line.X, float64(connections))
			line.Y = append(line.Y, perSecond)
		}
		c.Connections = append(c.Connections, line)
	}
	if run.quick {
		return c.rows(), nil
	}
	if err := keep("curves", c); err != nil {
		return nil, err
	}
	if err := os.WriteFile("docs/performance.svg", plot(c), 0o644); err != nil {
		return nil, err
	}
	return c.rows(), nil
}

// median returns the successes per second over half the rounds, because there are
// many points.
func (r harness) median(s *server, connections int, p post) (float64, error) {
	var taken []float64
	for range max(1, r.rounds/2) {
		l, err := s.wrk(callers{connections: connections}, r.each, p)
		if err != nil {
			return 0, err
		}
		taken = append(taken, l.perSecond)
	}
	return median(taken), nil
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
