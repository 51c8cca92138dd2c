package main

import (
	"os"
	"path/filepath"
	"time"
)

// process measures the time from the binary's start to its first response, and how much memory it holds when idle.
func process(run harness) []row {
	var first, idle []float64
	for range run.rounds {
		begin := time.Now()
		s := startConvertd(run)
		first = append(first, float64(time.Since(begin).Microseconds())/1000)
		time.Sleep(300 * time.Millisecond)
		idle = append(idle, s.mebibytes("VmRSS"))
		s.stop()
	}
	alone := runAlone(run)
	size := must(os.Stat(run.binary))
	return []row{
		atMost("first answer after the start (ms)", median(first), 35),
		atMost("convertd run, a tiny input (ms)", alone, 6),
		atMost("idle RSS (MiB)", median(idle), 28),
		atMost("the binary, stripped (MB)", float64(size.Size())/1e6, 25),
	}
}

// runAlone returns how many milliseconds convertd run takes for a tiny input.
func runAlone(run harness) float64 {
	file := filepath.Join(run.folder, "alone.json")
	ok(os.WriteFile(file, []byte(tiny), 0o644))
	wall, _ := compared(5*run.rounds, map[string][]string{"ours": {run.binary, "run", "json_format", file}})
	return 1000 * wall["ours"]
}
