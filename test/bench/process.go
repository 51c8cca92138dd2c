package main

import (
	"fmt"
	"os"
	"time"
)

// process measures the time from the binary's start to its first response, and how much memory it holds: idle, and with
// 64 callers of calls as large as the limit allows.
func process(run harness) []row {
	taken := samples{}
	for range run.rounds {
		begin := time.Now()
		s := startConvertd(run)
		taken.add("first", time.Since(begin))
		time.Sleep(300 * time.Millisecond)
		taken["idle"] = append(taken["idle"], float64(s.status().VmRSS))
		s.stop()
	}
	s := startConvertd(run)
	defer s.stop()
	posts := append(run.format(900_000), run.toYAML(900_000)...)
	l := must(s.wrk(64, 5*run.each, posts))
	return []row{
		atMost("first answer after the start (ms)", taken.median("first"), 35),
		atMost("idle RSS (MiB)", taken.median("idle")/(1<<20), 28),
		atMost(fmt.Sprintf("peak RSS, 64 callers of %d KiB bodies (MiB)", posts[0].size>>10), float64(s.status().VmHWM)/(1<<20), 256),
		atMost("rejected with 503 meanwhile (%)", 100*l.refused, 0),
		atMost("the binary, stripped (MB)", float64(must(os.Stat(run.binary)).Size())/1e6, 25),
	}
}
