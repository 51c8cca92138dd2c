package main

import (
	"os"
	"path/filepath"
	"time"
)

// process measures the time from the binary's start to its first response, and
// how much memory it holds when idle.
func process(run harness) ([]row, error) {
	var first, idle []float64
	for range run.rounds {
		begin := time.Now()
		s, err := startConvertd(run)
		if err != nil {
			return nil, err
		}
		first = append(first, float64(time.Since(begin).Microseconds())/1000)
		time.Sleep(300 * time.Millisecond)
		idle = append(idle, s.mebibytes("VmRSS"))
		s.stop()
	}
	alone, err := runAlone(run)
	if err != nil {
		return nil, err
	}
	size, err := os.Stat(run.binary)
	if err != nil {
		return nil, err
	}
	rows, err := agents(run)
	return append([]row{
		atMost("first answer after the start (ms)", median(first), 35),
		atMost("convertd run, a tiny input (ms)", alone, 6),
		atMost("idle RSS (MiB)", median(idle), 28),
		atMost("the binary, stripped (MB)", float64(size.Size())/1e6, 25),
	}, rows...), err
}

// runAlone returns how many milliseconds convertd run takes for a tiny input.
func runAlone(run harness) (float64, error) {
	file := filepath.Join(run.folder, "alone.json")
	if err := os.WriteFile(file, []byte(tiny), 0o644); err != nil {
		return 0, err
	}
	taken := samples{}
	for range 5 * run.rounds {
		took, err := wall([]string{run.binary, "run", "json_format", file})
		if err != nil {
			return 0, err
		}
		taken.add("alone", took)
	}
	return taken.median("alone") / 1000, nil
}
